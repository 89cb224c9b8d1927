package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Probes, resources and disruption budgets of pods. */
class PodsTest {
  private static final long GIB = 1L << 30;

  private final ClusterModel model = model();

  /** The replay of a longer log would begin anew, for ever. */
  @Test
  void startupProbePermitsLongReplay() {
    assertThat(model.roles())
        .filteredOn(it -> it.role() != Role.REGIONSERVER)
        .hasSize(4)
        .allSatisfy(it -> assertThat(startTime(it)).isEqualTo(Duration.ofDays(7)));
    assertThat(startTime(model.regionServers().get(0))).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void nameNodeHasCheckpointContainer() {
    var nameNode = containers(Role.NAMENODE);
    assertThat(nameNode).extracting(Container::getName).containsExactly("namenode", "checkpoint");
    var checkpoint = nameNode.get(1);
    assertThat(checkpoint.getImage()).isEqualTo(nameNode.get(0).getImage());
    assertThat(checkpoint.getSecurityContext()).isEqualTo(nameNode.get(0).getSecurityContext());
    var memory = nameNode.get(0).getResources().getLimits().get("memory");
    assertThat(checkpoint.getResources().getLimits()).containsExactly(entry("memory", memory));
    assertThat(checkpoint.getResources().getRequests()).containsEntry("memory", memory);
    // It must not affect the name node's readiness.
    assertThat(checkpoint.getReadinessProbe()).isNull();
    assertThat(checkpoint.getLivenessProbe()).isNull();
    assertThat(checkpoint.getVolumeMounts())
        .extracting(VolumeMount::getName)
        .containsExactly("config", "checkpoint");
    assertThat(containers(Role.DATANODE)).hasSize(1);
  }

  @Test
  void serversOnExternalRootNameTheirCluster() {
    var external =
        model(
            """
            external: {rootDir: "hdfs://there:8020/hbase", configMapRefs: [{name: there}]}
            """);

    assertThat(external.roles())
        .filteredOn(it -> it.role().isHBase())
        .hasSize(2)
        .allSatisfy(
            it ->
                assertThat(PodTemplates.of(external, it).getSpec().getContainers().get(0).getEnv())
                    .contains(new EnvVar("HBASE_CLUSTER", "test/demo", null)));
    assertThat(containers(Role.MASTER).get(0).getEnv())
        .extracting(EnvVar::getName)
        .doesNotContain("HBASE_CLUSTER");
  }

  private List<Container> containers(Role role) {
    var pods = model.roles().stream().filter(it -> it.role() == role).findFirst().orElseThrow();
    return PodTemplates.of(model, pods).getSpec().getContainers();
  }

  /**
   * A pod over the limit is evicted, so it has room for all files of its JVM: JFR's files and a
   * heap dump.
   */
  @Test
  void scratchIsLimitedAndHoldsHeapDump() {
    assertThat(model.roles())
        .hasSize(5)
        .allSatisfy(
            it ->
                assertThat(scratch(model, it, "tmp"))
                    .isEqualTo(GIB + it.heapBytes())
                    .isLessThan(GIB + it.memoryBytes()));
    assertThat(scratch(model, role(Role.REGIONSERVER), "tmp")).isEqualTo(9 * GIB);
    var nameNode = role(Role.NAMENODE);
    long volume = Quantity.getAmountInBytes(nameNode.volume().orElseThrow().size()).longValue();
    assertThat(scratch(model, nameNode, "checkpoint"))
        .isEqualTo(2 * volume + scratch(model, nameNode, "tmp"));
  }

  @Test
  void moreEphemeralStorageEnlargesScratch() {
    for (var declared : Map.of("64Gi", 64 * GIB, "1Gi", 9 * GIB).entrySet()) {
      var other =
          model(
              "managed: {}",
              "resources: {limits: {ephemeral-storage: %s}}".formatted(declared.getKey()));

      assertThat(scratch(other, other.regionServers().get(0), "tmp"))
          .isEqualTo(declared.getValue());
    }
  }

  private static long scratch(ClusterModel of, RoleModel role, String volume) {
    return PodTemplates.of(of, role).getSpec().getVolumes().stream()
        .filter(it -> it.getName().equals(volume))
        .map(it -> Quantity.getAmountInBytes(it.getEmptyDir().getSizeLimit()).longValue())
        .findFirst()
        .orElseThrow();
  }

  private RoleModel role(Role role) {
    return model.roles().stream().filter(it -> it.role() == role).findFirst().orElseThrow();
  }

  /** Otherwise a pod that never becomes ready would block its node's drain. */
  @Test
  void podThatIsNotReadyMayBeEvicted() {
    assertThat(new PodDisruptionBudgets().desired(model))
        .hasSize(5)
        .allSatisfy(
            it ->
                assertThat(it.getSpec().getUnhealthyPodEvictionPolicy()).isEqualTo("AlwaysAllow"));
  }

  private Duration startTime(RoleModel role) {
    Probe probe = PodTemplates.of(model, role).getSpec().getContainers().get(0).getStartupProbe();
    return Duration.ofSeconds((long) probe.getPeriodSeconds() * probe.getFailureThreshold());
  }

  private static ClusterModel model() {
    return model("managed: {}");
  }

  private static ClusterModel model(String storage) {
    return model(storage, "");
  }

  private static ClusterModel model(String storage, String servers) {
    var cluster =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: demo, namespace: test, generation: 1}
            spec:
              zookeeper: {managed: {}}
              regionServers:
                memory: {heap: 8Gi, offHeap: 4Gi}
                %s
              storage:
                %s
            """
                .formatted(servers, storage.strip()),
            HBaseCluster.class);
    var plans = (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
    return ClusterModel.of(
        cluster,
        plans.groups().stream().map(it -> new GroupModel(it, "hbase:1", "declared", 3)).toList(),
        ClusterModel.Image.of(null, "hbase:1"),
        role -> "hbase:1");
  }
}
