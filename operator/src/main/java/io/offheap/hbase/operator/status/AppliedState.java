package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.RolloutStatus.Proven;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.declare.GroupPlan;
import java.util.List;
import java.util.Optional;

/**
 * What a pass applies, as far as status has it.
 *
 * @param plans the plans of the region server groups, that of the default group first
 * @param declared of each group the hash of what is declared for it
 * @param live what the plans were made for beside the spec
 * @param images what is remembered of images
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

  /** What is declared for a group. */
  Optional<Proven> declared(String group) {
    return declared.stream().filter(it -> it.group().equals(group)).findFirst();
  }
}
