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

/** What the operator answers over HTTP while it runs. */
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
  void probesHoldWhileItRuns(String path) {
    var answer = operator.probe(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("ok\n");
  }

  /** Each would hold a thread for as long as it stays open, were there no limit. */
  @Test
  void halfSentRequestsHoldUpNeitherProbesNorMetrics() throws IOException {
    var halves = new ArrayList<Socket>();
    try {
      for (int i = 0; i < 20; i++) {
        for (int port : List.of(operator.probePort(), operator.metricsPort())) {
          var half = new Socket(InetAddress.getLoopbackAddress(), port);
          halves.add(half);
          half.getOutputStream().write('G');
        }
      }

      assertThat(operator.probe("/healthz").body()).isEqualTo("ok\n");
      assertThat(operator.get("/metrics").statusCode()).isEqualTo(200);
      for (var half : halves) {
        assertThat(isHungUpOn(half)).isTrue();
      }
    } finally {
      for (var half : halves) {
        half.close();
      }
    }
  }

  private static boolean isHungUpOn(Socket half) throws IOException {
    half.setSoTimeout(60_000);
    try {
      return half.getInputStream().read() == -1;
    } catch (SocketException e) {
      // Reset, since what it sent was not read.
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

  /** What came in by the webhook is counted only where there is one: AlertServerTest has that. */
  @Test
  void metricsOfAlertsAndDashboardExist() throws IOException {
    var metrics = operator.get("/metrics").body();

    assertThat(PromtoolIT.asked())
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

  /** A cluster's series begin with it and go with it; nothing else is added for one. */
  @Test
  void seriesOfAClusterGoWithIt() {
    var before = seriesOfTheOperator();
    var cluster = server.client().resource(Clusters.smallest(NAMESPACE, "some-name")).create();
    var of = "{namespace=\"" + NAMESPACE + "\",cluster=\"some-name\",";
    await("what the status says of it")
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
