package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterSpecBuilder;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.VolumeSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;

/**
 * The declared {@code deleteClaim} counts, also while an earlier spec is applied: it changes no
 * running pod, and an earlier spec must not delete data.
 */
final class DeclaredClaims {
  private DeclaredClaims() {}

  /** A spec with the declared {@code deleteClaim} of each volume that both have. */
  static HBaseClusterSpec in(HBaseClusterSpec spec, HBaseClusterSpec declared) {
    return HBaseClusterSpecBuilder.builder(spec)
        .zookeeper(in(spec.zookeeper(), declared.zookeeper()))
        .storage(in(spec.storage(), declared.storage()))
        .build();
  }

  private static ZooKeeperSpec in(ZooKeeperSpec spec, ZooKeeperSpec declared) {
    var managed = spec.managed();
    return managed == null || declared.managed() == null
        ? spec
        : new ZooKeeperSpec(
            new ZooKeeperSpec.Managed(
                managed.replicas(),
                in(managed.storage(), declared.managed().storage()),
                managed.heap(),
                managed.config(),
                managed.image(),
                managed.podTemplate()),
            spec.external());
  }

  private static StorageSpec in(StorageSpec spec, StorageSpec declared) {
    var hdfs = spec.managed();
    return hdfs == null || declared.managed() == null
        ? spec
        : new StorageSpec(
            new StorageSpec.Managed(
                hdfs.dataNodes(),
                hdfs.replication(),
                in(hdfs.storage(), declared.managed().storage()),
                hdfs.nameNode(),
                hdfs.dataNode(),
                hdfs.image()),
            spec.external());
  }

  private static VolumeSpec in(VolumeSpec spec, VolumeSpec declared) {
    return new VolumeSpec(spec.size(), spec.storageClassName(), declared.deleteClaim());
  }
}
