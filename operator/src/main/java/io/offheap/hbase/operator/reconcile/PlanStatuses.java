package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseClusterStatus.Group;
import io.offheap.hbase.operator.api.HBaseClusterStatus.MemoryPlanStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.PlanBudgetItem;
import io.offheap.hbase.operator.api.HBaseClusterStatus.PlanSetting;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.List;

/** Plans as status keeps them: whole, so that the last good one can be applied again. */
final class PlanStatuses {
  private PlanStatuses() {}

  static MemoryPlanStatus of(MemoryPlan plan) {
    return new MemoryPlanStatus(
        plan.hash(),
        plan.settings().stream()
            .map(
                setting ->
                    new PlanSetting(
                        setting.target().text(),
                        setting.name(),
                        setting.value(),
                        setting.sentence(),
                        setting.origin()))
            .toList(),
        plan.budget().stream().map(item -> new PlanBudgetItem(item.item(), item.bytes())).toList());
  }

  /** The groups beside the default one. */
  static List<Group> groups(List<GroupPlan> groups, Observation observed) {
    var models = observed.model().regionServers();
    return groups.stream()
        .filter(it -> !it.group().isDefault())
        .map(
            it ->
                new Group(
                    it.group().name(),
                    models.stream()
                        .filter(model -> model.group().equals(it.group().name()))
                        .map(model -> observed.ready(model) + "/" + model.replicas())
                        .findFirst()
                        .orElse(null),
                    of(it.plan())))
        .toList();
  }

  static MemoryPlan read(MemoryPlanStatus status) {
    return new MemoryPlan(
        status.settings().stream()
            .map(
                setting ->
                    Setting.written(
                        Target.of(setting.target()),
                        setting.key(),
                        setting.value(),
                        setting.reason(),
                        setting.source()))
            .toList(),
        status.budget().stream().map(item -> new BudgetItem(item.item(), item.bytes())).toList());
  }
}
