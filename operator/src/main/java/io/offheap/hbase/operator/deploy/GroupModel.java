package io.offheap.hbase.operator.deploy;

import io.offheap.hbase.operator.declare.GroupPlan;

/**
 * A group of region servers to deploy.
 *
 * @param plan the group with its plan
 * @param image image of its pods
 * @param declared hash of what was declared for it
 * @param replicas pods of its StatefulSet: surplus pods count until they are drained
 */
public record GroupModel(GroupPlan plan, String image, String declared, int replicas) {
  /** A copy with another number of pods. */
  public GroupModel withReplicas(int others) {
    return new GroupModel(plan, image, declared, others);
  }
}
