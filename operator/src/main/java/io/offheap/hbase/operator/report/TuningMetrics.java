package io.offheap.hbase.operator.report;

import io.offheap.hbase.operator.tune.RuleResult;
import io.offheap.hbase.operator.tune.RuleResult.NoChange;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import io.offheap.hbase.operator.tune.Rules;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;

/** Metrics of tuning, over all clusters. Each series exists from the start. */
public final class TuningMetrics {
  /** The reason of a result that proposes a change. */
  private static final String PROPOSED = "Proposed";

  private final Counter decisions;
  private final Counter changes;

  /** Registers the metrics. */
  public TuningMetrics(CollectorRegistry registry) {
    decisions =
        Counter.build(
                "hbase_offheap_tuning_decisions_total", "Evaluations of rules, by rule and reason.")
            .labelNames("rule", "reason")
            .register(registry);
    changes =
        Counter.build("hbase_offheap_tuning_changes_total", "Changes, by rule and event.")
            .labelNames("rule", "event")
            .register(registry);
    for (String rule : Rules.all().names()) {
      decisions.labels(rule, PROPOSED);
      for (Reason reason : Reason.values()) {
        decisions.labels(rule, reason.text());
      }
      for (EventKind event : EventKind.values()) {
        changes.labels(rule, event.text());
      }
    }
  }

  /** A rule was evaluated. */
  public void decided(RuleResult result) {
    decisions
        .labels(result.rule(), result instanceof NoChange no ? no.reason().text() : PROPOSED)
        .inc();
  }

  /** A change was made, kept or rolled back. */
  public void changed(Event event) {
    changes.labels(event.rule(), event.kind().text()).inc();
  }
}
