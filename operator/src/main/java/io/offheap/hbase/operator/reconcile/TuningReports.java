package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.tune.Outcome;
import io.offheap.hbase.operator.tune.Outcome.Not;
import io.offheap.hbase.operator.tune.Outcome.Why;
import io.offheap.hbase.operator.tune.RuleName;
import io.offheap.hbase.operator.tune.TuningMemory.Event;
import io.offheap.hbase.operator.tune.TuningMemory.EventKind;
import io.offheap.hbase.operator.tune.TuningStep;
import io.offheap.hbase.operator.web.TuningMetrics;
import io.prometheus.client.CollectorRegistry;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Stream;

/** Tells people, by events and metrics, what tuning decided. */
public final class TuningReports {
  /** What a rule comes to that is no reason against a change. */
  private static final String PROPOSED = "Proposed";

  private final Events events;
  private final TuningMetrics metrics;

  /**
   * Made once for a controller.
   *
   * @param events for {@code kubectl describe}
   * @param registry where metrics for Prometheus go
   */
  public static TuningReports of(Events events, CollectorRegistry registry) {
    return new TuningReports(
        events,
        new TuningMetrics(
            registry,
            Arrays.stream(RuleName.values()).map(RuleName::text).toList(),
            Stream.concat(Stream.of(PROPOSED), Arrays.stream(Why.values()).map(Why::text)).toList(),
            Arrays.stream(EventKind.values()).map(EventKind::text).toList()));
  }

  private TuningReports(Events events, TuningMetrics metrics) {
    this.events = events;
    this.metrics = metrics;
  }

  /** Tells what a pass decided. */
  void decided(HBaseCluster cluster, Collection<TuningStep> steps) {
    for (TuningStep step : steps) {
      step.outcomes().forEach(it -> metrics.decided(it.rule().text(), reason(it)));
      step.news().forEach(it -> tell(cluster, it));
    }
  }

  private void tell(HBaseCluster cluster, Event event) {
    metrics.changed(event.rule().text(), event.kind().text());
    var note = event.rule() + " " + event.values() + ": " + event.text();
    if (event.kind() == EventKind.TAKEN_BACK || event.kind() == EventKind.STOPPED) {
      events.warning(cluster, "Tuning" + event.kind().text(), note);
    } else {
      events.normal(cluster, "Tuning" + event.kind().text(), note);
    }
  }

  private static String reason(Outcome outcome) {
    return outcome instanceof Not not ? not.why().text() : PROPOSED;
  }
}
