package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The running operator's HTTP endpoints. */
@ExtendWith(ApiServer.class)
class WebIT {
  private static final String NAMESPACE = "web";

  private static ApiServer.Running server;
  private static OperatorUnderTest operator;

  @BeforeAll
  static void start(ApiServer.Running running) throws IOException {
    server = running;
    server.createNamespace(NAMESPACE);
    operator = OperatorUnderTest.start(server, NAMESPACE);
  }

  @AfterAll
  static void stop() {
    operator.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/healthz", "/readyz"})
  void probesSucceedWhileItRuns(String path) {
    var response = operator.probe(path);

    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("ok\n");
  }

  /** Without a limit, each open connection would hold a thread. */
  @Test
  void incompleteRequestsDelayNeitherProbesNorMetrics() throws IOException {
    var incomplete = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 20; i++) {
        for (int port : List.of(operator.probePort(), operator.metricsPort())) {
          var half = new Socket(InetAddress.getLoopbackAddress(), port);
          incomplete.add(half);
          half.getOutputStream().write('G');
        }
      }

      assertThat(operator.probe("/healthz").body()).isEqualTo("ok\n");
      assertThat(operator.get("/metrics").statusCode()).isEqualTo(200);
      for (var half : incomplete) {
        assertThat(isClosedByServer(half)).isTrue();
      }
    } finally {
      for (var half : incomplete) {
        half.close();
      }
    }
  }

  private static boolean isClosedByServer(Socket half) throws IOException {
    half.setSoTimeout(60_000);
    try {
      return half.getInputStream().read() == -1;
    } catch (SocketException e) {
      // Reset, since its bytes were not read.
      return true;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/metricsfoo", "/metrics/", "/healthz/x", "/readyz2", "/favicon.ico"})
  void respondsNotFoundOnOtherPaths(String path) {
    assertThat(operator.get(path).statusCode()).isEqualTo(404);
    assertThat(operator.probe(path).statusCode()).isEqualTo(404);
  }

  @Test
  void metricsHaveReconciliationsAndJvm() {
    var metrics = operator.get("/metrics");

    assertThat(metrics.statusCode()).isEqualTo(200);
    assertThat(metrics.headers().firstValue("Content-Type"))
        .hasValueSatisfying(it -> assertThat(it).startsWith("text/plain; version=0.0.4"));
    assertThat(metrics.body())
        .contains("# TYPE hbase_offheap_reconciles_total counter")
        .contains("hbase_offheap_reconciles_total{outcome=\"success\",}")
        .contains("hbase_offheap_reconciles_total{outcome=\"failure\",}")
        .contains("# TYPE hbase_offheap_reconcile_duration_seconds histogram")
        .contains("hbase_offheap_reconcile_duration_seconds_bucket{le=\"0.1\",}")
        .contains("hbase_offheap_leader 1.0\n")
        .contains("jvm_memory_bytes_used{area=\"heap\",}");
  }

  /** The webhook's metrics exist only with a webhook: AlertServerTest checks them. */
  @Test
  void metricsOfAlertsAndDashboardExist() throws IOException {
    var metrics = operator.get("/metrics").body();

    assertThat(PromtoolIT.queriedMetrics())
        .filteredOn(
            it -> it.startsWith("hbase_offheap_") && !it.equals("hbase_offheap_alerts_total"))
        .hasSizeGreaterThan(8)
        .allMatch(it -> Pattern.compile("(?m)^(# TYPE )?" + it + "[{ ]").matcher(metrics).find());
  }

  @Test
  void runbookHasAParagraphForTheLinkOfEachAlert() throws IOException {
    var page = operator.get("/runbook");

    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
    assertThat(PromtoolIT.alertNames())
        .allSatisfy(
            it ->
                assertThat(page.body())
                    .contains("<h2 id=\"" + it.toLowerCase(Locale.ROOT) + "\">" + it + "</h2>"));
  }

  /** A cluster's series exist only while it exists, and it adds no other series. */
  @Test
  void seriesOfClusterAreRemovedWithIt() {
    var before = seriesOfTheOperator();
    var cluster = server.client().resource(Clusters.smallest(NAMESPACE, "some-name")).create();
    var of = "{namespace=\"" + NAMESPACE + "\",cluster=\"some-name\",";
    await("series of its status")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(seriesOfTheOperator())
                    .contains(
                        "hbase_offheap_cluster_condition"
                            + of
                            + "type=\"Ready\",status=\"False\",}",
                        "hbase_offheap_cluster_condition"
                            + of
                            + "type=\"Planned\",status=\"True\",}",
                        "hbase_offheap_cluster_condition_reason"
                            + of
                            + "type=\"Planned\",reason=\"Planned\",}"));
    assertThat(seriesOfTheOperator())
        .filteredOn(it -> !before.contains(it))
        .allMatch(it -> it.startsWith("hbase_offheap_cluster_") && it.contains(of));

    server.client().resource(cluster).delete();

    await("no series of it")
        .atMost(LONG)
        .untilAsserted(() -> assertThat(seriesOfTheOperator()).isEqualTo(before));
  }

  /** Names and labels, without values. */
  private static Set<String> seriesOfTheOperator() {
    return operator
        .get("/metrics")
        .body()
        .lines()
        .filter(it -> it.startsWith("hbase_offheap_"))
        .map(it -> it.substring(0, it.lastIndexOf(' ')))
        .collect(Collectors.toSet());
  }
}
