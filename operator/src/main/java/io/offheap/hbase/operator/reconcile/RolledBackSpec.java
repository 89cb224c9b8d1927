package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterSpecBuilder;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;

/**
 * The spec to deploy while a change of HBase is rolled back: as declared, with the last good
 * ZooKeeper and HDFS as far as HBase's servers depend on them, and at least the present number of
 * data nodes.
 *
 * <p>Heap, properties, pod template and image of the pods of ZooKeeper and HDFS are as declared.
 * They are no part of a change of HBase: its rollback must not restart pods that serve, and HBase
 * may not serve before what is declared there reaches them.
 */
final class RolledBackSpec {
  private RolledBackSpec() {}

  static HBaseClusterSpec of(HBaseClusterSpec declared, HBaseClusterSpec good) {
    return HBaseClusterSpecBuilder.builder(declared)
        .zookeeper(zookeeper(declared.zookeeper(), good.zookeeper()))
        .storage(storage(declared.storage(), good.storage()))
        .build();
  }

  private static ZooKeeperSpec zookeeper(ZooKeeperSpec declared, ZooKeeperSpec good) {
    var now = declared.managed();
    var was = good.managed();
    return now == null || was == null
        ? good
        : new ZooKeeperSpec(
            new ZooKeeperSpec.Managed(
                was.replicas(),
                was.storage(),
                now.heap(),
                now.config(),
                now.image(),
                now.podTemplate()),
            null);
  }

  private static StorageSpec storage(StorageSpec declared, StorageSpec good) {
    var now = declared.managed();
    var was = good.managed();
    return now == null || was == null
        ? good
        : new StorageSpec(
            new StorageSpec.Managed(
                now.dataNodes(),
                was.replication(),
                was.storage(),
                now.nameNode(),
                now.dataNode(),
                now.image()),
            null);
  }
}
