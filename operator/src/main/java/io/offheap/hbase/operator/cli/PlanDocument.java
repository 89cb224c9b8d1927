package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.render.SettingDocument;
import java.util.List;
import java.util.Map;

/**
 * The document of {@code plan}.
 *
 * @param name of a further group; left out for the first one
 * @param hash changes when a value changes
 * @param settings every setting in parts
 * @param hbaseSite properties of hbase-site.xml
 * @param jvmOptions in the order for {@code java}
 * @param budget the parts of the container's memory
 * @param container the container
 * @param groups the further groups of a resource; left out where there are none
 */
record PlanDocument(
    @JsonInclude(JsonInclude.Include.NON_NULL) String name,
    String hash,
    List<SettingDocument> settings,
    Map<String, String> hbaseSite,
    List<String> jvmOptions,
    List<BudgetItem> budget,
    Container container,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PlanDocument> groups) {
  PlanDocument {
    groups = List.copyOf(groups);
  }

  record Container(long memoryBytes) {}

  /** The document of the first plan, with the others in it. */
  static PlanDocument of(List<GroupPlan> plans) {
    var others =
        plans.stream().skip(1).map(it -> of(it.group().name(), it.plan(), List.of())).toList();
    return of(null, plans.get(0).plan(), others);
  }

  private static PlanDocument of(String name, MemoryPlan plan, List<PlanDocument> groups) {
    return new PlanDocument(
        name,
        plan.hash(),
        plan.settings().stream().map(SettingDocument::of).toList(),
        plan.hbaseSite(),
        plan.jvmOptions(),
        plan.budget(),
        new Container(plan.containerMemoryBytes()),
        groups);
  }
}
