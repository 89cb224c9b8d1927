package io.offheap.hbase.operator.observe;

import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.deploy.RoleModel;
import java.util.function.ToIntFunction;

/**
 * Whether the managed ZooKeeper and HDFS serve. External ones do, as far as the operator knows.
 *
 * @param observed the cluster
 */
public record ObservedInfrastructure(Observation observed) {
  /** Whether all their declared pods serve. */
  public boolean isReady() {
    return serves(RoleModel::replicas);
  }

  /**
   * Whether they serve, though pods may be lost: ZooKeeper has a quorum, HDFS its name node, and
   * fewer data nodes are lost than a block has copies.
   */
  public boolean doesServe() {
    return serves(this::needed);
  }

  /**
   * Whether a region server can start: ZooKeeper has a quorum, and HDFS its name node, which has
   * left safe mode, and a data node.
   */
  public boolean letsStart() {
    return serves(role -> role.role() == Role.DATANODE ? 1 : needed(role));
  }

  private boolean serves(ToIntFunction<RoleModel> needed) {
    return observed.model().roles().stream()
        .filter(role -> !role.role().isHBase())
        .allMatch(role -> serving(role) >= needed.applyAsInt(role));
  }

  private long serving(RoleModel role) {
    return observed.pods(role).filter(it -> PodStates.serves(it, role.role())).count();
  }

  private int needed(RoleModel role) {
    return switch (role.role()) {
      case ZOOKEEPER -> role.replicas() / 2 + 1;
      case DATANODE -> Math.max(1, role.replicas() + 1 - copies());
      case NAMENODE, MASTER, REGIONSERVER -> role.replicas();
    };
  }

  /** Of a block in a file that is written now. */
  private int copies() {
    return observed.model().cluster().getSpec().storage().managed().replication();
  }
}
