package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.render.SettingDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One value of a plan, its reason, and what would change it: the document of {@code explain}.
 *
 * <p>Changes are found by experiment: each field of the resource is changed step by step, with all
 * others unchanged, until the planner derives another value. So a rule that is added to the planner
 * is explained without a change here. Steps that the planner refuses are ignored.
 *
 * @param setting the value with its reason
 * @param option the option for {@code java}, for options of the JVM
 * @param changes the fields that change the value, with the nearest step that does
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Explanation(@JsonUnwrapped SettingDocument setting, String option, List<Change> changes) {
  Explanation {
    changes = List.copyOf(changes);
  }

  /**
   * A field that changes the value.
   *
   * @param field path of the field
   * @param from its present value, declared or derived
   * @param to the value that was tried
   * @param value the setting's value after the change; left out where the plan lacks it
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Change(String field, String from, String to, String value) {}

  /**
   * Explains a setting of a group's plan.
   *
   * @throws RefusedException if the resource cannot be read again
   */
  static Explanation of(ClusterFile cluster, GroupPlan group, Setting setting)
      throws RefusedException {
    var plan = group.plan();
    var place = GroupLocation.of(cluster.cluster().getSpec(), group.group());
    var inputs =
        Stream.of(
                MemoryInputs.of(place, plan),
                Inputs.fields(place, plan),
                Inputs.overrides(place, plan, setting))
            .flatMap(List::stream)
            .toList();
    var changes = new ArrayList<Change>();
    for (Input input : inputs) {
      for (List<String> way : input.ways()) {
        nearest(cluster, GroupTitle.of(group.group()), setting, input, way, changes);
      }
    }
    return new Explanation(
        SettingDocument.of(setting),
        setting.target() == Target.JVM ? Inputs.option(plan, setting) : null,
        changes);
  }

  private static void nearest(
      ClusterFile cluster,
      String group,
      Setting setting,
      Input input,
      List<String> way,
      List<Change> changes) {
    for (String other : way) {
      try {
        var plan = cluster.with(Assignment.of(input.field(), other)).plan(group).plan();
        var value = plan.setting(setting.target(), setting.name()).map(Setting::text).orElse(null);
        if (!setting.text().equals(value)) {
          changes.add(new Change(input.field(), input.now(), other, value));
          return;
        }
      } catch (RefusedException e) {
        // Without a plan there is no value; the next step may have one.
      }
    }
  }
}
