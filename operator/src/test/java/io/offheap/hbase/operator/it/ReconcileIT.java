package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** The operator against a real API server; pods are simulated, everything else is real. */
@ExtendWith(ApiServer.class)
@Isolated("a second is little on a busy machine")
class ReconcileIT {
  private static final Duration PUT_BACK = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  private ApiServer.Running server;
  private KubernetesClient client;
  private String namespace;
  private OperatorUnderTest operator;
  private StatefulSetSimulator simulator;

  @BeforeEach
  void start(ApiServer.Running running, TestInfo test) throws Exception {
    server = running;
    client = running.client();
    var method = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
    namespace = method.substring(0, Math.min(40, method.length()));
    server.createNamespace(namespace);
    simulator = new StatefulSetSimulator(client, namespace);
    operator = OperatorUnderTest.start(server, namespace);
  }

  @AfterEach
  void stop() {
    operator.close();
    simulator.close();
  }

  @Test
  void smallestResourceBecomesReadyWithAboutOneWriteAnObject() {
    create(Clusters.smallest(namespace, "hb"));

    awaitReady("hb");

    var objects = owned();
    assertThat(objects)
        .extracting(it -> it.getKind() + " " + it.getMetadata().getName())
        .contains(
            "StatefulSet hb-zookeeper",
            "StatefulSet hb-namenode",
            "StatefulSet hb-datanode",
            "StatefulSet hb-master",
            "StatefulSet hb-regionserver",
            "Service hb-regionserver",
            "PodDisruptionBudget hb-master",
            "ConfigMap hb-client",
            "ConfigMap hb-regionserver-online")
        .hasSize(5 + 5 + 5 + 7);
    assertThat(objects)
        .allSatisfy(
            it ->
                assertThat(it.getMetadata().getOwnerReferences().get(0).getName()).isEqualTo("hb"));
    var writes = server.auditLog().writesIn(namespace);
    var byObject =
        writes.stream().filter(write -> !write.resource().equals("hbaseclusters")).toList();
    assertThat(byObject).doesNotHaveDuplicates().hasSize(objects.size());
  }

  @Test
  void passOverUnchangedClusterWritesNothing() {
    create(Clusters.smallest(namespace, "hb"));
    awaitReady("hb");
    awaitQuiet();
    int before = server.auditLog().writesIn(namespace).size();
    double passes = passes();

    // An annotation of somebody else's wakes the operator, and concerns it in nothing.
    for (int i = 0; i < 10; i++) {
      var value = Integer.toString(i);
      client
          .apps()
          .statefulSets()
          .inNamespace(namespace)
          .withName("hb-regionserver")
          .edit(
              it -> {
                it.getMetadata().getAnnotations().put("example.com/touched", value);
                return it;
              });
    }
    await("passes over the touched objects").atMost(LONG).until(() -> passes() > passes);

    awaitQuiet();
    assertThat(server.auditLog().writesIn(namespace)).hasSize(before);
  }

  @Test
  void restartOfTheOperatorWritesNothing() throws Exception {
    create(Clusters.smallest(namespace, "one"));
    create(Clusters.smallest(namespace, "two"));
    awaitReady("one");
    awaitReady("two");
    awaitQuiet();
    operator.close();
    // A pass that it cuts off may still ask for what there is, and is refused.
    int before = server.auditLog().writesIn(namespace).size();
    operator = OperatorUnderTest.start(server, namespace);

    await("a pass over both clusters").atMost(LONG).until(() -> passes() >= 2);
    awaitQuiet();
    assertThat(server.auditLog().writesIn(namespace)).hasSize(before);
  }

