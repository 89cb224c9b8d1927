package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
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
    var answer = operator.get(path);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("ok\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/", "/metricsfoo", "/metrics/", "/healthz/x", "/readyz2", "/favicon.ico"})
  void nothingElseIsThere(String path) {
    assertThat(operator.get(path).statusCode()).isEqualTo(404);
  }

  @Test
  void metricsTellOfPassesAndOfTheJvm() {
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

  /** Whatever a cluster is called and whatever becomes of it, no series is added. */
  @Test
  void noSeriesIsAddedForACluster() {
    long before = seriesOfTheOperator();
    double passes = operator.passes("success");

    server.client().resource(Clusters.smallest(NAMESPACE, "some-name")).create();
    await("a pass over it")
        .atMost(Duration.ofSeconds(30))
        .until(() -> operator.passes("success") > passes);

    assertThat(seriesOfTheOperator()).isEqualTo(before);
    assertThat(operator.get("/metrics").body()).doesNotContain("some-name", NAMESPACE + "\"");
  }

  private static long seriesOfTheOperator() {
    return operator
        .get("/metrics")
        .body()
        .lines()
        .filter(it -> it.startsWith("hbase_offheap_"))
        .count();
  }
}
