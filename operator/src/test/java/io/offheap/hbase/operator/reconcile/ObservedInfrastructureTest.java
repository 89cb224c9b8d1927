package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.observe.ObservedHBase;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.observe.ObservedInfrastructure;
import io.offheap.hbase.operator.status.FittedPlans;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When ZooKeeper and HDFS serve, though not in all their pods. */
class ObservedInfrastructureTest {
  private static final String MANAGED =
      """
      zookeeper: {managed: {replicas: 3}}
      storage: {managed: {dataNodes: %d, replication: %d}}
      """;

  @ParameterizedTest
  @CsvSource({
    "3, 1, 4, 3, true, all",
    "2, 1, 4, 3, true, a quorum",
    "1, 1, 4, 3, false, no quorum",
    "3, 0, 4, 3, false, no name node",
    "3, 1, 3, 3, true, one of four data nodes is lost",
    "3, 1, 2, 3, true, a block has a third copy",
    "3, 1, 1, 3, false, blocks may have lost all their copies",
    "3, 1, 3, 1, false, each block has one copy",
    "3, 1, 0, 4, false, no data node"
  })
  void servesWhileEnoughPodsDo(
      int zookeepers, int nameNodes, int dataNodes, int copies, boolean doesServe, String why) {
    var observed =
        observed(
            MANAGED.formatted(4, copies),
            Map.of(Role.ZOOKEEPER, zookeepers, Role.NAMENODE, nameNodes, Role.DATANODE, dataNodes));

    assertThat(observed.doesServe()).as(why).isEqualTo(doesServe);
    assertThat(observed.isReady()).isEqualTo(zookeepers + nameNodes + dataNodes == 8);
    // Also where blocks have lost all their copies: the data nodes that are lost may never return.
    assertThat(observed.letsStart())
        .as("a region server can start")
        .isEqualTo(zookeepers >= 2 && nameNodes == 1 && dataNodes > 0);
  }

  @Test
  void oneServerOfEachIsNeeded() {
    var managed = MANAGED.replace("replicas: 3", "replicas: 1").formatted(1, 1);

    assertThat(
            observed(managed, Map.of(Role.ZOOKEEPER, 1, Role.NAMENODE, 1, Role.DATANODE, 1))
                .doesServe())
        .isTrue();
    assertThat(
            observed(managed, Map.of(Role.ZOOKEEPER, 0, Role.NAMENODE, 1, Role.DATANODE, 1))
                .doesServe())
        .isFalse();
    assertThat(
            observed(managed, Map.of(Role.ZOOKEEPER, 1, Role.NAMENODE, 1, Role.DATANODE, 0))
                .doesServe())
        .isFalse();
  }

  @Test
  void externalOnesServe() {
    var external =
        """
        zookeeper: {external: {quorum: "zk:2181"}}
        storage: {external: {rootDir: "hdfs://nn:8020/hbase"}}
        """;

    assertThat(observed(external, Map.of()).doesServe()).isTrue();
    assertThat(observed(external, Map.of()).isReady()).isTrue();
    assertThat(observed(external, Map.of()).letsStart()).isTrue();
  }

  /** Of each role the pods that serve, and one that does not. */
  private static ObservedInfrastructure observed(String spec, Map<Role, Integer> serving) {
    var model = model(spec);
    var pods =
        model.roles().stream()
            .filter(it -> !it.role().isHBase())
            .flatMap(
                role ->
                    IntStream.rangeClosed(0, serving.get(role.role()))
                        .mapToObj(
                            it ->
                                pod(
                                    role.name() + "-" + it,
                                    role.labels(),
                                    it < serving.get(role.role()))))
            .toList();
    return new ObservedInfrastructure(
        new Observation(
            model,
            pods,
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            new ObservedHBase(
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                Set.of(),
                List.of(),
                List.of(),
                List.of(),
                Instant.EPOCH)));
  }

  private static Pod pod(String name, Map<String, String> labels, boolean isReady) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(labels)
        .endMetadata()
        .withNewStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus(isReady ? "True" : "False")
        .endCondition()
        .endStatus()
        .build();
  }

  private static ClusterModel model(String spec) {
    var cluster =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: hb, namespace: ns}
            spec:
              regionServers: {replicas: 3, memory: {heap: 1Gi, offHeap: 512Mi}}
            """
                + spec.indent(2),
            HBaseCluster.class);
    var plans = FittedPlans.of(new Plans(), cluster, Optional.empty(), Set.of());
    var applied =
        Applied.of(
            new Plans(),
            cluster,
            ((ClusterPlan.Planned) plans.result()).groups(),
            Optional.empty(),
            "hbase:1",
            ObservedImages.NONE);
    return Models.of(applied, new HeldReplicas());
  }
}
