package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.offheap.hbase.operator.FreePort;
import io.offheap.hbase.operator.report.ReconcileMetrics;
import io.offheap.hbase.operator.report.RolloutMetrics;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.exporter.common.TextFormat;
import java.io.IOException;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A real Prometheus with the chart's scrape configuration and rules, and two region servers. One of
 * them takes half of its blocks' bytes from the heap. Windows are 15 s instead of minutes.
 */
@Execution(ExecutionMode.CONCURRENT)
class AlertFiringIT {
  private static final Path ALERTS = Chart.FOLDER.resolve("alerts");
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The recorded server had no memory limit and no full collection; tuning and the webhook were not
   * used.
   */
  private static final Pattern NOT_IN_THE_RECORD =
      Pattern.compile("container_limit|gc_(full|normal)_pause_max|_tuning_|_alerts_");

  /**
   * Alerts that may fire on a slow machine and are not tested here: before the first scrape there
   * is no operator, and while both servers are stopped, no target responds.
   */
  private static final Set<String> TRUE_HERE = Set.of("HBaseOperatorAbsent", "HBaseTargetsDown");

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<JsonNode> sent = new CopyOnWriteArrayList<>();
  private HttpServer alertmanager;
  private HttpServer operator;
  private ReplayedServer bad;
  private ReplayedServer good;
  private Process prometheus;
  private int port;

  private void receive(JsonNode alert) {
    if (!TRUE_HERE.contains(alert.at("/labels/alertname").asText())) {
      sent.add(alert);
    }
  }

  @BeforeEach
  void start(@TempDir Path folder) throws IOException {
    alertmanager = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    alertmanager.createContext(
        "/api/v2/alerts",
        exchange -> {
          try (exchange) {
            JSON.readTree(exchange.getRequestBody()).forEach(this::receive);
            exchange.sendResponseHeaders(200, -1);
          }
        });
    alertmanager.start();
    operator = operatorMetrics();
    bad = ReplayedServer.start(1e6, 1e6);
    good = ReplayedServer.start(1e4, 1e6);
    port = FreePort.next();
    configure(folder);
    prometheus =
        MonitoringTools.fetch()
            .prometheus(
                folder,
                "--config.file=prometheus.yml",
                "--storage.tsdb.path=data",
                "--web.listen-address=127.0.0.1:" + port,
                "--rules.alert.resend-delay=1s");
    await("Prometheus")
        .atMost(LONG)
        .ignoreException(ConnectException.class)
        .until(() -> get("-/ready").statusCode() == 200);
  }

