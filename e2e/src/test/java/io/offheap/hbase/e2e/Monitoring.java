package io.offheap.hbase.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Prometheus and Alertmanager of {@code e2e/monitoring} in a namespace, with the operator's webhook
 * as the receiver.
 */
record Monitoring(Kubectl kubectl) {
  /** Series of a chart; more cannot be distinguished on a page. */
  private static final int POINTS = 60;

  private static final String OPERATOR = "hbase-offheap";
  private static final String WEBHOOK =
      "http://hbase-offheap-hbase-offheap-operator-webhook.hbase-offheap:8081/api/v1/alerts";

  /** Gives the operator and Alertmanager a new token, and starts both sides. */
  void start() {
    var token = UUID.randomUUID().toString();
    secret(OPERATOR, "alerts", token);
    secret(kubectl.namespace(), "monitoring-token", token);
    kubectl
        .shell()
        .output(
            "helm",
            "upgrade",
            OPERATOR,
            "charts/hbase-offheap-operator",
            "--namespace",
            OPERATOR,
            "--reuse-values",
            "--set",
            "webhook.enabled=true,webhook.tokenSecret=alerts",
            "--wait",
            "--timeout",
            "180s");
    assertThat(
            kubectl.shell().show("e2e/monitoring/deploy", kubectl.namespace(), WEBHOOK, "--quick"))
        .as("status of e2e/monitoring/deploy")
        .isZero();
  }

  private void secret(String namespace, String name, String token) {
    var script =
        "kubectl -n \"$1\" create secret generic \"$2\" --from-literal=token=\"$3\""
            + " --dry-run=client -o yaml | kubectl -n \"$1\" apply -f -";
    kubectl
        .shell()
        .output("bash", "-euo", "pipefail", "-c", script, "secret", namespace, name, token);
  }

  /** The result of a query now. */
  JsonNode query(String expression) {
    return request("query?query=" + URLEncoder.encode(expression, UTF_8));
  }

  private JsonNode request(String query) {
    var path =
        "/api/v1/namespaces/%s/services/monitoring:9090/proxy/api/v1/%s"
            .formatted(kubectl.namespace(), query);
    return RolloutCluster.parse(kubectl.output("get", "--raw", path)).path("data").path("result");
  }

  /** A chart of an expression's first series from a time until now, in Mermaid's language. */
  String chart(String title, String unit, String expression, Instant from) {
    var to = Instant.now();
    long step = Math.max(5, Duration.between(from, to).toSeconds() / POINTS);
    var values =
        request(
                "query_range?query=%s&start=%d&end=%d&step=%d"
                    .formatted(
                        URLEncoder.encode(expression, UTF_8),
                        from.getEpochSecond(),
                        to.getEpochSecond(),
                        step))
            .path(0)
            .path("values");
    var points = new ArrayList<String>();
    for (JsonNode value : values) {
      double number = value.path(1).asDouble();
      points.add(String.format(Locale.ROOT, "%.1f", Double.isFinite(number) ? number : 0));
    }
    return """
    xychart-beta
      title "%s"
      x-axis "seconds" 0 --> %d
      y-axis "%s"
      line [%s]
    """
        .formatted(title, step * Math.max(1, points.size() - 1), unit, String.join(", ", points));
  }

  /** Names of the alerts that fire. */
  Set<String> firing() {
    var names = new TreeSet<String>();
    query("ALERTS{alertstate=\"firing\"}")
        .forEach(it -> names.add(it.path("metric").path("alertname").asText()));
    return names;
  }

  /** Alerts that the operator's webhook accepted and that triggered a reconciliation. */
  double accepted() {
    return query("sum(hbase_offheap_alerts_total{verdict=\"triggered\"})")
        .path(0)
        .path("value")
        .path(1)
        .asDouble();
  }
}
