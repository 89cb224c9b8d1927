package io.offheap.hbase.operator.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.offheap.hbase.operator.api.HBaseClusterStatus.MemoryPlanStatus;
import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Key;
import io.offheap.hbase.operator.plan.Keys;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plans in status: a summary, and the values, so that the last good plan can be applied again.
 * Status has no reasons; they follow from the spec.
 */
public final class PlanStatuses {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private PlanStatuses() {}

  /** A plan for status. */
  public static MemoryPlanStatus of(MemoryPlan plan) {
    return new MemoryPlanStatus(
        plan.hash(),
        text(plan, JvmKeys.HEAP),
        text(plan, JvmKeys.DIRECT_MEMORY),
        text(plan, Keys.CONTAINER_MEMORY),
        values(plan));
  }

  private static String text(MemoryPlan plan, Key<?> key) {
    return plan.setting(key).map(Setting::text).orElse(null);
  }

  /**
   * The plan of a status.
   *
   * @return empty if it has no values, or values that cannot be parsed
   */
  public static Optional<MemoryPlan> read(MemoryPlanStatus status) {
    var values = status.values();
    if (values == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          values.startsWith("{")
              ? JSON.readValue(values, Values.class).plan()
              : PackedPlans.read(values));
    } catch (IOException | RuntimeException e) {
      // Another writer's text. The plan follows from the spec if that is not refused.
      return Optional.empty();
    }
  }

  private static String values(MemoryPlan plan) {
    try {
      return JSON.writeValueAsString(Values.of(plan));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a plan can be written as JSON", e);
    }
  }

  /**
   * A plan's part in status.
   *
   * @param settings target, key and value of each, in the plan's order, which the hash depends on;
   *     and its provenance, where that is not a formula alone: tuning leaves what a person
   *     declared; and the profile's name for a value of a profile
   * @param budget the parts of the container's memory, in bytes
   */
  record Values(List<List<String>> settings, Map<String, Long> budget) {
    private static Values of(MemoryPlan plan) {
      var budget = new LinkedHashMap<String, Long>();
      plan.budget().forEach(it -> budget.put(it.item(), it.bytes()));
      return new Values(plan.settings().stream().map(Values::row).toList(), budget);
    }

    private static List<String> row(Setting setting) {
      var target = setting.target().text();
      var provenance = setting.provenance();
      return switch (provenance) {
        case DERIVED -> List.of(target, setting.name(), setting.text());
        case DECLARED, TUNED, LIVE ->
            List.of(target, setting.name(), setting.text(), provenance.text());
        case PROFILE ->
            List.of(target, setting.name(), setting.text(), provenance.text(), setting.source());
      };
    }

    private static Setting setting(List<String> kept) {
      // Refuses null.
      var row = List.copyOf(kept);
      var origin = StoredOrigin.of(row.subList(3, row.size()));
      return Setting.stored(
          Target.of(row.get(0)),
          row.get(1),
          row.get(2),
          origin.provenance(),
          StoredOrigin.NO_REASON,
          origin.source());
    }

    private MemoryPlan plan() {
      return new MemoryPlan(
          settings.stream().map(Values::setting).toList(),
          budget.entrySet().stream()
              .map(it -> new BudgetItem(it.getKey(), it.getValue()))
              .toList());
    }
  }
}
