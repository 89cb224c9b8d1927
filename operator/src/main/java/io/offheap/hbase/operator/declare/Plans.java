package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.CacheModeRule;
import io.offheap.hbase.operator.plan.Declared;
import io.offheap.hbase.operator.plan.FieldNames;
import io.offheap.hbase.operator.plan.MemoryPlanner;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PlanResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The plans of one pass. Each distinct input of {@link MemoryPlanner} is planned once; a second
 * request gets the same plan. A pass requests the plans
 *
 * <ol>
 *   <li>of the declared spec with the tables and the tuned values: these are applied;
 *   <li>of the declared spec without tables, where tables were read: only families that these plans
 *       do not fit are remembered;
 *   <li>without one of the remembered tables, or without the working set: a group's servers restart
 *       only for those that change its plan;
 *   <li>of the last good spec, where a change was rolled back;
 *   <li>of the last applied spec, where the declared one is refused;
 *   <li>of one group with other tuned values, for each change that a tuning rule considers;
 *   <li>of one group in other modes of the block cache, where its load is known.
 * </ol>
 *
 * <p>At rest, without large tables, tuned values and a known load, the first is all: one planning
 * for each group.
 *
 * <p>Not for use by several threads. It is discarded with its pass, so that it cannot grow.
 */
public final class Plans {
  private final Function<Declared, PlanResult> planner;
  private final Map<Declared, PlanResult> made = new HashMap<>();

  public Plans() {
    this(new MemoryPlanner()::plan);
  }

  /**
   * With another planner.
   *
   * @param planner called once for each distinct input
   */
  public Plans(Function<Declared, PlanResult> planner) {
    this.planner = planner;
  }

  /** The plans of all groups of a resource, or all reasons why there are none. */
  public ClusterPlan of(HBaseCluster cluster, ObservedInputs observed) {
    if (cluster.getSpec() == null || cluster.getSpec().regionServers() == null) {
      return new ClusterPlan.Refused(
          List.of(
              new PlanProblem(
                  "spec.regionServers", "is missing; must have the memory to plan with")));
    }
    var groups = ServerGroups.of(cluster.getSpec());
    var results = groups.stream().map(group -> of(group, observed)).toList();
    var problems =
        results.stream()
            .flatMap(
                result ->
                    result instanceof PlanResult.Refused refused
                        ? refused.problems().stream()
                        : Stream.empty())
            .toList();
    if (!problems.isEmpty()) {
      return new ClusterPlan.Refused(problems);
    }
    var plans = new ArrayList<GroupPlan>();
    for (int i = 0; i < groups.size(); i++) {
      plans.add(new GroupPlan(groups.get(i), ((PlanResult.Planned) results.get(i)).plan()));
    }
    return new ClusterPlan.Planned(plans);
  }

  /** The plan of one group. */
  public PlanResult of(ServerGroup group, ObservedInputs observed) {
    return of(group, observed, group.names());
  }

  /** The plan of the default group, without data of the running cluster. */
  public PlanResult ofDefaultGroup(HBaseCluster cluster) {
    var plans = of(cluster, ObservedInputs.NOTHING);
    return plans instanceof ClusterPlan.Planned planned
        ? new PlanResult.Planned(planned.groups().get(0).plan())
        : new PlanResult.Refused(((ClusterPlan.Refused) plans).problems());
  }

  /**
   * The plan of a resource that represents another input.
   *
   * @param names names of the fields in that input
   */
  public PlanResult ofDefaultGroup(HBaseCluster cluster, FieldNames names) {
    return of(ServerGroups.of(cluster.getSpec()).get(0), ObservedInputs.NOTHING, names);
  }

  /**
   * Which mode of the block cache suits a load of a group's servers; empty where nothing is known
   * of the load. It makes the plans of other modes, without live tables.
   *
   * @param plan the group's plan
   */
  public Optional<CacheModeRule.Advice> advice(GroupPlan plan, CacheModeRule.Load load) {
    if (load.equals(CacheModeRule.Load.UNKNOWN)) {
      return Optional.empty();
    }
    var reader = new Declarations(plan.group().names());
    var declared = reader.read(plan.group(), ObservedInputs.NOTHING);
    return reader.problems().isEmpty()
        ? CacheModeRule.advice(declared, plan.plan(), load, it -> made.computeIfAbsent(it, planner))
        : Optional.empty();
  }

  private PlanResult of(ServerGroup group, ObservedInputs observed, FieldNames names) {
    var reader = new Declarations(names);
    var declared = reader.read(group, observed);
    if (!reader.problems().isEmpty()) {
      return new PlanResult.Refused(
          Stream.concat(MemoryPlanner.textProblems(declared).stream(), reader.problems().stream())
              .toList());
    }
    var result = made.computeIfAbsent(declared, planner);
    return group.marks().isPresent() && result instanceof PlanResult.Planned planned
        ? new PlanResult.Planned(group.marks().get().mark(planned.plan()))
        : result;
  }
}
