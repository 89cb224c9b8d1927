package io.offheap.hbase.operator.webhook;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import java.util.List;

/**
 * What came in by the webhook. No label has a value that a sender decides, and each series is there
 * from the start.
 */
final class AlertMetrics {
  private final Counter alerts;
  private final Counter requests;

  AlertMetrics(CollectorRegistry registry) {
    alerts =
        Counter.build("hbase_offheap_alerts_total", "Alerts that came in, by what became of them.")
            .labelNames("verdict")
            .register(registry);
    requests =
        Counter.build("hbase_offheap_alert_requests_total", "Requests to the webhook, by answer.")
            .labelNames("answer")
            .register(registry);
    List.of(Verdict.values()).forEach(it -> alerts.labels(it.label()));
    List.of(AlertAnswer.values()).forEach(it -> requests.labels(it.label()));
  }

  void alerts(List<Verdict> verdicts) {
    verdicts.forEach(it -> alerts.labels(it.label()).inc());
  }

  void request(AlertAnswer answer) {
    requests.labels(answer.label()).inc();
  }
}
