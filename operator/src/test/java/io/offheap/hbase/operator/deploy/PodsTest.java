package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Declarations;
import io.offheap.hbase.operator.declare.Live;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What Kubernetes may do to pods. */
class PodsTest {
  private final ClusterModel model = model();

  /** A log that takes longer would be read from its start again, for ever. */
  @Test
  void noProbeEndsAReplay() {
    assertThat(model.roles())
        .filteredOn(it -> it.role() != Role.REGIONSERVER)
        .hasSize(4)
        .allSatisfy(it -> assertThat(startTime(it)).isEqualTo(Duration.ofDays(7)));
    assertThat(startTime(model.regionServers().get(0))).isEqualTo(Duration.ofMinutes(15));
  }

  /** Else a pod that never becomes ready keeps its node from being drained. */
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
    var cluster =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: demo, namespace: test, generation: 1}
            spec:
              zookeeper: {managed: {}}
              storage: {managedHdfs: {}}
              regionServers: {memory: {heap: 8Gi, offHeap: 4Gi}}
            """,
            HBaseCluster.class);
    var plans = (ClusterPlan.Planned) Declarations.plans(cluster, Live.NOTHING);
    return ClusterModel.of(
        cluster,
        plans.groups().stream().map(it -> new GroupModel(it, "hbase:1", "declared", 3)).toList(),
        ClusterModel.Image.of(null, "hbase:1"),
        "hbase:1");
  }
}
