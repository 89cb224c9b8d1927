package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterSpecBuilder;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.observe.ObservedImages;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A spec that is stored in status and is applied in place of the declared one. It counts if it has
 * what the API server keeps as it is in a resource that changes. It need not pass the other checks
 * of a declared spec: an operator with one check more would else stop to reconcile a resource that
 * it had accepted, or undo a rollback to it.
 */
final class StoredSpec {
  private StoredSpec() {}

  /** Why a stored spec does not count. */
  static Optional<String> problem(HBaseCluster cluster, HBaseClusterSpec stored) {
    var declared = cluster.getSpec();
    if (stored.zookeeper() == null || stored.storage() == null || stored.regionServers() == null) {
      return Optional.of("it is not a whole spec");
    }
    try {
      if (!isSameHBase(DeclaredClaims.in(stored, declared), declared)) {
        return Optional.of("it has another ZooKeeper or HDFS");
      }
    } catch (IllegalArgumentException | ArithmeticException e) {
      // Any writer of the status may have written it.
      return Optional.of("it has a size that is no quantity");
    }
    return dataNodes(stored) > dataNodes(declared)
        ? Optional.of("it has more data nodes, and these never become fewer")
        : Optional.empty();
  }

  private static int dataNodes(HBaseClusterSpec spec) {
    return Optional.ofNullable(spec.storage().managed()).map(it -> it.dataNodes()).orElse(0);
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
    return managed == null
        ? Optional.ofNullable(spec.storage().external()).map(it -> it.rootDir())
        : managed.storage();
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
