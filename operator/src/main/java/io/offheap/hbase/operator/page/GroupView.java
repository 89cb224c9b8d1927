package io.offheap.hbase.operator.page;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.render.SettingDocument;
import io.offheap.hbase.operator.status.AppliedPlans;
import java.util.List;
import java.util.Objects;

/**
 * The applied plan of a region server group.
 *
 * @param name its name; empty for the default group
 * @param ready serving and declared servers, as {@code 2/3}; null if unknown
 * @param hash the plan's hash
 * @param heap the heap in the JVM's notation, such as {@code 30g}; null if the plan lacks it
 * @param offHeap the direct memory in the same notation; null if the plan lacks it
 * @param bytes memory of the container
 * @param budget the parts of the container's memory
 * @param settings all values
 */
record GroupView(
    String name,
    String ready,
    String hash,
    String heap,
    String offHeap,
    long bytes,
    List<BudgetItem> budget,
    List<SettingDocument> settings) {
  GroupView {
    budget = List.copyOf(budget);
    settings = List.copyOf(settings);
  }

  /** All groups with a plan, the default one first. */
  static List<GroupView> of(HBaseCluster cluster) {
    var status = cluster.getStatus();
    return AppliedPlans.of(new Plans(), cluster).stream()
        .map(it -> of(it.group().name(), ready(status, it.group().name()), it.plan()))
        .toList();
  }

  private static String ready(HBaseClusterStatus status, String group) {
    if (group.isEmpty()) {
      return ClusterRow.ready(status.readyServers(), status.desiredServers());
    }
    return Objects.requireNonNullElse(status.groups(), List.<HBaseClusterStatus.Group>of()).stream()
        .filter(it -> group.equals(it.name()))
        .map(it -> ClusterRow.ready(it.readyServers(), it.desiredServers()))
        .findFirst()
        .orElse(null);
  }

  private static GroupView of(String name, String ready, MemoryPlan plan) {
    return new GroupView(
        name,
        ready,
        plan.hash(),
        plan.setting(JvmKeys.HEAP).map(Setting::text).orElse(null),
        plan.setting(JvmKeys.DIRECT_MEMORY).map(Setting::text).orElse(null),
        plan.containerMemoryBytes(),
        plan.budget(),
        plan.settings().stream().map(SettingDocument::of).toList());
  }
}
