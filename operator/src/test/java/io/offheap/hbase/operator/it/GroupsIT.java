package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Groups of region servers on a real API server, with simulated pods. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class GroupsIT {
  private static final String TWO_GROUPS =
      Clusters.SMALLEST
          + """
            rollout: {canary: {enabled: false}}
            regionServerGroups:
              - {name: archive, replicas: 2, memory: {heap: 2Gi, offHeap: 1Gi}, disk: HDD}
              - name: cold
                replicas: 1
                blockCache: {mode: File, file: {path: /ssd, storage: {size: 10Gi, storageClassName: ssd}}}
          """;

  private KubernetesClient client;
  private String namespace;
  private WatchedNamespace hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = WatchedNamespace.start(server, test);
    client = hb.client();
    namespace = hb.name();
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void eachGroupHasItsOwnPodsPlanAndVolumeAndTheyShareADisruptionBudget() {
    hb.createReady("hb", TWO_GROUPS);

    var status = hb.get("hb").getStatus();
    assertThat(status.readyServers()).isEqualTo(6);
    assertThat(status.replicas()).as("replicas of the scale subresource").isEqualTo(3);
    assertThat(status.groups())
        .extracting(it -> it.name() + " " + it.readyServers() + "/" + it.desiredServers())
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
  void deletesRemovedGroupAndKeepsOthers() {
    hb.createReady("hb", TWO_GROUPS);
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
    hb.createReady("hb", TWO_GROUPS);
    var uids = uids();
    hb.simulator().letBecomeReady(pod -> false);

    // The default group and the group that inherits its blocks get another plan.
    apply(TWO_GROUPS.replace("regionServers:\n", "regionServers:\n    handlers: 40\n"));

    await("first restart").atMost(LONG).until(() -> !uids().equals(uids));
    hb.awaitQuiet();
    var after = uids();
    assertThat(after).hasSameSizeAs(uids);
    assertThat(after.stream().filter(it -> !uids.contains(it))).hasSize(1);
    hb.simulator().letBecomeReady(pod -> true);
    // Six servers, each drained and filled again.
    await("all restarted")
        .atMost(LONG.multipliedBy(2))
        .until(() -> uids().stream().noneMatch(uids::contains));
  }

  @Test
  void refusesChangedVolumeOfExistingGroup() {
    hb.createReady("hb", TWO_GROUPS);
    var before = uids();

    apply(TWO_GROUPS.replace("size: 10Gi", "size: 20Gi"));

    await("refusal")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Planned"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("False SpecRefused")
                                .contains("spec.regionServerGroups[cold].blockCache.file.storage")
                                .contains("must be")));
    assertThat(uids()).isEqualTo(before);
  }

  private void apply(String yaml) {
    hb.declare("hb", yaml);
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
