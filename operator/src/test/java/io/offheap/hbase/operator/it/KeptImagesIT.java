package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Which image the managed ZooKeeper and HDFS keep: of a declaration that is removed, and while
 * HBase gets another repository.
 */
@ExtendWith(ApiServer.class)
class KeptImagesIT {
  private static final Set<String> HBASE = Set.of("master", "regionserver");

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

  /** HBase is silent, so its rollout is held, and no canary has tested the repository. */
  @Test
  void anotherRepositoryReachesHBaseFirst() throws Exception {
    var declared = declaring("image: {tag: new}", "image: {tag: new}");
    try (var hb = new Started()) {
      hb.declare(declared);
      await("renewed")
          .atMost(LONG)
          .untilAsserted(
              () -> assertThat(images().values()).filteredOn(it -> it.endsWith(":new")).hasSize(3));
      hb.awaitReady();
      server.auditLog().awaitQuiet(namespace);
      var uids = uids();
      var templates = templates();

      hb.declare(declared.replace("spec:", "spec:\n  image: {repository: wrong/hbase, tag: new}"));

      await("HBase's templates")
          .atMost(LONG)
          .untilAsserted(() -> assertThat(templates().get("master")).isEqualTo("wrong/hbase:new"));
      server.auditLog().awaitQuiet(namespace);
      assertThat(withoutHBase(templates())).isEqualTo(withoutHBase(templates));
      assertThat(uids).allSatisfy((name, uid) -> assertUnchanged(name, uid));
    }
  }

  @Test
  void repositoryFollowsOnceHBaseServesWithIt() throws Exception {
    var yaml =
        RolledServers.RESOURCE
            .replace("zookeeper: {managed: {}}", "zookeeper: {managed: {image: {tag: '2'}}}")
            .replace("storage: {managed: {}}", "storage: {managed: {image: {tag: '2'}}}");
    try (var hb = ServingCluster.start(server, namespace, yaml)) {
      hb.declare(yaml.replace("spec:", "spec:\n  image: {repository: mirror/hbase, tag: '2'}"));

      await("all of the repository")
          .atMost(LONG)
          .until(
              () -> {
                var now = images();
                if (withoutHBase(now).containsValue("mirror/hbase:2")) {
                  assertThat(now).containsEntry("master", "mirror/hbase:2");
                  assertThat(now).containsEntry("regionserver", "mirror/hbase:2");
                }
                return now.values().stream().allMatch("mirror/hbase:2"::equals);
              });
      hb.awaitReady();
      assertThat(hb.hbase().lost()).isEmpty();
    }
  }

  private void assertUnchanged(String pod, String uid) {
    if (HBASE.stream().noneMatch(pod::contains)) {
      assertThat(uids()).containsEntry(pod, uid);
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

  private Map<String, String> templates() {
    return client.apps().statefulSets().inNamespace(namespace).list().getItems().stream()
        .collect(
            Collectors.toMap(
                KeptImagesIT::component, it -> image(it.getSpec().getTemplate().getSpec())));
  }

  private static Map<String, String> withoutHBase(Map<String, String> byComponent) {
    var others = new TreeMap<>(byComponent);
    others.keySet().removeAll(HBASE);
    return others;
  }

  private static String image(Pod pod) {
    return image(pod.getSpec());
  }

  private static String image(PodSpec spec) {
    return spec.getContainers().get(0).getImage();
  }

  private static String component(HasMetadata object) {
    return object.getMetadata().getLabels().get("app.kubernetes.io/component");
  }
}
