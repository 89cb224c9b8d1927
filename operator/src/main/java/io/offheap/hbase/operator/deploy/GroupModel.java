package io.offheap.hbase.operator.deploy;

import io.offheap.hbase.operator.declare.GroupPlan;

/**
 * A group of region servers as it is to be deployed.
 *
 * @param plan the group with its plan
 * @param image image of its pods
 * @param declared hash of what was declared for it
 * @param replicas pods that it has now: those that are more than are declared stay until they are
 *     emptied
 */
public record GroupModel(GroupPlan plan, String image, String declared, int replicas) {
  /** The same with other pods. */
  public GroupModel withReplicas(int others) {
    return new GroupModel(plan, image, declared, others);
  }
}
