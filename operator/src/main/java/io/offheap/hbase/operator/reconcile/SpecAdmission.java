package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.reconcile.ConditionType.Planned;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What to apply: what the resource declares, or where that is refused what was applied last.
 *
 * @param defaultImage image of clusters that declare none
 */
record SpecAdmission(String defaultImage) {
  /**
   * Selects it, and gives the reason in the condition {@code Planned}.
   *
   * @param shared what another cluster keeps
   * @param missing references to what is not there
   * @param live what the running cluster's tables have
   * @return empty where there is nothing to apply
   */
  Optional<Applied> admit(
      HBaseCluster cluster,
      List<PlanProblem> shared,
      List<PlanProblem> missing,
      ObservedTables live,
      Conditions conditions) {
    var refused = Stream.concat(ClusterChecks.problems(cluster).stream(), shared.stream()).toList();
    if (!refused.isEmpty() || !missing.isEmpty()) {
      var reason = refused.isEmpty() ? Reason.ConfigurationMissing : Reason.SpecRefused;
      var problems = Stream.concat(refused.stream(), missing.stream()).toList();
      conditions.add(Planned, false, reason, text(problems));
      return last(cluster, conditions);
    }
    var plans = live.plans(cluster);
    if (plans.result() instanceof ClusterPlan.Planned planned) {
      var applied = Applied.of(cluster, planned.groups(), plans.live(), defaultImage);
      conditions.add(Planned, true, Reason.Planned, applied.text());
      TableConditions.add(applied, plans.refusal(), conditions);
      return Optional.of(applied);
    }
    var problems = ((ClusterPlan.Refused) plans.result()).problems();
    conditions.add(Planned, false, Reason.PlanRefused, text(problems));
    return last(cluster, conditions);
  }

  private Optional<Applied> last(HBaseCluster cluster, Conditions conditions) {
    var applied = Applied.last(cluster, defaultImage);
    applied.ifPresent(it -> TableConditions.add(it, List.of(), conditions));
    return applied;
  }

  private static String text(List<PlanProblem> problems) {
    return problems.stream().map(PlanProblem::toString).collect(Collectors.joining("\n"));
  }
}
