package io.offheap.hbase.operator.page;

import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.MemoryPlanStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.PlanBudgetItem;
import io.offheap.hbase.operator.api.HBaseClusterStatus.PlanSetting;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The plan of a region server group that is applied.
 *
 * @param name its name; empty for the default group
 * @param ready servers that serve, of those declared, as {@code 2/3}; null where not known
 * @param hash the plan's hash
 * @param heap as the JVM has it, such as {@code 30g}; null where the plan lacks it
 * @param offHeap the same of direct memory
 * @param bytes memory of the container
 * @param budget what the container's memory is made of
 * @param settings all values
 */
record GroupView(
    String name,
    String ready,
    String hash,
    String heap,
    String offHeap,
    long bytes,
    List<PlanBudgetItem> budget,
    List<Value> settings) {
  GroupView {
    budget = List.copyOf(budget);
    settings = List.copyOf(settings);
  }

  /** Who chose a value. */
  enum Provenance {
    declared,
    tuned,
    derived
  }

  /**
   * One value.
   *
   * @param target hbase-site, jvm or container
   * @param reason the formula with its numbers
   * @param source where the formula comes from
   */
  record Value(
      String target,
      String key,
      String value,
      Provenance provenance,
      String reason,
      String source) {
    private static Value of(PlanSetting setting) {
      return new Value(
          setting.target(),
          setting.key(),
          setting.value(),
          provenance(setting.source()),
          setting.reason(),
          setting.source());
    }

    private static Provenance provenance(String source) {
      return switch (Setting.provenance(Objects.requireNonNullElse(source, ""))) {
        case DECLARED -> Provenance.declared;
        case TUNED -> Provenance.tuned;
        case DERIVED, PROFILE, LIVE -> Provenance.derived;
      };
    }
  }

  /** All groups with a plan, the default one first. */
  static List<GroupView> of(HBaseClusterStatus status) {
    var views = new ArrayList<GroupView>();
    if (status.memoryPlan() != null) {
      views.add(of("", status.readyRegionServers(), status.memoryPlan()));
    }
    Objects.requireNonNullElse(status.groups(), List.<HBaseClusterStatus.Group>of()).stream()
        .filter(it -> it.memoryPlan() != null)
        .map(it -> of(Objects.requireNonNullElse(it.name(), ""), it.ready(), it.memoryPlan()))
        .forEach(views::add);
    return views;
  }

  private static GroupView of(String name, String ready, MemoryPlanStatus plan) {
    var settings = Objects.requireNonNullElse(plan.settings(), List.<PlanSetting>of());
    var budget = Objects.requireNonNullElse(plan.budget(), List.<PlanBudgetItem>of());
    return new GroupView(
        name,
        ready,
        plan.hash(),
        value(settings, JvmKeys.HEAP.name()).orElse(null),
        value(settings, JvmKeys.DIRECT_MEMORY.name()).orElse(null),
        budget.stream().mapToLong(PlanBudgetItem::bytes).sum(),
        budget,
        settings.stream().map(Value::of).toList());
  }

  private static Optional<String> value(List<PlanSetting> settings, String key) {
    return settings.stream()
        .filter(it -> key.equals(it.key()))
        .map(PlanSetting::value)
        .filter(Objects::nonNull)
        .findFirst();
  }
}
