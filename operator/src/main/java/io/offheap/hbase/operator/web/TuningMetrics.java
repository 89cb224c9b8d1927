package io.offheap.hbase.operator.web;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import java.util.Collection;

/** What tuning decides, over all clusters. Each series is there from the start. */
public final class TuningMetrics {
  private final Counter decisions;
  private final Counter changes;

  /**
   * Registers the metrics.
   *
   * @param rules names of the rules
   * @param reasons what a rule may come to
   * @param events what may become of a change
   */
  public TuningMetrics(
      CollectorRegistry registry,
      Collection<String> rules,
      Collection<String> reasons,
      Collection<String> events) {
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
    for (String rule : rules) {
      reasons.forEach(reason -> decisions.labels(rule, reason));
      events.forEach(event -> changes.labels(rule, event));
    }
  }

  /** A rule was asked. */
  public void decided(String rule, String reason) {
    decisions.labels(rule, reason).inc();
  }

  /** Something became of a change. */
  public void changed(String rule, String event) {
    changes.labels(rule, event).inc();
  }
}
