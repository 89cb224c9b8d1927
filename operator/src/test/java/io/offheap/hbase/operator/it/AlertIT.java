package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.boot.OperatorProcess;
import io.offheap.hbase.operator.boot.OperatorSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The webhook in the whole operator, over clusters of a real API server. */
@ExtendWith(ApiServer.class)
class AlertIT {
  private static final String TOKEN = "a-token-of-more-than-sixteen";
  private static final String NAMESPACE = "alerts";
  private static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managed: {}}
        regionServers:
          replicas: 1
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private static final String TUNED =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managed: {}}
        masters: {replicas: 1}
        rollout: {canary: {enabled: false}}
        tuning: {mode: Auto, window: 10s, coolDown: 1s, shrinkBucketCache: true}
        regionServers:
          replicas: 2
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private final Instant started = Instant.now();

  @TempDir private Path folder;

  @Test
  void alertTriggersOneReconciliationOfItsCluster(ApiServer.Running server) throws Exception {
    server.createNamespace(NAMESPACE);
    var hbases = new ModelHBases(server.client());
    var settings = settings(NAMESPACE);
    try (var simulator = new StatefulSetSimulator(server.client(), NAMESPACE);
        var operator =
            OperatorProcess.start(settings, server.operatorClient(), it -> hbases.access())) {
      server.client().resource(Clusters.parse(RESOURCE, NAMESPACE, "hb")).create();
      Clusters.awaitReady(server.client(), NAMESPACE, "hb");
      assertThat(simulator.planHashes("hb")).hasSize(1);
      await("the last write of the start")
          .atMost(LONG)
          .until(
              () -> Clusters.remembered(server.client(), NAMESPACE, "hb").contains("\"proven\""));
      server.auditLog().awaitQuiet(NAMESPACE);
      double before = passesAtRest(operator);

      assertThat(post(operator, "wrong-token-of-more-than-sixteen", "hb").statusCode())
          .isEqualTo(401);
      assertThat(post(operator, TOKEN, "none").body()).contains("unknown_cluster");
      assertThat(passes(operator)).isEqualTo(before);

      assertThat(post(operator, TOKEN, "hb").body()).contains("triggered");
      await("a reconciliation")
          .atMost(LONG)
          .untilAsserted(() -> assertThat(passes(operator)).isEqualTo(before + 1));
      assertThat(post(operator, TOKEN, "hb").body()).contains("repeated");
      server.auditLog().awaitQuiet(NAMESPACE);
      assertThat(passes(operator)).isEqualTo(before + 1);
    } finally {
      hbases.close();
    }
  }

  /** The operator has no metrics before the alert triggers their reading. */
  @Test
  void alertTriggersReadingOfMetricsAndChangeNamesAlert(ApiServer.Running server) throws Exception {
    var namespace = "alert-causes";
    server.createNamespace(namespace);
    var hbases = new ModelHBases(server.client());
    try (var simulator = new StatefulSetSimulator(server.client(), namespace);
        var operator =
            OperatorProcess.start(
                settings(namespace), server.operatorClient(), it -> hbases.access())) {
      server.client().resource(Clusters.parse(TUNED, namespace, "hb")).create();
      Clusters.awaitReady(server.client(), namespace, "hb");
      assertThat(simulator.planHashes("hb")).isNotEmpty();
      long buffers = TuningIT.planned(server.client(), namespace);
      hbases.onReadSoon(id -> hbases.setReadings(any -> TuningIT.missing(buffers)));

      assertThat(post(operator, TOKEN, namespace, "hb").body()).contains("triggered");

      var history =
          await("a change")
              .atMost(LONG)
              .until(
                  () ->
                      Optional.ofNullable(
                              Clusters.get(server.client(), namespace, "hb").getStatus().tuning())
                          .map(it -> it.groups().get(0).history())
                          .orElse(List.of()),
                  it -> !it.isEmpty());
      assertThat(history.get(0).event()).isEqualTo("Applied");
      assertThat(history.get(0).alert())
          .isEqualTo(
              new TuningStatus.Alert(
                  "HBaseAllocatorHeapShareHigh", "0123456789abcdef", started.toString()));
      await("an event that names the alert")
          .atMost(LONG)
          .until(
              () ->
                  server.client().v1().events().inNamespace(namespace).list().getItems().stream()
                      .anyMatch(
                          it ->
                              it.getReason().equals("TuningApplied")
                                  && it.getMessage()
                                      .contains("; after alert HBaseAllocatorHeapShareHigh (")));
    } finally {
      hbases.close();
    }
  }

  private OperatorSettings settings(String namespace) throws IOException {
    var token = Files.writeString(folder.resolve("token"), TOKEN);
    return OperatorSettings.of(
        Map.of(
            "WATCH_NAMESPACES",
            namespace,
            "HTTP_PORT",
            "0",
            "PROBE_PORT",
            "0",
            "WEBHOOK_PORT",
            "0",
            "WEBHOOK_TOKEN_FILE",
            token.toString()));
  }

  /** Reconciliations without a write are not in the audit log. */
  private static double passesAtRest(OperatorProcess operator) {
    var seen = new AtomicReference<>(-1.0);
    await("no more reconciliations")
        .atMost(LONG)
        .during(Duration.ofSeconds(3))
        .until(
            () -> {
              double now = passes(operator);
              return now == seen.getAndSet(now);
            });
    return seen.get();
  }

  private static double passes(OperatorProcess operator) throws Exception {
    var uri = URI.create("http://127.0.0.1:" + operator.httpPort() + "/metrics");
    return send(HttpRequest.newBuilder(uri).build())
        .body()
        .lines()
        .filter(it -> it.startsWith("hbase_offheap_reconciles_total{"))
        .mapToDouble(it -> Double.parseDouble(it.substring(it.lastIndexOf(' ') + 1)))
        .sum();
  }

  private HttpResponse<String> post(OperatorProcess operator, String token, String cluster)
      throws Exception {
    return post(operator, token, NAMESPACE, cluster);
  }

  private HttpResponse<String> post(
      OperatorProcess operator, String token, String namespace, String cluster) throws Exception {
    var body =
        """
        {"version": "4", "status": "firing", "receiver": "r", "groupKey": "k", "alerts": [
          {"status": "firing", "fingerprint": "0123456789abcdef",
           "labels": {"alertname": "HBaseAllocatorHeapShareHigh", "namespace": "%s",
                      "cluster": "%s"},
           "annotations": {}, "startsAt": "%s", "endsAt": "0001-01-01T00:00:00Z",
           "generatorURL": ""}]}
        """
            .formatted(namespace, cluster, started);
    var uri = URI.create("http://127.0.0.1:" + operator.alertPort().orElseThrow());
    return send(
        HttpRequest.newBuilder(uri.resolve("/api/v1/alerts"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private static HttpResponse<String> send(HttpRequest request)
      throws IOException, InterruptedException {
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
