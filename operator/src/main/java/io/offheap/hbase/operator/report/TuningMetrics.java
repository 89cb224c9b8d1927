package io.offheap.hbase.operator.report;

import io.offheap.hbase.operator.tune.Outcome;
import io.offheap.hbase.operator.tune.Outcome.Not;
import io.offheap.hbase.operator.tune.Outcome.Why;
import io.offheap.hbase.operator.tune.RuleName;
import io.offheap.hbase.operator.tune.TuningMemory.Event;
import io.offheap.hbase.operator.tune.TuningMemory.EventKind;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;

/** What tuning decides, over all clusters. Each series is there from the start. */
public final class TuningMetrics {
  /** What a rule comes to that is no reason against a change. */
  private static final String PROPOSED = "Proposed";

  private final Counter decisions;
  private final Counter changes;

  /** Registers the metrics. */
  public TuningMetrics(CollectorRegistry registry) {
    decisions =
        Counter.build(
                "hbase_offheap_tuning_decisions_total",
                "What rules said of the evidence, by rule and reason.")
            .labelNames("rule", "reason")
            .register(registry);
    changes =
        Counter.build(
                "hbase_offheap_tuning_changes_total", "What became of changes, by rule and event.")
            .labelNames("rule", "event")
            .register(registry);
    for (RuleName rule : RuleName.values()) {
      decisions.labels(rule.text(), PROPOSED);
      for (Why why : Why.values()) {
        decisions.labels(rule.text(), why.text());
      }
      for (EventKind event : EventKind.values()) {
        changes.labels(rule.text(), event.text());
      }
    }
  }

  /** A rule was asked. */
  public void decided(Outcome outcome) {
    decisions
        .labels(outcome.rule().text(), outcome instanceof Not not ? not.why().text() : PROPOSED)
        .inc();
  }

  /** Something became of a change. */
  public void changed(Event event) {
    changes.labels(event.rule().text(), event.kind().text()).inc();
  }
}
