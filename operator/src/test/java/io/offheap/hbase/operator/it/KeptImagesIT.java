package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which image the managed ZooKeeper and HDFS keep of a declaration that is removed. */
@ExtendWith(ApiServer.class)
class KeptImagesIT {
  private ApiServer.Running server;
  private KubernetesClient client;
  private String namespace;

  @BeforeEach
  void start(ApiServer.Running running, TestInfo test) {
    server = running;
    client = running.client();
    namespace = running.createNamespace(test);
  }

  @Test
  void removalTakesImageBackThatNeverServed() throws Exception {
    try (var hb = new Started()) {
      var before = images();
      hb.simulator.letBecomeReady(it -> !image(it).endsWith(":bad"));
      hb.declare(declaring("", "image: {tag: bad}"));
      await("the name node's pod")
          .atMost(LONG)
          .untilAsserted(() -> assertThat(images().get("namenode")).endsWith(":bad"));
      server.auditLog().awaitQuiet(namespace);

      hb.declare(Clusters.SMALLEST);

      await("the former image")
          .atMost(LONG)
          .untilAsserted(() -> assertThat(images()).isEqualTo(before));
      hb.awaitReady();
      assertThat(Clusters.get(client, namespace, "hb").getStatus().images().hdfs()).isNull();
    }
  }

  /** The operator has not seen that the image serves before the declaration was removed. */
  @Test
  void removalRestartsNothingWhileNoOperatorRan() throws Exception {
    try (var hb = new Started()) {
      hb.simulator.letBecomeReady(it -> !image(it).endsWith(":new"));
      hb.declare(declaring("image: {tag: new}", "image: {tag: newer}"));
      await("ZooKeeper's pod")
          .atMost(LONG)
          .untilAsserted(() -> assertThat(images().get("zookeeper")).endsWith(":new"));
      server.auditLog().awaitQuiet(namespace);
      hb.operator.close();

      hb.simulator.letBecomeReady(it -> true);
      hb.declare(Clusters.SMALLEST);
      await("ZooKeeper serves").atMost(LONG).until(() -> areReady("zookeeper"));
      var uids = uids();
      hb.operator = OperatorUnderTest.start(server, namespace);

      await("kept")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(Clusters.get(client, namespace, "hb").getStatus().images().zookeeper())
                      .endsWith(":new"));
      hb.awaitReady();
      server.auditLog().awaitQuiet(namespace);
      assertThat(uids().get("hb-zookeeper-0")).isEqualTo(uids.get("hb-zookeeper-0"));
    }
  }

  private static String declaring(String zookeeper, String storage) {
    return Clusters.SMALLEST
        .replace("zookeeper: {managed: {}}", "zookeeper: {managed: {" + zookeeper + "}}")
        .replace("storage: {managed: {}}", "storage: {managed: {" + storage + "}}");
  }

  /** A cluster that serves, in the test's namespace. */
  private final class Started implements AutoCloseable {
    private final StatefulSetSimulator simulator = new StatefulSetSimulator(client, namespace);
    private OperatorUnderTest operator = OperatorUnderTest.start(server, namespace);

    Started() throws Exception {
      client.resource(Clusters.smallest(namespace, "hb")).create();
      awaitReady();
      server.auditLog().awaitQuiet(namespace);
    }

    void declare(String yaml) {
      Clusters.declare(client, namespace, "hb", yaml);
    }

    void awaitReady() {
      Clusters.awaitReady(client, namespace, "hb");
    }

    @Override
    public void close() {
      operator.close();
      simulator.close();
    }
  }

  private List<Pod> pods() {
    return client.pods().inNamespace(namespace).list().getItems();
  }

  private Map<String, String> uids() {
    return pods().stream()
        .collect(
            Collectors.toMap(it -> it.getMetadata().getName(), it -> it.getMetadata().getUid()));
  }

  private boolean areReady(String component) {
    return pods().stream()
        .filter(it -> component(it).equals(component))
        .allMatch(it -> !it.getStatus().getConditions().isEmpty());
  }

  /** The image of the pods of each role; several where they differ. */
  private Map<String, String> images() {
    return pods().stream()
        .collect(
            Collectors.toMap(
                KeptImagesIT::component,
                KeptImagesIT::image,
                (one, other) -> one.equals(other) ? one : one + " " + other));
  }

  private static String image(Pod pod) {
    return pod.getSpec().getContainers().get(0).getImage();
  }

  private static String component(HasMetadata object) {
    return object.getMetadata().getLabels().get("app.kubernetes.io/component");
  }
}