  @Test
  void whatIsDeletedOrChangedByHandIsPutBackWithinASecond() {
    create(Clusters.smallest(namespace, "hb"));
    awaitReady("hb");
    awaitQuiet();

    var configMap = configMapOf("hb-regionserver");
    for (HasMetadata object :
        List.of(
            client.configMaps().inNamespace(namespace).withName(configMap).get(),
            client.services().inNamespace(namespace).withName("hb-master").get(),
            client.apps().statefulSets().inNamespace(namespace).withName("hb-regionserver").get(),
            client
                .policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .withName("hb-regionserver")
                .get())) {
      var uid = object.getMetadata().getUid();
      client.resource(object).delete();
      await(object.getKind() + " put back")
          .atMost(PUT_BACK)
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                var again = client.resource(object).get();
                return again != null && !again.getMetadata().getUid().equals(uid);
              });
    }

    var set = client.apps().statefulSets().inNamespace(namespace).withName("hb-regionserver");
    var image = set.get().getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
    Clusters.edit(
        set, it -> it.getSpec().getTemplate().getSpec().getContainers().get(0).setImage("other:1"));
    await("image put back")
        .atMost(PUT_BACK)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                set.get()
                    .getSpec()
                    .getTemplate()
                    .getSpec()
                    .getContainers()
                    .get(0)
                    .getImage()
                    .equals(image));
    // It would make the pods, and what exists is held until it is emptied.
    simulator.close();
    set.scale(7);
    await("scale put back")
        .atMost(PUT_BACK)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> set.get().getSpec().getReplicas() == 3);
  }

  @Test
  void clustersOfTheSameNameLiveSideBySide() throws Exception {
    var other = namespace + "-other";
    server.createNamespace(other);
    create(Clusters.smallest(namespace, "hb"));
    awaitReady("hb");
    try (var otherSimulator = new StatefulSetSimulator(client, other);
        var second = OperatorUnderTest.start(server, other)) {
      create(Clusters.smallest(other, "hb"));
      await("second cluster")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(Clusters.condition(Clusters.get(client, other, "hb"), "Ready"))
                      .hasValueSatisfying(it -> assertThat(it).startsWith("True")));
      var sites =
          Stream.of(namespace, other)
              .map(it -> client.configMaps().inNamespace(it).withName("hb-client").get().getData())
              .toList();
      assertThat(sites.get(0)).isNotEqualTo(sites.get(1));
      client.resources(HBaseCluster.class).inNamespace(other).withName("hb").delete();
    }
    assertThat(Clusters.condition(Clusters.get(client, namespace, "hb"), "Ready"))
        .hasValueSatisfying(it -> assertThat(it).startsWith("True"));
  }

  @Test
  void changedSizesReachRegionServersOneAtATime() {
    create(Clusters.smallest(namespace, "hb"));
    awaitReady("hb");
    var oldHash = Clusters.get(client, namespace, "hb").getStatus().memoryPlan().hash();
    var oldConfigMap = configMapOf("hb-regionserver");
    assertThat(simulator.planHashes("hb")).containsOnly(oldHash).hasSize(3);

    // A restarted server does not serve yet: the others must wait for it.
    simulator.letBecomeReady(pod -> false);
    edit(
        "hb",
        "  regionServers:\n    memory: {heap: 1Gi",
        "  rollout: {canary: {enabled: false}}\n  regionServers:\n    memory: {heap: 2Gi");
    await("first restart").atMost(LONG).until(() -> restarted(oldHash) == 1);
    awaitQuiet();
    assertThat(restarted(oldHash)).isEqualTo(1);
    assertThat(client.configMaps().inNamespace(namespace).withName(oldConfigMap).get())
        .as("the configuration of the pods that are not restarted yet")
        .isNotNull();
    assertThat(Clusters.condition(Clusters.get(client, namespace, "hb"), "Progressing"))
        .hasValueSatisfying(
            it -> assertThat(it).startsWith("True Restarting").contains("hb-regionserver-2"));

    simulator.letBecomeReady(pod -> true);
    awaitReady("hb");
    await("all restarted").atMost(LONG).until(() -> restarted(oldHash) == 3);
    await("old configuration gone")
        .atMost(LONG)
        .until(
            () -> client.configMaps().inNamespace(namespace).withName(oldConfigMap).get() == null);
  }

  @Test
  void impossiblePlanChangesNothingThatRunsAndTheLastGoodOneIsStillLookedAfter() {
    create(Clusters.smallest(namespace, "hb"));
    awaitReady("hb");
    awaitQuiet();
    var good = Clusters.get(client, namespace, "hb").getStatus().memoryPlan();
    var configMap = configMapOf("hb-regionserver");
    Set<String> versions = versions();

    edit("hb", "offHeap: 512Mi", "offHeap: 64Mi");

    await("refusal")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(Clusters.condition(Clusters.get(client, namespace, "hb"), "Planned"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("False PlanRefused")
                                .contains("spec.regionServers.memory.offHeap")
                                .contains("64Mi")
                                .contains("is right")));
    awaitQuiet();
    assertThat(versions()).as("objects and their versions").isEqualTo(versions);
    assertThat(Clusters.get(client, namespace, "hb").getStatus().memoryPlan()).isEqualTo(good);

    client.configMaps().inNamespace(namespace).withName(configMap).delete();
    await("configuration put back from the last good plan")
        .atMost(PUT_BACK)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> client.configMaps().inNamespace(namespace).withName(configMap).get() != null);
  }

  private void edit(String name, String from, String to) {
    Clusters.declare(client, namespace, name, Clusters.SMALLEST.replace(from, to));
  }

  private long restarted(String oldHash) {
    return simulator.planHashes("hb").stream().filter(hash -> !hash.equals(oldHash)).count();
  }

  /** The operator's own comes first. */
  private String configMapOf(String statefulSet) {
    return Clusters.configMapsOf(client, namespace, statefulSet).get(0);
  }

  private void create(HBaseCluster cluster) {
    client.resource(cluster).create();
  }

  private void awaitReady(String name) {
    Clusters.awaitReady(client, namespace, name);
  }

  private void awaitQuiet() {
    server.auditLog().awaitQuiet(namespace);
  }

  private double passes() {
    return operator.passes("success");
  }

  private List<HasMetadata> owned() {
    return Clusters.owned(client, namespace);
  }

  private Set<String> versions() {
    return Clusters.versions(client, namespace);
  }
}
