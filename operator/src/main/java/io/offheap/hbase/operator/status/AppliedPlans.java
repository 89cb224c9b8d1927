package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.MemoryPlanStatus;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.ServerGroup;
import io.offheap.hbase.operator.declare.ServerGroups;
import io.offheap.hbase.operator.plan.MemoryPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The applied plans by status: those of the last spec that was not refused. */
public final class AppliedPlans {
  private AppliedPlans() {}

  /**
   * The plans of all groups, the default one first; none if no spec was ever applied.
   *
   * @param plans the plans of this pass
   */
  public static List<GroupPlan> of(Plans plans, HBaseCluster cluster) {
    var status = cluster.getStatus();
    if (status == null || status.appliedSpec() == null) {
      return List.of();
    }
    var applied = new HBaseCluster();
    applied.setMetadata(cluster.getMetadata());
    applied.setSpec(status.appliedSpec());
    applied.setStatus(status);
    var again = again(plans, applied, Optional.ofNullable(status.live()));
    return ServerGroups.of(status.appliedSpec()).stream()
        .flatMap(
            group ->
                last(plan(status, group), Optional.ofNullable(again.get(group.name())))
                    .map(it -> new GroupPlan(group, it))
                    .stream())
        .toList();
  }

  /** The applied spec's plans by this version of the operator, with reasons, by group. */
  private static Map<String, MemoryPlan> again(
      Plans plans, HBaseCluster applied, Optional<LiveStatus> live) {
    return FittedPlans.of(plans, applied, live, Set.of()).result()
            instanceof ClusterPlan.Planned planned
        ? planned.groups().stream()
            .collect(Collectors.toMap(it -> it.group().name(), GroupPlan::plan))
        : Map.of();
  }

  /**
   * The plan that was applied last. If this version of the operator has another plan for the
   * applied spec, or refuses the spec, the values in status count, without reasons. Without either
   * there is no plan.
   */
  private static Optional<MemoryPlan> last(
      Optional<MemoryPlanStatus> status, Optional<MemoryPlan> again) {
    var hash = status.map(MemoryPlanStatus::hash);
    return again
        .filter(it -> hash.equals(Optional.of(it.hash())))
        .or(() -> status.flatMap(PlanStatuses::read))
        .or(() -> status.flatMap(it -> again));
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
}
