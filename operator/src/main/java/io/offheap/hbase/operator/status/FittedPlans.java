package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Table;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.TableBlocks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The plans of a resource for its live tables and tuned values. A table never makes a resource
 * impossible: if its reads exceed the declared memory, the family with the largest reads is left
 * out of the plans, then the next one, and so on. If the declared memory has no room for the tuned
 * values, all of them are left out.
 *
 * @param result the plans, or why the resource has none even without tables and tuned values
 * @param live the tables and values, with those that were left out
 * @param refusal why there is no plan for all of them; empty if there is one
 */
public record FittedPlans(
    ClusterPlan result, Optional<LiveStatus> live, List<PlanProblem> refusal) {
  public FittedPlans {
    refusal = List.copyOf(refusal);
  }

  /**
   * The plans for the remembered tables. A dropped family is forgotten if the plans are the same
   * without it; otherwise it is kept until the spec changes: dropping a table, or creating it
   * again, must not restart region servers.
   *
   * @param plans the plans of this pass
   * @param dropped names of families that were dropped
   */
  public static FittedPlans of(
      Plans plans, HBaseCluster cluster, Optional<LiveStatus> remembered, Set<String> dropped) {
    var fitted = of(plans, cluster, remembered);
    var rest =
        remembered.map(live -> without(live, dropped)).filter(it -> !remembered.get().equals(it));
    if (rest.isEmpty()) {
      return fitted;
    }
    var fittedToRest = of(plans, cluster, rest);
    return fittedToRest.hashes().equals(fitted.hashes()) ? fittedToRest : fitted;
  }

  /**
   * The remembered tables without which a group's plan would differ. Other tables must not restart
   * the group's servers.
   *
   * @param plans the plans of this pass
   * @param group the group's name
   */
  public static Optional<LiveStatus> counting(
      Plans plans, HBaseCluster cluster, Optional<LiveStatus> remembered, String group) {
    if (remembered.isEmpty()) {
      return remembered;
    }
    var plan = of(plans, cluster, remembered).hash(group);
    var counting = remembered;
    // The smallest first, so that of two with the same effect one is kept.
    var less = new ArrayList<UnaryOperator<LiveStatus>>();
    remembered.stream()
        .flatMap(FittedPlans::tables)
        .forEach(table -> less.add(0, live -> without(live, Set.of(table.name()))));
    less.add(live -> new LiveStatus(live.generation(), live.tables(), null, live.tuned()));
    for (var part : less) {
      var rest = counting.map(part);
      if (!rest.equals(counting) && of(plans, cluster, rest).hash(group).equals(plan)) {
        counting = rest;
      }
    }
    return counting;
  }

  private static FittedPlans of(Plans plans, HBaseCluster cluster, Optional<LiveStatus> live) {
    var tables = live.map(FittedPlans::blocks).orElse(List.of());
    var workingSet =
        live.map(LiveStatus::workingSet).stream().mapToLong(Long::longValue).findFirst();
    var tuned = TunedValues.of(live).byGroup();
    var result = plans.of(cluster, new ObservedInputs(tables, workingSet, tuned));
    if (!(result instanceof ClusterPlan.Refused refused)) {
      return new FittedPlans(result, live, List.of());
    }
    if (!tuned.isEmpty()) {
      return of(
          plans,
          cluster,
          live.map(it -> new LiveStatus(it.generation(), it.tables(), it.workingSet(), null)));
    }
    for (int largest = 1; largest <= tables.size(); largest++) {
      var rest = new ObservedInputs(tables.subList(largest, tables.size()), workingSet, Map.of());
      if (plans.of(cluster, rest) instanceof ClusterPlan.Planned planned) {
        return new FittedPlans(planned, live, refused.problems());
      }
    }
    return new FittedPlans(plans.of(cluster, ObservedInputs.NOTHING), live, refused.problems());
  }

  private static LiveStatus without(LiveStatus live, Set<String> dropped) {
    return new LiveStatus(
        live.generation(),
        tables(live).filter(it -> !dropped.contains(it.name())).toList(),
        live.workingSet(),
        live.tuned());
  }

  /** Remembered families as the plan's input. */
  public static List<TableBlocks> blocks(LiveStatus live) {
    return tables(live).map(FittedPlans::blocks).toList();
  }

  private static Stream<Table> tables(LiveStatus live) {
    return Optional.ofNullable(live.tables()).stream().flatMap(List::stream);
  }

  private static TableBlocks blocks(Table table) {
    return new TableBlocks(
        table.name(),
        table.blockSize(),
        table.indexBlockSize(),
        table.bloomBlockSize(),
        table.cellSize());
  }

  private Optional<String> hash(String group) {
    return result instanceof ClusterPlan.Planned planned
        ? planned.groups().stream()
            .filter(it -> it.group().name().equals(group))
            .map(it -> it.plan().hash())
            .findFirst()
        : Optional.empty();
  }

  private List<String> hashes() {
    return result instanceof ClusterPlan.Planned planned
        ? planned.groups().stream().map(it -> it.plan().hash()).toList()
        : List.of();
  }
}
