package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.render.SettingDocument;
import io.soabase.recordbuilder.core.RecordBuilder;
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
 * @param cacheMode which mode of the block cache suits the load; left out where nothing is known of
 *     it
 * @param groups the further groups of a resource; left out where there are none
 */
@RecordBuilder
record PlanDocument(
    @JsonInclude(JsonInclude.Include.NON_NULL) String name,
    String hash,
    List<SettingDocument> settings,
    Map<String, String> hbaseSite,
    List<String> jvmOptions,
    List<BudgetItem> budget,
    Container container,
    @JsonInclude(JsonInclude.Include.NON_NULL) AdviceDocument cacheMode,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<PlanDocument> groups) {
  PlanDocument {
    groups = List.copyOf(groups);
  }

  record Container(long memoryBytes) {}

  /** The document of the first plan, with the others in it. */
  static PlanDocument of(List<AdvisedPlan> plans) {
    var others =
        plans.stream().skip(1).map(it -> of(it.plan().group().name(), it, List.of())).toList();
    return of(null, plans.get(0), others);
  }

  private static PlanDocument of(String name, AdvisedPlan advised, List<PlanDocument> groups) {
    var plan = advised.plan().plan();
    return PlanDocumentBuilder.builder()
        .name(name)
        .hash(plan.hash())
        .settings(plan.settings().stream().map(SettingDocument::of).toList())
        .hbaseSite(plan.hbaseSite())
        .jvmOptions(plan.jvmOptions())
        .budget(plan.budget())
        .container(new Container(plan.containerMemoryBytes()))
        .cacheMode(advised.advice().orElse(null))
        .groups(groups)
        .build();
  }
}
