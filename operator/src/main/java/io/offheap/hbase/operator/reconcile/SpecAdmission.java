package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.status.ConditionType.Planned;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.declare.PodTemplateChecks;
import io.offheap.hbase.operator.observe.ObservedImages;
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
 * Selects the configuration to apply: the declared one, or if that is refused the last applied one.
 *
 * @param defaultImage image of clusters that declare none
 * @param rights what the operator's settings permit to pod templates
 */
record SpecAdmission(String defaultImage, PodRights rights) {
  /**
   * Selects it and adds the condition {@code Planned}.
   *
   * @param plans the plans of this pass
   * @param shared identities that another cluster has, and servers that an earlier resource left
   * @param missing references to missing objects
   * @param live the live tables
   * @param images the images of ZooKeeper and HDFS, as observed
   * @return empty if there is nothing to apply
   * @throws IllegalStateException if the last applied pod template is not permitted
   */
  Optional<Applied> admit(
      Plans plans,
      HBaseCluster cluster,
      List<PlanProblem> shared,
      List<PlanProblem> missing,
      ObservedTables live,
      ObservedImages images,
      Conditions conditions) {
    var refused =
        Stream.concat(ClusterChecks.problems(cluster, rights).stream(), shared.stream()).toList();
    if (!refused.isEmpty() || !missing.isEmpty()) {
      var reason = refused.isEmpty() ? Reason.ConfigurationMissing : Reason.SpecRefused;
      var problems = Stream.concat(refused.stream(), missing.stream()).toList();
      conditions.add(Planned, false, reason, text(problems));
      return last(plans, cluster, images, conditions);
    }
    var fitted = new ObservedPlans(plans, live).of(cluster);
    if (fitted.result() instanceof ClusterPlan.Planned planned) {
      var applied =
          Applied.of(plans, cluster, planned.groups(), fitted.live(), defaultImage, images);
      conditions.add(Planned, true, Reason.Planned, applied.text());
      TableConditions.add(applied.state(), fitted.refusal(), conditions);
      return Optional.of(permitted(applied));
    }
    var problems = ((ClusterPlan.Refused) fitted.result()).problems();
    conditions.add(Planned, false, Reason.PlanRefused, text(problems));
    return last(plans, cluster, images, conditions);
  }

  private Optional<Applied> last(
      Plans plans, HBaseCluster cluster, ObservedImages images, Conditions conditions) {
    var applied = Applied.last(plans, cluster, defaultImage, images);
    applied.ifPresent(it -> TableConditions.add(it.state(), List.of(), conditions));
    return applied.map(this::permitted);
  }

  /**
   * The last applied and the last good spec come from status: they may be older than a change of
   * the operator's settings, or another writer's. A forbidden pod template is not applied, and
   * running pods are not changed: another template would restart them.
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
