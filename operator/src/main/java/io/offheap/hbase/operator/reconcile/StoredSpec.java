package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterSpecBuilder;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.observe.ObservedImages;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A spec that is stored, in status or in the remembered map, and that is applied in place of the
 * declared one. It counts if the resource could have declared it: it passes the checks of a
 * declared spec, and has what the API server keeps as it is in a resource that changes.
 */
final class StoredSpec {
  private StoredSpec() {}

  /** Why a stored spec does not count. */
  static Optional<String> problem(HBaseCluster cluster, HBaseClusterSpec stored) {
    var declared = cluster.getSpec();
    if (stored.equals(declared)) {
      return Optional.empty();
    }
    var other = new HBaseCluster();
    other.setMetadata(cluster.getMetadata());
    other.setSpec(stored);
    return ClusterChecks.problems(other).stream()
        .findFirst()
        .map(Object::toString)
        .or(
            () ->
                isSameHBase(DeclaredClaims.in(stored, declared), declared)
                    ? Optional.empty()
                    : Optional.of("it has another ZooKeeper or HDFS"));
  }

  private static boolean isSameHBase(HBaseClusterSpec one, HBaseClusterSpec other) {
    return Objects.equals(ensemble(one), ensemble(other))
        && Objects.equals(files(one), files(other));
  }

  private static Object ensemble(HBaseClusterSpec spec) {
    var managed = spec.zookeeper().managed();
    return managed == null
        ? spec.zookeeper().external()
        : List.of(managed.replicas(), managed.storage());
  }

  private static Object files(HBaseClusterSpec spec) {
    var managed = spec.storage().managed();
    return managed == null ? spec.storage().external().rootDir() : managed.storage();
  }

  /**
   * A stored spec with no fewer data nodes than there are, as far as they are declared: data nodes
   * that leave take their blocks with them.
   */
  static HBaseClusterSpec withDataNodes(
      HBaseClusterSpec stored, HBaseClusterSpec declared, ObservedImages observed) {
    var now = declared.storage().managed();
    var was = stored.storage().managed();
    int there =
        observed.sets().stream()
            .filter(it -> Labels.isRole(it, Role.DATANODE))
            .mapToInt(StoredSpec::replicas)
            .max()
            .orElse(0);
    if (now == null || was == null || was.dataNodes() >= Math.min(there, now.dataNodes())) {
      return stored;
    }
    return HBaseClusterSpecBuilder.builder(stored)
        .storage(
            new StorageSpec(
                new StorageSpec.Managed(
                    Math.min(there, now.dataNodes()),
                    was.replication(),
                    was.storage(),
                    was.nameNode(),
                    was.dataNode(),
                    was.image()),
                null))
        .build();
  }

  private static int replicas(StatefulSet set) {
    return set.getSpec().getReplicas();
  }
}
