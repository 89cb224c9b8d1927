package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Groups of region servers on a real API server; their pods are made by a stand-in. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class GroupsIT {
  private static final Duration LONG = Duration.ofSeconds(90);

  private static final String TWO_GROUPS =
      Clusters.SMALLEST
          + """
          rollout: {canary: {enabled: false}}
          regionServerGroups:
            - {name: archive, replicas: 2, memory: {heap: 2Gi, offHeap: 1Gi}, disk: HDD}
            - name: cold
              replicas: 1
              blockCache: {mode: File, file: {path: /ssd, storage: {size: 10Gi, storageClass: ssd}}}
        """;

  private String namespace;
  private ApiServer.Running server;
  private KubernetesClient client;
  private OperatorUnderTest operator;
  private StatefulSetSimulator simulator;

  @BeforeEach
  void start(ApiServer.Running running, TestInfo test) throws Exception {
    server = running;
    client = server.client();
    namespace =
        "groups-"
            + test.getTestMethod()
                .orElseThrow()
                .getName()
                .toLowerCase(Locale.ROOT)
                .substring(0, 12);
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
  void eachGroupHasItsOwnPodsPlanAndVolumeAndTheyShareADisruptionBudget() {
    client.resource(Clusters.parse(TWO_GROUPS, namespace, "hb")).create();
    Clusters.awaitReady(client, namespace, "hb");

    var status = Clusters.get(client, namespace, "hb").getStatus();
    assertThat(status.readyRegionServers()).isEqualTo("6/6");
    assertThat(status.replicas()).as("what the scale subresource speaks of").isEqualTo(3);
    assertThat(status.groups())
        .extracting(it -> it.name() + " " + it.ready())
        .containsExactly("archive 2/2", "cold 1/1");
    assertThat(status.groups().get(0).memoryPlan().hash()).isNotEqualTo(status.memoryPlan().hash());
    assertThat(status.regionServers())
        .extracting(it -> it.pod())
        .containsExactly(
            "hb-regionserver-0",
            "hb-regionserver-1",
            "hb-regionserver-2",
            "hb-regionserver-archive-0",
            "hb-regionserver-archive-1",
            "hb-regionserver-cold-0");
    assertThat(objects("PodDisruptionBudget"))
        .filteredOn(it -> it.contains("regionserver"))
        .containsExactly("hb-regionserver");
    assertThat(objects("Service"))
        .contains("hb-regionserver", "hb-regionserver-archive", "hb-regionserver-cold");
    assertVolume();
  }

  private void assertVolume() {
    var cold = set("hb-regionserver-cold").getSpec();
    assertThat(cold.getVolumeClaimTemplates())
        .singleElement()
        .satisfies(
            claim -> {
              assertThat(claim.getMetadata().getName()).isEqualTo("cache");
              assertThat(claim.getSpec().getStorageClassName()).isEqualTo("ssd");
            });
    assertThat(cold.getTemplate().getSpec().getContainers().get(0).getVolumeMounts())
        .anyMatch(it -> it.getName().equals("cache") && it.getMountPath().equals("/ssd"));
    assertThat(set("hb-regionserver").getSpec().getVolumeClaimTemplates()).isEmpty();
  }

  @Test
  void aGroupThatIsLeftOutGoesAndTheOthersStayAsTheyAre() {
    client.resource(Clusters.parse(TWO_GROUPS, namespace, "hb")).create();
    Clusters.awaitReady(client, namespace, "hb");
    var uid = pod("hb-regionserver-0");

    apply(Clusters.SMALLEST);

    await("no further group")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(objects("StatefulSet"))
                    .contains("hb-regionserver")
                    .noneMatch(it -> it.startsWith("hb-regionserver-")));
    assertThat(pod("hb-regionserver-0")).isEqualTo(uid);
  }

  @Test
  void onlyOneServerOfAllGroupsIsRestartedAtATime() {
    client.resource(Clusters.parse(TWO_GROUPS, namespace, "hb")).create();
    Clusters.awaitReady(client, namespace, "hb");
    var uids = uids();
    simulator.letBecomeReady(pod -> false);

    // Both the default group and the one that takes its blocks from it get another plan.
    apply(TWO_GROUPS.replace("regionServers:\n", "regionServers:\n    handlers: 40\n"));

    await("first restart").atMost(LONG).until(() -> !uids().equals(uids));
    server.auditLog().awaitQuiet(namespace);
    var after = uids();
    assertThat(after).hasSameSizeAs(uids);
    assertThat(after.stream().filter(it -> !uids.contains(it))).hasSize(1);
    simulator.letBecomeReady(pod -> true);
    // Six servers, each emptied and filled again.
    await("all restarted")
        .atMost(LONG.multipliedBy(2))
        .until(() -> uids().stream().noneMatch(uids::contains));
  }

  @Test
  void aVolumeOfAGroupThatExistsIsNotChangedAndTheGroupIsNamed() {
    client.resource(Clusters.parse(TWO_GROUPS, namespace, "hb")).create();
    Clusters.awaitReady(client, namespace, "hb");
    var before = uids();

    apply(TWO_GROUPS.replace("size: 10Gi", "size: 20Gi"));

    await("refusal")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(Clusters.condition(Clusters.get(client, namespace, "hb"), "Planned"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("False SpecRefused")
                                .contains("spec.regionServerGroups[cold].blockCache.file.storage")
                                .contains("is right")));
    assertThat(uids()).isEqualTo(before);
  }

  private void apply(String yaml) {
    Clusters.declare(client, namespace, "hb", yaml);
  }

  private StatefulSet set(String name) {
    return client.apps().statefulSets().inNamespace(namespace).withName(name).get();
  }

  private String pod(String name) {
    return client.pods().inNamespace(namespace).withName(name).get().getMetadata().getUid();
  }

  private List<String> uids() {
    return client
        .pods()
        .inNamespace(namespace)
        .withLabel("app.kubernetes.io/component", "regionserver")
        .list()
        .getItems()
        .stream()
        .map(it -> it.getMetadata().getUid())
        .sorted()
        .toList();
  }

  private List<String> objects(String kind) {
    return Clusters.owned(client, namespace).stream()
        .filter(it -> it.getKind().equals(kind))
        .map(HasMetadata::getMetadata)
        .map(it -> it.getName())
        .toList();
  }
}
