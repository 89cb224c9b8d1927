package io.offheap.hbase.operator.declare;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which clusters share a znode or a root directory. */
class IdentityTest {
  private static HBaseCluster cluster(
      String namespace, String name, String zookeeper, String hdfs) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: %s, namespace: %s}
        spec:
          zookeeper: %s
          storage: %s
          regionServers: {}
        """
            .formatted(name, namespace, zookeeper, hdfs),
        HBaseCluster.class);
  }

  private static boolean areOne(HBaseCluster one, HBaseCluster other) {
    return !Collections.disjoint(Identity.of(one), Identity.of(other));
  }

  private static HBaseCluster onQuorum(String namespace, String quorum, String znode) {
    return cluster(
        namespace,
        "hb",
        "{external: {quorum: '" + quorum + "', znodeParent: " + znode + "}}",
        "{external: {rootDir: 'hdfs://" + namespace + "/" + quorum.hashCode() + znode + "'}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          zk-0.zk:2181,zk-1.zk:2181      | zk-1.zk,zk-0.zk                | a | a | true
          # Some of the ensemble is as good as all of it.
          zk-0.zk:2181,zk-1.zk:2181      | zk-1.zk                        | a | a | true
          zk                             | ZK.a.svc.cluster.local.:2181   | a | a | true
          zk                             | zk.a                           | a | b | true
          zk-0.zk.a.svc                  | zk-0.zk                        | b | a | true
          zk1.example.com                | zk1.example.com:2181           | a | b | true
          zk:2181                        | zk:02181                       | a | a | true
          # Each has one of its own.
          zk-0.zk:2181                   | zk-0.zk:2181                   | a | b | false
          zk                             | zk                             | a | b | false
          zk:2181                        | zk:2182                        | a | a | false
          """)
  void znodesOfOneEnsembleCollide(
      String one, String other, String namespace, String otherNamespace, boolean isOne) {
    assertThat(areOne(onQuorum(namespace, one, "/hb"), onQuorum(otherNamespace, other, "//hb/")))
        .isEqualTo(isOne);
    assertThat(areOne(onQuorum(namespace, one, "/hb"), onQuorum(otherNamespace, other, "/hb2")))
        .isFalse();
  }

  private static HBaseCluster onRoot(String namespace, String root) {
    return cluster(
        namespace,
        "hb",
        "{external: {quorum: " + namespace + root.hashCode() + ", znodeParent: /hb}}",
        "{external: {rootDir: '" + root + "'}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hdfs://ns/hbase                | hdfs://ns//hbase/              | a | b | true
          hdfs://nn.a:8020/hbase         | hdfs://nn:8020/hbase           | b | a | true
          hdfs://nn.a.svc/hbase          | hdfs://nn:8020/hbase           | b | a | true
          s3a://bucket/hbase             | s3a://bucket/hbase             | a | b | true
          # Hadoop's Path takes these for the same.
          hdfs://ns/hbase                | hdfs://ns/x/../hbase           | a | b | true
          hdfs://ns/hbase                | hdfs://ns/./hbase/.            | a | b | true
          hdfs://ns/hbase                | hdfs://ns/../hbase             | a | b | true
          hdfs://nn.a:8020/hbase         | hdfs://u@nn:8020/hbase         | b | a | true
          hdfs://ns/hbase                | hdfs://u.v@ns/hbase            | a | b | true
          hdfs://nn.a/hbase              | hdfs://nn:08020/hbase          | b | a | true
          hdfs://nn.a/hbase              | hdfs://nn:/hbase               | b | a | true
          # Without a port it may be a name service, and is a host where there is none of this name.
          hdfs://nn/hbase                | hdfs://nn:8020/hbase           | a | a | true
          hdfs://NN/hbase                | hdfs://nn.a.svc/hbase          | a | b | true
          # A container of Azure's stands before the account.
          abfs://one@account/hbase       | abfs://two@account/hbase       | a | a | false
          hdfs://ns/hbase                | hdfs://ns/hbase/x              | a | a | false
          hdfs://nn:8020/hbase           | hdfs://nn:8020/hbase           | a | b | false
          hdfs://nn/hbase                | hdfs://nn:8020/hbase           | a | b | false
          hdfs://nn/hbase                | hdfs://nn:8021/hbase           | a | a | false
          hdfs://ns/hbase                | hdfs://ns/hbase2               | a | a | false
          s3a://bucket.one/hbase         | s3a://bucket/hbase             | a | a | false
          """)
  void rootDirectoriesCollide(
      String one, String other, String namespace, String otherNamespace, boolean isOne) {
    assertThat(areOne(onRoot(namespace, one), onRoot(otherNamespace, other))).isEqualTo(isOne);
  }

  @Test
  void refusesManagedZnodeAndRootOfAnotherCluster() {
    var managed = cluster("a", "hb", "{managed: {replicas: 3}}", "{managed: {}}");
    assertThat(areOne(managed, cluster("a", "hb2", "{managed: {}}", "{managed: {}}"))).isFalse();
    assertThat(areOne(managed, cluster("b", "hb", "{managed: {}}", "{managed: {}}"))).isFalse();
    assertThat(areOne(managed, onQuorum("b", "hb-zookeeper-2.hb-zookeeper.a.svc", "/hbase")))
        .isTrue();
    assertThat(areOne(managed, onQuorum("a", "hb-zookeeper", "/hbase"))).isTrue();
    assertThat(areOne(managed, onQuorum("a", "hb-zookeeper", "/other"))).isFalse();
    assertThat(areOne(managed, onRoot("a", "hdfs://hb-namenode-0.hb-namenode:8020/hbase")))
        .isTrue();
    assertThat(areOne(managed, onRoot("a", "hdfs://hb-namenode/hbase"))).isTrue();
    assertThat(areOne(managed, onRoot("b", "hdfs://hb-namenode/hbase"))).isFalse();
  }

  private static HBaseCluster made(String time, String uid) {
    var made = onRoot("a", "hdfs://ns/hbase");
    made.getMetadata().setCreationTimestamp(time);
    made.getMetadata().setUid(uid);
    return made;
  }

  private static HBaseCluster made(HBaseCluster cluster, String time, String uid) {
    cluster.getMetadata().setCreationTimestamp(time);
    cluster.getMetadata().setUid(uid);
    return cluster;
  }

  /** Else an older cluster could block the names of other users' clusters. */
  @Test
  void managedZnodeBelongsToItsClusterAtAnyAge() {
    var foreign =
        made(
            onQuorum("evil", "x:2181,demo-zookeeper.prod.svc:02181", "/hbase"),
            "2026-01-01T00:00:00Z",
            "a");
    var foreignRoot =
        made(
            onRoot("evil", "hdfs://u@demo-namenode-0.demo-namenode.prod.svc/x/../hbase"),
            "2026-01-01T00:00:00Z",
            "b");
    var demo =
        made(
            cluster("prod", "demo", "{managed: {}}", "{managed: {}}"), "2026-01-02T00:00:00Z", "c");
    var all = List.of(foreign, foreignRoot, demo);

    assertThat(Identity.owner(demo, all.stream())).isEmpty();
    assertThat(Identity.owner(foreign, all.stream())).contains(demo);
    assertThat(Identity.owner(foreignRoot, all.stream())).contains(demo);
    assertThat(Identity.problem(foreign, demo).toString())
        .contains("which has it managed")
        .doesNotContain("older");
  }

  /** Other roots of a managed HDFS belong to the older cluster. */
  @Test
  void otherRootOfManagedBelongsToOldest() {
    var root = "hdfs://demo-namenode.prod.svc:8020/other";
    var demo =
        made(
            cluster("prod", "demo", "{managed: {}}", "{managed: {}}"), "2026-01-03T00:00:00Z", "a");
    var first = made(onRoot("prod", root), "2026-01-01T00:00:00Z", "b");
    var second = made(onRoot("prod", root + "/./"), "2026-01-02T00:00:00Z", "c");
    second.getMetadata().setName("second");
    var all = List.of(demo, second, first);

    assertThat(Identity.owner(first, all.stream())).isEmpty();
    assertThat(Identity.owner(second, all.stream())).contains(first);
    assertThat(Identity.owner(demo, all.stream())).isEmpty();
  }

  @Test
  void olderClusterIsOwner() {
    var first = made("2026-01-01T00:00:00Z", "c");
    var second = made("2026-01-01T00:00:01Z", "a");
    var third = made("2026-01-01T00:00:01Z", "b");

    assertThat(Identity.owner(first, Stream.of(third, second, first))).isEmpty();
    assertThat(Identity.owner(second, Stream.of(third, second, first))).contains(first);
    assertThat(Identity.owner(third, Stream.of(third, second, first))).contains(first);
    assertThat(Identity.owner(third, Stream.of(third, second))).contains(second);
    assertThat(Identity.owner(second, Stream.of(third, second))).isEmpty();
  }
}
