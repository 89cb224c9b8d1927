package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.boot.Main;
import java.io.IOException;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * An operator with the chart's memory, and config maps with its label that everybody may create who
 * may edit in a watched namespace: more than its heap before it starts, and as many again while it
 * runs. An API server of its own, whose etcd keeps all of them.
 */
@Isolated("it fills the memory of an API server")
@Tag("verify")
class LabelledObjectsIT {
  private static final int MAPS = 200;
  private static final String NAMESPACE = "labelled";

  private ApiServer.Running server;
  private KubernetesClient client;
  private OperatorChild operator;

  @BeforeEach
  void start() {
    server = ApiServer.startAnother();
    client = server.client();
    server.createNamespace(NAMESPACE);
  }

  @AfterEach
  void stop() throws IOException {
    if (operator != null) {
      operator.close();
    }
    server.close();
  }

  @Test
  void foreignConfigMapsDoNotFillTheHeap() throws IOException {
    createMaps("before");
    operator =
        OperatorChild.start(
            server,
            ApiServer.OPERATOR,
            Map.of("WATCH_NAMESPACES", NAMESPACE),
            Main.class,
            Stream.concat(
                    Chart.jvmOptions().stream(),
                    // The memory of a container of this size.
                    Stream.of("-XX:MaxRAM=" + Chart.memoryLimitBytes()))
                .toList());
    deploys("first");

    createMaps("after");
    deploys("second");

    System.out.printf("Peak of the operator's memory: %d MiB%n", operator.peakBytes() >> 20);
    assertThat(operator.isAlive()).as("the operator, %s", operator.log()).isTrue();
    assertThat(operator.peakBytes()).isLessThan(Chart.memoryLimitBytes());
  }

  private void createMaps(String name) {
    var text = "x".repeat((1 << 20) - 1024);
    IntStream.range(0, MAPS)
        .parallel()
        .forEach(
            it ->
                client
                    .resource(
                        new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName(name + "-" + it)
                            .withNamespace(NAMESPACE)
                            .withLabels(
                                Map.of("app.kubernetes.io/managed-by", "hbase-offheap-operator"))
                            .endMetadata()
                            .withData(Map.of("hbase-site.xml", text))
                            .build())
                    // Not created: a request may be repeated after a late response.
                    .serverSideApply());
  }

  private void deploys(String cluster) {
    client.resource(Clusters.smallest(NAMESPACE, cluster)).create();
    await("its StatefulSets, by an operator that is alive")
        .atMost(LONG)
        .failFast("the operator has ended", () -> !operator.isAlive())
        .until(
            () ->
                client
                        .apps()
                        .statefulSets()
                        .inNamespace(NAMESPACE)
                        .withName(cluster + "-regionserver")
                        .get()
                    != null);
  }
}