  /** The operator's own metrics, after a reconciliation and a drain. */
  private static HttpServer operatorMetrics() throws IOException {
    var registry = new CollectorRegistry();
    new ReconcileMetrics(registry).finishedReconciliation(null, Map.of());
    new RolloutMetrics(registry).canaryEnded(Duration.ofSeconds(1));
    Gauge.build("hbase_offheap_leader", "It leads.").register(registry).set(1);
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          try (exchange) {
            var text = new StringWriter();
            TextFormat.write004(text, registry.metricFamilySamples());
            exchange.getResponseHeaders().set("Content-Type", TextFormat.CONTENT_TYPE_004);
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(text.toString().getBytes(UTF_8));
          }
        });
    server.start();
    return server;
  }

  private void configure(Path folder) throws IOException {
    var scrapes =
        Files.readString(ALERTS.resolve("scrape-config.yaml"))
            .replaceAll("kubernetes_sd_configs:.*", "file_sd_configs: [{files: [targets.json]}]")
            .replace("scrape_interval: 15s", "scrape_interval: 1s")
            .replace("scrape_timeout: 10s", "scrape_timeout: 1s");
    Files.writeString(
        folder.resolve("prometheus.yml"),
        """
        global: {evaluation_interval: 1s}
        rule_files: [rules.yaml]
        alerting: {alertmanagers: [{static_configs: [{targets: ["127.0.0.1:%d"]}]}]}
        """
                .formatted(alertmanager.getAddress().getPort())
            + scrapes);
    Files.writeString(
        folder.resolve("rules.yaml"),
        Files.readString(ALERTS.resolve("hbase-offheap.rules.yaml"))
            .replaceAll("\\[\\d+m]", "[15s]")
            .replaceAll("for: \\d+m", "for: 3s"));
    Files.writeString(
        folder.resolve("targets.json"),
        JSON.writeValueAsString(
            List.of(
                target(bad.address(), "regionserver", "http", "demo-regionserver-0"),
                target(good.address(), "regionserver", "http", "demo-regionserver-1"),
                target(
                    "127.0.0.1:" + operator.getAddress().getPort(),
                    "operator",
                    "metrics",
                    "operator"),
                // Ports that must not be scraped.
                target("127.0.0.1:1", "master", "rpc", "demo-master-0"),
                target("127.0.0.1:1", "regionserver", "rpc", "demo-regionserver-0"))));
  }

  /** A port of a pod in the form of Prometheus' Kubernetes discovery. */
  private static Map<String, Object> target(
      String address, String component, String portName, String pod) {
    var labels = new TreeMap<String, String>();
    labels.put("namespace", "shop");
    labels.put("pod_name", pod);
    labels.put("pod_phase", "Running");
    labels.put("pod_container_port_name", portName);
    labels.put("pod_label_app_kubernetes_io_managed_by", "hbase-offheap-operator");
    labels.put("pod_label_app_kubernetes_io_component", component);
    labels.put("pod_label_app_kubernetes_io_instance", "demo");
    labels.put("pod_label_app_kubernetes_io_part_of", "hbase-offheap");
    var prefixed = new TreeMap<String, String>();
    labels.forEach((name, value) -> prefixed.put("__meta_kubernetes_" + name, value));
    return Map.of("targets", List.of(address), "labels", prefixed);
  }

  @AfterEach
  void stop() throws InterruptedException {
    prometheus.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    bad.close();
    good.close();
    operator.stop(0);
    alertmanager.stop(0);
  }

  @Test
  void everyPanelOfTheDashboardHasData() throws IOException {
    var dashboard = Chart.FOLDER.resolve("dashboards").resolve("hbase-offheap.json");
    var panels = JSON.readTree(dashboard.toFile()).path("panels");

    await("two scrapes of each")
        .atMost(LONG)
        .until(() -> value("min(sum_over_time(up[1m]))") >= 2 && value("sum(up)") == 5);
    assertThat(panels)
        .filteredOn(panel -> !panel.path("type").asText().equals("row"))
        .hasSizeGreaterThan(20)
        .allSatisfy(
            panel -> {
              for (var target : panel.path("targets")) {
                var query =
                    target
                        .path("expr")
                        .asText()
                        .replace("$namespace", "shop")
                        .replace("$cluster", "demo|other")
                        .replace("$pod", "demo-.+");
                if (!NOT_IN_THE_RECORD.matcher(query).find()) {
                  // A late scrape leaves no sample for a second.
                  await(query)
                      .atMost(LONG)
                      .until(() -> !data("query?query=%s", query).path("result").isEmpty());
                }
              }
            });
  }

  @Test
  void alertIsSentAndOutlivesUnnoticedRestart() throws IOException {
    await("the alert")
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> !sent.isEmpty());
    var startsAt = sent.get(0).path("startsAt").asText();

    bad.stop();
    good.stop();
    await("both down")
        .atMost(LONG)
        .until(() -> value("sum(up{job!=\"hbase-offheap-operator\"})") == 0);
    bad.startAgain();
    good.startAgain();
    await("both up").atMost(LONG).until(() -> value("sum(up)") == 5);
    await("a whole window after the restart")
        .atMost(LONG)
        .until(() -> value("min(min_over_time(up[15s]))") == 1);
    var until = sent.size();
    await("the alert after it").atMost(LONG).until(() -> sent.size() > until);

    assertThat(sent)
        .allSatisfy(
            alert -> {
              assertThat(alert.path("labels"))
                  .isEqualTo(
                      JSON.valueToTree(
                          Map.of(
                              "alertname",
                              "HBaseAllocatorHeapShareHigh",
                              "namespace",
                              "shop",
                              "cluster",
                              "demo",
                              "pod",
                              "demo-regionserver-0",
                              "severity",
                              "warning")));
              assertThat(alert.path("startsAt").asText()).isEqualTo(startsAt);
              assertThat(alert.path("annotations").path("summary").asText())
                  .startsWith("demo-regionserver-0 takes ");
              assertThat(alert.path("annotations").toString()).doesNotContain("error", "no value");
            });
    assertThat(
            value("count(count_over_time(ALERTS{pod=\"demo-regionserver-1\"}[5m])) or vector(0)"))
        .isZero();
    assertSeriesAreThePods();
  }

  /** One series for a metric of a pod, over the restart; none of a region or a table. */
  private void assertSeriesAreThePods() throws IOException {
    var series = data("series?match[]=%s", "{pod=\"demo-regionserver-0\",alertname=\"\"}");
    assertThat(series).hasSizeGreaterThan(80);
    assertThat(series)
        .allSatisfy(
            it -> {
              assertThat(it.fieldNames())
                  .toIterable()
                  .containsExactlyInAnyOrder(
                      "__name__", "cluster", "instance", "job", "namespace", "pod");
              assertThat(it.path("instance").asText()).isEqualTo("demo-regionserver-0");
            });
    assertThat(value("count({__name__=~\"regions_.*|tables_.*|server_get_.*\"}) or vector(0)"))
        .isZero();
    // A late scrape leaves no sample for a second.
    await("all samples")
        .atMost(LONG)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              assertThat(value("count(up)")).isEqualTo(5);
              assertThat(
                      value(
                          "max(count by (__name__) ({pod=\"demo-regionserver-0\","
                              + " __name__!~\"ALERTS.*|up|scrape_.*\"}))"))
                  .isEqualTo(1);
              assertThat(value("min(resets(observer_allocator_heap_bytes[5m]))")).isEqualTo(1);
              assertThat(value("count(jvm_metrics_mem_heap_max_m)")).isEqualTo(2);
              assertThat(value("count(server_mem_store_heap_size)")).isEqualTo(2);
            });
  }

  private double value(String query) throws IOException {
    var result = data("query?query=%s", query).path("result");
    return result.isEmpty() ? Double.NaN : result.path(0).path("value").path(1).asDouble();
  }

  private JsonNode data(String path, String argument) throws IOException {
    var uri = path.formatted(URLEncoder.encode(argument, UTF_8)).replace("[]", "%5B%5D");
    var response = JSON.readTree(get("api/v1/" + uri).body());
    assertThat(response.path("status").asText()).as("%s", response).isEqualTo("success");
    return response.path("data");
  }

  private HttpResponse<String> get(String path) throws IOException {
    var uri = URI.create("http://127.0.0.1:" + port + "/" + path);
    try {
      return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }
}
