package io.offheap.hbase.operator.webhook;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import java.util.List;

/**
 * Metrics of the webhook. No label has a value that a sender controls, and each series exists from
 * the start.
 */
final class AlertMetrics {
  private final Counter alerts;
  private final Counter requests;

  AlertMetrics(CollectorRegistry registry) {
    alerts =
        Counter.build("hbase_offheap_alerts_total", "Alerts, by verdict.")
            .labelNames("verdict")
            .register(registry);
    requests =
        Counter.build("hbase_offheap_alert_requests_total", "Requests to the webhook, by outcome.")
            .labelNames("outcome")
            .register(registry);
    List.of(Verdict.values()).forEach(it -> alerts.labels(it.label()));
    List.of(AlertOutcome.values()).forEach(it -> requests.labels(it.label()));
  }

  void alerts(List<Verdict> verdicts) {
    verdicts.forEach(it -> alerts.labels(it.label()).inc());
  }

  void request(AlertOutcome outcome) {
    requests.labels(outcome.label()).inc();
  }
}
