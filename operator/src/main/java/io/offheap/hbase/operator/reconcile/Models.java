package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.deploy.ClusterModel;

/** What a pass applies, as it is deployed now. */
final class Models {
  private Models() {}

  static ClusterModel of(Applied applied, HeldReplicas held) {
    var cluster = applied.deployed();
    return ClusterModel.of(
        cluster,
        applied.groups().stream()
            .map(
                it ->
                    it.withReplicas(
                        held.of(
                            ClusterModel.statefulSet(cluster, it.plan().group()), it.replicas())))
            .toList(),
        applied.image(),
        applied.infrastructure()::of);
  }
}
