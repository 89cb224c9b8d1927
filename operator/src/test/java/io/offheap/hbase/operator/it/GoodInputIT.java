package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Valid resources, and the output and effect of kubectl's commands. */
@ExtendWith(ApiServer.class)
class GoodInputIT {
  /** The example with most of the fields of a pod template. */
  private static final Path POD_TEMPLATES = Path.of("..", "examples", "pod-templates.yaml");

  private static final Path FOLDER = Path.of("src", "test", "resources", "valid");
  private static final String NAMESPACE = "good-input";

  private static KubernetesClient client;
  private static Tool kubectl;
  private static OperatorUnderTest operator;
  private static StatefulSetSimulator simulator;

  @BeforeAll
  static void start(ApiServer.Running server) throws IOException {
    client = server.client();
    kubectl = Tool.kubectl(server);
    server.createNamespace(NAMESPACE);
    simulator = new StatefulSetSimulator(client, NAMESPACE);
    operator = OperatorUnderTest.start(server, NAMESPACE);
  }

  @AfterAll
  static void stop() {
    operator.close();
    simulator.close();
  }

  static List<String> becomesReady() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return Stream.concat(Stream.of(POD_TEMPLATES), files)
          .map(it -> it.getFileName().toString().replace(".yaml", ""))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource
  void becomesReady(String name) throws IOException {
    apply(name);

    Clusters.awaitReady(client, NAMESPACE, name);

    assertThat(Clusters.condition(Clusters.get(client, NAMESPACE, name), "Planned"))
        .hasValueSatisfying(it -> assertThat(it).startsWith("True Planned: plan "));
  }

  @Test
  void usesExternalHdfsAndZooKeeper() throws IOException {
    var name = "external-hdfs-and-zookeeper";
    apply(name);
    Clusters.awaitReady(client, NAMESPACE, name);

    assertThat(Clusters.owned(client, NAMESPACE))
        .filteredOn(it -> it.getKind().equals("StatefulSet"))
        .extracting(it -> it.getMetadata().getName())
        .filteredOn(it -> it.startsWith(name))
        .containsExactlyInAnyOrder(name + "-master", name + "-regionserver");
    for (String role : List.of("master", "regionserver")) {
      var pod = client.pods().inNamespace(NAMESPACE).withName(name + "-" + role + "-0").get();
      assertThat(pod.getSpec().getVolumes().get(0).getProjected().getSources())
          .as("the operator's files and those of that HDFS, in one folder")
          .extracting(it -> it.getConfigMap().getName())
          // Region servers have the online values in a file of their own.
          .hasSize(role.equals("master") ? 2 : 3)
          .contains("hdfs-site");
    }
    assertThat(
            client.configMaps().inNamespace(NAMESPACE).withName(name + "-client").get().getData())
        .hasEntrySatisfying(
            "hbase-site.xml",
            it ->
                assertThat(it)
                    .contains("zk-0.zk:2181,zk-1.zk:2181,zk-2.zk:2181")
                    .contains("/hbase-prod"));
  }

  @Test
  void kubectlShowsColumns() throws IOException {
    var name = "block-cache-on-the-heap";
    apply(name);
    Clusters.awaitReady(client, NAMESPACE, name);
    var plan = Clusters.get(client, NAMESPACE, name).getStatus().memoryPlan().hash();

    var lines =
        kubectl.run("get", "hbc", name, "--namespace", NAMESPACE).orThrow().lines().toList();

    assertThat(lines.get(0).split(" +"))
        .containsExactly(
            "NAME",
            "READY",
            "DESIRED",
            "STATUS",
            "PROGRESS",
            "TUNING",
            "PLAN",
            "HEAP",
            "OFF-HEAP",
            "AGE");
    assertThat(lines.get(1).split(" +"))
        .contains(name, "3", plan, "8g", "512m", "AllServing", "Watching");
  }

  @Test
  void kubectlScalesRegionServers() throws IOException {
    var name = "no-block-cache";
    apply(name);
    Clusters.awaitReady(client, NAMESPACE, name);

    kubectl.run("scale", "hbc", name, "--replicas=5", "--namespace", NAMESPACE).orThrow();

    await("two more region servers")
        .atMost(LONG)
        .untilAsserted(
            () -> {
              HBaseCluster cluster = Clusters.get(client, NAMESPACE, name);
              assertThat(cluster.getStatus().readyServers()).isEqualTo(5);
              assertThat(cluster.getStatus().replicas()).isEqualTo(5);
            });
    assertThat(
            client
                .pods()
                .inNamespace(NAMESPACE)
                .withLabelSelector(Clusters.get(client, NAMESPACE, name).getStatus().selector())
                .list()
                .getItems())
        .as("the pods that an autoscaler counts")
        .extracting(HasMetadata::getKind)
        .hasSize(5);
  }

  private static void apply(String name) throws IOException {
    var file =
        POD_TEMPLATES.endsWith(name + ".yaml") ? POD_TEMPLATES : FOLDER.resolve(name + ".yaml");
    kubectl.run("apply", "--namespace", NAMESPACE, "--filename", file.toString()).orThrow();
  }
}
