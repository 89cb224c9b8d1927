package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.RolloutStatus.Proven;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.declare.GroupPlan;
import java.util.List;
import java.util.Optional;

/**
 * The applied state, for status.
 *
 * @param plans the plans of the region server groups, that of the default group first
 * @param declared the hash of each group's declared fields
 * @param live the plans' input beside the spec
 * @param images the remembered images
 * @param rolledBack the changes that were rolled back, of those that are still declared
 */
public record AppliedState(
    List<GroupPlan> plans,
    List<Proven> declared,
    Optional<LiveStatus> live,
    Images images,
    List<RolledBack> rolledBack) {
  public AppliedState {
    plans = List.copyOf(plans);
    declared = List.copyOf(declared);
    rolledBack = List.copyOf(rolledBack);
  }

  /** The plan of the default group. */
  GroupPlan defaultGroup() {
    return plans.get(0);
  }

  /** The hash of a group's declared fields. */
  Optional<Proven> declared(String group) {
    return declared.stream().filter(it -> it.group().equals(group)).findFirst();
  }
}
