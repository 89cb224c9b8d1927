package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.tune.RuleResult;
import io.offheap.hbase.operator.tune.RuleResult.NoChange;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import io.offheap.hbase.operator.tune.Rules;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningStep;
import io.offheap.hbase.operator.web.TuningMetrics;
import io.prometheus.client.CollectorRegistry;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Reports, by events and metrics, what tuning decided, and what became of its changes.
 *
 * <p>A change is reported once its status was written: a status that was refused leaves no change
 * behind, and the next pass decides the same again. So a pass reports the entries that were added
 * to the history since the last one. The first pass over a cluster has nothing to compare with, so
 * that a restart of the operator reports nothing twice.
 */
public final class TuningReports {
  /** What a rule comes to that is no reason against a change. */
  private static final String PROPOSED = "Proposed";

  private final Events events;
  private final TuningMetrics metrics;
  private final Map<ResourceID, Seen> seen = new ConcurrentHashMap<>();

  /** When the newest entry of a cluster's history was made; the epoch where there was none. */
  private record Seen(String uid, Instant newest) {}

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
            Rules.all().names(),
            Stream.concat(Stream.of(PROPOSED), Arrays.stream(Reason.values()).map(Reason::text))
                .toList(),
            Arrays.stream(EventKind.values()).map(EventKind::text).toList()));
  }

  private TuningReports(Events events, TuningMetrics metrics) {
    this.events = events;
    this.metrics = metrics;
  }

  /** Counts the results of the rules in a pass. */
  void recordDecisions(Collection<TuningStep> steps) {
    steps.stream()
        .flatMap(step -> step.results().stream())
        .forEach(it -> metrics.decided(it.rule(), reason(it)));
  }

  /** Reports the entries that were added since the last pass over this cluster. */
  void reportNewEntries(HBaseCluster cluster) {
    var history = history(cluster);
    var uid = cluster.getMetadata().getUid();
    var newest = history.stream().map(Event::at).max(Instant::compareTo);
    var id = ResourceID.fromResource(cluster);
    var before = seen.get(id);
    if (before == null || !before.uid().equals(uid)) {
      seen.put(id, new Seen(uid, newest.orElse(Instant.EPOCH)));
      return;
    }
    // A history that was lost is restored from its backup, and its entries are not new then.
    history.stream()
        .filter(it -> it.at().isAfter(before.newest()))
        .forEach(it -> report(cluster, it));
    newest
        .filter(it -> it.isAfter(before.newest()))
        .ifPresent(it -> seen.put(id, new Seen(uid, it)));
  }

  /** A cluster was deleted. */
  void forget(ResourceID id) {
    seen.remove(id);
  }

  /** Of all groups, oldest first within each. */
  private static List<Event> history(HBaseCluster cluster) {
    return TuningPass.states(cluster).values().stream()
        .flatMap(it -> it.history().stream())
        .toList();
  }

  private void report(HBaseCluster cluster, Event event) {
    metrics.changed(event.rule(), event.kind().text());
    var note = event.rule() + " " + event.values() + ": " + event.text();
    if (event.kind() == EventKind.ROLLED_BACK || event.kind() == EventKind.STOPPED) {
      events.warning(cluster, "Tuning" + event.kind().text(), note);
    } else {
      events.normal(cluster, "Tuning" + event.kind().text(), note);
    }
  }

  private static String reason(RuleResult outcome) {
    return outcome instanceof NoChange noChange ? noChange.reason().text() : PROPOSED;
  }
}
