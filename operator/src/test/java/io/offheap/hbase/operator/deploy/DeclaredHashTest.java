package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ServerGroups;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Running pods have the hash of the operator that created them. The hashes here were computed by
 * release 0.1.0's code: if one changes, an upgrade restarts every region server that declares such
 * a value.
 */
class DeclaredHashTest {
  private static String hash(String key, String value) {
    var cluster =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {external: {quorum: zk}}
              storage: {external: {rootDir: "hdfs://ns/hbase"}}
              regionServers:
                memory: {heap: 1Gi, offHeap: 512Mi}
                config: {"%s": "%s"}
            """
                .formatted(key, value),
            HBaseCluster.class);
    var group = ServerGroups.of(cluster.getSpec()).get(0);
    return DeclaredHash.of(cluster.getSpec(), group, "image", Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.rs.cacheblocksonwrite,                 true,  e793090b6b",
    "hbase.regionserver.thread.compaction.large,  4,     e793090b6b",
    "hbase.regionserver.thread.compaction.large,  ' 4 ', e793090b6b",
    "hbase.hstore.compaction.ratio,               1.2F,  e793090b6b",
    "hbase.rs.cacheblocksonwrite,                 True,  653542e94b",
    "hbase.rs.cacheblocksonwrite,                 TRUE,  74800c1e49",
    "hbase.regionserver.thread.compaction.large,  0x4,   cbec87167e",
    "hbase.regionserver.thread.compaction.large,  +4,    2ab6599638",
    "hbase.hstore.compaction.ratio,               1.2e0, 58a6d7fa32",
    "hbase.hstore.compaction.ratio,               1.2d,  47353d8989",
  })
  void equalsHashOfRelease010(String key, String value, String hash) {
    assertThat(hash(key, value)).isEqualTo(hash);
  }

  /** Computed where {@code storage.managed} was named {@code managedHdfs}. */
  @Test
  void anotherNameOfAFieldIsNoOtherDeclaration() {
    var cluster =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {managed: {heap: 512Mi}}
              storage: {managed: {dataNodes: 3, nameNode: {heap: 1Gi}}}
              regionServers:
                memory: {heap: 1Gi, offHeap: 512Mi}
            """,
            HBaseCluster.class);
    var spec = cluster.getSpec();

    assertThat(DeclaredHash.of(spec, ServerGroups.of(spec).get(0), "image", Optional.empty()))
        .isEqualTo("b7913eb052");
  }
}
