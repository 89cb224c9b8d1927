package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.status.ConditionType.Planned;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.declare.PodTemplateChecks;
import io.offheap.hbase.operator.observe.ObservedTables;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.status.Conditions;
import io.offheap.hbase.operator.status.Reason;
import io.offheap.hbase.operator.status.TableConditions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What to apply: what the resource declares, or where that is refused what was applied last.
 *
 * @param defaultImage image of clusters that declare none
 * @param rights what the operator's settings permit to pod templates
 */
record SpecAdmission(String defaultImage, PodRights rights) {
  /**
   * Selects it, and gives the reason in the condition {@code Planned}.
   *
   * @param shared what another cluster keeps
   * @param missing references to what is not there
   * @param live what the running cluster's tables have
   * @return empty where there is nothing to apply
   * @throws IllegalStateException if what was applied last has a pod template that is not permitted
   */
  Optional<Applied> admit(
      HBaseCluster cluster,
      List<PlanProblem> shared,
      List<PlanProblem> missing,
      ObservedTables live,
      Conditions conditions) {
    var refused =
        Stream.concat(ClusterChecks.problems(cluster, rights).stream(), shared.stream()).toList();
    if (!refused.isEmpty() || !missing.isEmpty()) {
      var reason = refused.isEmpty() ? Reason.ConfigurationMissing : Reason.SpecRefused;
      var problems = Stream.concat(refused.stream(), missing.stream()).toList();
      conditions.add(Planned, false, reason, text(problems));
      return last(cluster, conditions);
    }
    var plans = new ObservedPlans(live).of(cluster);
    if (plans.result() instanceof ClusterPlan.Planned planned) {
      var applied = Applied.of(cluster, planned.groups(), plans.live(), defaultImage);
      conditions.add(Planned, true, Reason.Planned, applied.text());
      TableConditions.add(applied.state(), plans.refusal(), conditions);
      return Optional.of(permitted(applied));
    }
    var problems = ((ClusterPlan.Refused) plans.result()).problems();
    conditions.add(Planned, false, Reason.PlanRefused, text(problems));
    return last(cluster, conditions);
  }

  private Optional<Applied> last(HBaseCluster cluster, Conditions conditions) {
    var applied = Applied.last(cluster, defaultImage);
    applied.ifPresent(it -> TableConditions.add(it.state(), List.of(), conditions));
    return applied.map(this::permitted);
  }

  /**
   * What was applied last, and what last served, come from the status: from before the operator's
   * settings were changed, or from somebody who may write there. Then nothing is applied, and what
   * runs stays as it is: another template would restart it.
   */
  private Applied permitted(Applied applied) {
    var groups = applied.groups().stream().map(it -> it.plan().group()).toList();
    var problems =
        Stream.concat(
                PodTemplateChecks.problems(applied.deployed().getSpec(), rights).stream(),
                PodTemplateChecks.problems(groups, rights).stream())
            .distinct()
            .toList();
    if (!problems.isEmpty()) {
      throw new IllegalStateException(
          "nothing is applied, since a pod template of the status is not permitted: "
              + text(problems));
    }
    return applied;
  }

  private static String text(List<PlanProblem> problems) {
    return problems.stream().map(PlanProblem::toString).collect(Collectors.joining("\n"));
  }
}
