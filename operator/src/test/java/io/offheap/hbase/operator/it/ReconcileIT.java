package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The operator against a real API server; pods are simulated, everything else is real. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class ReconcileIT {
  private ApiServer.Running server;
  private KubernetesClient client;
  private String namespace;
  private WatchedNamespace hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    this.server = server;
    hb = WatchedNamespace.start(server, test);
    client = hb.client();
    namespace = hb.name();
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void smallestResourceNeedsAboutOneWriteAnObject() {
    hb.createReady("hb", Clusters.SMALLEST);

    var objects = Clusters.owned(client, namespace);
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
            "NetworkPolicy hb-datanode",
            "ConfigMap hb-client",
            "ConfigMap hb-regionserver-online",
            "ConfigMap hb-plan")
        .hasSize(5 + 5 + 5 + 5 + 8);
    assertThat(objects)
        .allSatisfy(
            it ->
                assertThat(it.getMetadata().getOwnerReferences().get(0).getName()).isEqualTo("hb"));
    var writes = hb.writes();
    var byObject =
        writes.stream()
            .filter(write -> !write.resource().equals("hbaseclusters"))
            .filter(write -> !write.name().equals("hb-remembered"))
            .toList();
    assertThat(byObject).doesNotHaveDuplicates().hasSize(objects.size());
    assertThat(writes)
        .as("the remembered map is written only when it changes")
        .filteredOn(write -> write.name().equals("hb-remembered"))
        .hasSizeBetween(1, 3);
  }

  @Test
  void reconciliationOfUnchangedClusterWritesNothing() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();
    int before = hb.writes().size();
    double passes = hb.operator().passes("success");

    // A foreign annotation triggers a reconciliation, which has nothing to do.
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
    await("reconciliations of the changed objects")
        .atMost(LONG)
        .until(() -> hb.operator().passes("success") > passes);

    hb.awaitQuiet();
    assertThat(hb.writes()).hasSize(before);
  }

  @Test
  void restartOfTheOperatorWritesNothing() throws Exception {
    hb.create("one", Clusters.SMALLEST);
    hb.create("two", Clusters.SMALLEST);
    hb.awaitWritten("one");
    hb.awaitWritten("two");
    hb.awaitQuiet();
    hb.stopOperator();
    // A reconciliation that is cut off may still send reads, which are refused.
    int before = hb.writes().size();
    hb.startOperator();

    await("a reconciliation of both clusters")
        .atMost(LONG)
        .until(() -> hb.operator().passes("success") >= 2);
    hb.awaitQuiet();
    assertThat(hb.writes()).hasSize(before);
  }

  @Test
  void declaredWorkingSetIsComparedWithTheModeOfTheCache() {
    hb.createReady(
        "hb",
        Clusters.SMALLEST.replace("{heap: 1Gi, offHeap: 512Mi}", "{limit: 2Gi, workingSet: 64Mi}"));

    await("servers that run the plan")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "CacheModeFits"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith(
                                    "True ModeFits: OffHeap, as declared: it finds 100 % of")));
    hb.awaitQuiet();
  }

  @Test
  void clustersOfSameNameInTwoNamespaces() throws Exception {
    var other = namespace + "-other";
    server.createNamespace(other);
    hb.createReady("hb", Clusters.SMALLEST);
    try (var otherSimulator = new StatefulSetSimulator(client, other);
        var second = OperatorUnderTest.start(server, other)) {
      client.resource(Clusters.smallest(other, "hb")).create();
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
    assertThat(hb.condition("hb", "Ready"))
        .hasValueSatisfying(it -> assertThat(it).startsWith("True"));
  }

  @Test
  void changedSizesReachRegionServersOneAtATime() {
    hb.createReady("hb", Clusters.SMALLEST);
    var oldHash = hb.get("hb").getStatus().memoryPlan().hash();
    var oldConfigMap = hb.configMapOf("hb-regionserver");
    assertThat(hb.simulator().planHashes("hb")).containsOnly(oldHash).hasSize(3);

    // A restarted server does not serve yet: the others must wait for it.
    hb.simulator().letBecomeReady(pod -> false);
    edit(
        "  regionServers:\n    memory: {heap: 1Gi",
        "  rollout: {canary: {enabled: false}}\n  regionServers:\n    memory: {heap: 2Gi");
    await("first restart").atMost(LONG).until(() -> restarted(oldHash) == 1);
    hb.awaitQuiet();
    assertThat(restarted(oldHash)).isEqualTo(1);
    assertThat(client.configMaps().inNamespace(namespace).withName(oldConfigMap).get())
        .as("the configuration of the pods that are not restarted yet")
        .isNotNull();
    assertThat(hb.condition("hb", "Progressing"))
        .hasValueSatisfying(
            it -> assertThat(it).startsWith("True Restarting").contains("hb-regionserver-2"));

    hb.simulator().letBecomeReady(pod -> true);
    hb.awaitReady("hb");
    await("all restarted").atMost(LONG).until(() -> restarted(oldHash) == 3);
    await("old configuration deleted")
        .atMost(LONG)
        .until(
            () -> client.configMaps().inNamespace(namespace).withName(oldConfigMap).get() == null);
  }

  private void edit(String from, String to) {
    hb.declare("hb", Clusters.SMALLEST.replace(from, to));
  }

  private long restarted(String oldHash) {
    return hb.simulator().planHashes("hb").stream().filter(hash -> !hash.equals(oldHash)).count();
  }
}
