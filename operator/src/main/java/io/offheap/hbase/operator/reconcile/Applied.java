package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.MemoryPlanStatus;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.ServerGroup;
import io.offheap.hbase.operator.declare.ServerGroups;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a pass applies.
 *
 * @param cluster the resource, with the spec to apply
 * @param groups its groups of region servers with their plans
 * @param live what the plans were made for beside the spec, and what is remembered of it
 */
record Applied(HBaseCluster cluster, List<GroupPlan> groups, Optional<LiveStatus> live) {
  Applied {
    groups = List.copyOf(groups);
  }

  /** The last spec that was not refused with its plans, if there was one. */
  static Optional<Applied> last(HBaseCluster cluster) {
    var status = cluster.getStatus();
    if (status == null || status.appliedSpec() == null) {
      return Optional.empty();
    }
    var applied = new HBaseCluster();
    applied.setMetadata(cluster.getMetadata());
    applied.setSpec(status.appliedSpec());
    applied.setStatus(status);
    var groups =
        ServerGroups.of(status.appliedSpec()).stream()
            .flatMap(
                group ->
                    plan(status, group)
                        .map(it -> new GroupPlan(group, PlanStatuses.read(it)))
                        .stream())
            .toList();
    return groups.isEmpty()
        ? Optional.empty()
        : Optional.of(new Applied(applied, groups, Optional.ofNullable(status.live())));
  }

  private static Optional<MemoryPlanStatus> plan(HBaseClusterStatus status, ServerGroup group) {
    if (group.isDefault()) {
      return Optional.ofNullable(status.memoryPlan());
    }
    return Optional.ofNullable(status.groups()).stream()
        .flatMap(List::stream)
        .filter(it -> it.name().equals(group.name()))
        .map(HBaseClusterStatus.Group::memoryPlan)
        .findFirst();
  }

  /** The plans' hashes, for people. */
  String text() {
    return groups.stream()
        .map(
            it ->
                (it.group().isDefault() ? "plan " : "group " + it.group().name() + " plan ")
                    + it.plan().hash())
        .collect(Collectors.joining(", "));
  }

  /** The plan of the default group. */
  GroupPlan defaultGroup() {
    return groups.get(0);
  }
}
