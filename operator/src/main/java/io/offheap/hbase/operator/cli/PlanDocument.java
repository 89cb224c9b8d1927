package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import java.util.List;
import java.util.Map;

/**
 * A plan for programs: what {@code plan -o json} prints.
 *
 * @param hash changes when a value changes
 * @param settings every value with its reason
 * @param hbaseSite properties of hbase-site.xml
 * @param jvmOptions in the order in which {@code java} takes them
 * @param budget the parts of the container's memory
 * @param container the container
 */
record PlanDocument(
    String hash,
    List<Setting> settings,
    Map<String, String> hbaseSite,
    List<String> jvmOptions,
    List<BudgetItem> budget,
    Container container) {

  record Container(long memoryBytes) {}

  static PlanDocument of(MemoryPlan plan) {
    return new PlanDocument(
        plan.hash(),
        plan.settings(),
        plan.hbaseSite(),
        plan.jvmOptions(),
        plan.budget(),
        new Container(plan.containerMemoryBytes()));
  }
}
