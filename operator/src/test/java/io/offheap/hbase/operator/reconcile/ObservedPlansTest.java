package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Table;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.observe.ObservedTables;
import io.offheap.hbase.operator.plan.BlockRead;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.TableBlocks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is remembered of a cluster whose tables were dropped. */
class ObservedPlansTest {
  private static final ObservedTables EMPTY =
      new ObservedTables(Optional.of(new LiveTables(List.of(), Set.of(), true)), 0);

  @Test
  void scalingForgetsNoTable() {
    assertThat(tables(cluster(2, "replicas: 5, memory: {heap: 8Gi, offHeap: 4Gi}", 1)))
        .extracting(Table::name)
        .containsExactly("dropped/f");
  }

  /** A security fix of ZooKeeper must restart no region server. */
  @Test
  void anotherImageOfZooKeeperOrHdfsForgetsNoTable() {
    var cluster = cluster(2, "replicas: 3, memory: {heap: 8Gi, offHeap: 4Gi}", 1);
    var image = "managed: {image: {tag: '2'}}";
    for (var spec :
        List.of(
            "zookeeper: {%s}, storage: {managed: {}}", "zookeeper: {managed: {}}, storage: {%s}")) {
      cluster.setSpec(
          Serialization.unmarshal(
              "---\n{"
                  + spec.formatted(image)
                  + ", regionServers: {replicas: 3, memory: {heap: 8Gi, offHeap: 4Gi}}}",
              HBaseClusterSpec.class));

      assertThat(tables(cluster)).extracting(Table::name).as(spec).containsExactly("dropped/f");
    }
  }

  @Test
  void anotherSpecForgetsThem() {
    assertThat(tables(cluster(2, "replicas: 3, memory: {heap: 9Gi, offHeap: 4Gi}", 1))).isEmpty();
  }

  @Test
  void scalingAfterUnappliedSpecDropsThem() {
    assertThat(tables(cluster(3, "replicas: 5, memory: {heap: 8Gi, offHeap: 4Gi}", 2))).isEmpty();
  }

  /** Its blocks fit the buffer with HBase's own checksums, and not with 32 times as many. */
  @Test
  void familyIsRememberedThatFitsByOwnChecksumsAlone() {
    var family = new TableBlocks("t/f", 65_536, 0, 0, 1_536);
    var observed =
        new ObservedTables(Optional.of(new LiveTables(List.of(family), Set.of(), true)), 0);
    var servers = "replicas: 3, memory: {heap: 8Gi, offHeap: 4Gi}, config: {%s: '%d'}";
    var key = HBaseKeys.BYTES_PER_CHECKSUM.name();

    assertThat(tables(cluster(2, servers.formatted(key, 512), 2), observed))
        .extracting(Table::name)
        .containsExactly("t/f");
    assertThat(BlockRead.bytes(65_536, 1_536)).isLessThan(67_584);
  }

  private static List<Table> tables(HBaseCluster cluster) {
    return tables(cluster, EMPTY);
  }

  private static List<Table> tables(HBaseCluster cluster, ObservedTables observed) {
    return new ObservedPlans(new Plans(), observed).of(cluster).live().orElseThrow().tables();
  }

  /** Its memory is of generation 1. */
  private static HBaseCluster cluster(int generation, String servers, int observed) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: demo, namespace: test, generation: %d}
        spec:
          zookeeper: {managed: {}}
          storage: {managed: {}}
          regionServers: {%s}
        status:
          observedGeneration: %d
          appliedSpec:
            zookeeper: {managed: {}}
            storage: {managed: {}}
            regionServers: {replicas: 3, memory: {heap: 8Gi, offHeap: 4Gi}}
          live:
            generation: 1
            tables:
              - {name: dropped/f, blockSize: 1048576, indexBlockSize: 0, bloomBlockSize: 0, cellSize: 0}
        """
            .formatted(generation, servers, observed),
        HBaseCluster.class);
  }
}
