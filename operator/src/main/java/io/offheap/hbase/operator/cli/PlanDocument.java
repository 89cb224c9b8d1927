package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.plan.PlanResult;
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
 * @param problems why there is no plan; then all else is left out
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record PlanDocument(
    String hash,
    List<Setting> settings,
    Map<String, String> hbaseSite,
    List<String> jvmOptions,
    List<BudgetItem> budget,
    Container container,
    List<PlanProblem> problems) {

  record Container(long memoryBytes) {}

  static PlanDocument of(PlanResult result) {
    if (result instanceof PlanResult.Refused refused) {
      return new PlanDocument(null, null, null, null, null, null, refused.problems());
    }
    MemoryPlan plan = ((PlanResult.Planned) result).plan();
    return new PlanDocument(
        plan.hash(),
        plan.settings(),
        plan.hbaseSite(),
        plan.jvmOptions(),
        plan.budget(),
        new Container(plan.containerMemoryBytes()),
        null);
  }
}
