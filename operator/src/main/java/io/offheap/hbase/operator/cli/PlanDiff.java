package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.render.OnlineKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The changes from one plan to another.
 *
 * @param oldHash hash of the one plan
 * @param newHash hash of the other
 * @param changes settings that are changed, added or removed
 * @param restart whether any change needs the region servers to restart
 */
public record PlanDiff(String oldHash, String newHash, List<Change> changes, boolean restart) {
  public PlanDiff {
    changes = List.copyOf(changes);
  }

  /** How a change reaches a running region server. */
  public enum Effect {
    restart,
    online
  }

  /**
   * One setting.
   *
   * @param target where it is applied
   * @param key its name
   * @param oldValue left out where it is added
   * @param newValue left out where it is removed
   * @param effect how it reaches a running region server
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Change(Target target, String key, String oldValue, String newValue, Effect effect) {
    private static Change of(Setting setting, String oldValue, String newValue) {
      boolean online =
          Stream.of(oldValue, newValue)
              .filter(Objects::nonNull)
              .allMatch(value -> OnlineKeys.contains(setting.target(), setting.name(), value));
      return new Change(
          setting.target(),
          setting.name(),
          oldValue,
          newValue,
          online ? Effect.online : Effect.restart);
    }
  }

  /** The difference of two plans. */
  public static PlanDiff between(MemoryPlan one, MemoryPlan other) {
    var changes = new ArrayList<Change>();
    for (Target target : Target.values()) {
      settings(one, target)
          .map(old -> Change.of(old, old.text(), value(other, old)))
          .filter(change -> !change.oldValue().equals(change.newValue()))
          .forEach(changes::add);
      settings(other, target)
          .filter(added -> one.setting(target, added.name()).isEmpty())
          .map(added -> Change.of(added, null, added.text()))
          .forEach(changes::add);
    }
    boolean restart = changes.stream().anyMatch(change -> change.effect() == Effect.restart);
    return new PlanDiff(one.hash(), other.hash(), changes, restart);
  }

  private static Stream<Setting> settings(MemoryPlan plan, Target target) {
    return plan.settings().stream().filter(setting -> setting.target() == target);
  }

  private static String value(MemoryPlan plan, Setting setting) {
    return plan.setting(setting.target(), setting.name()).map(Setting::text).orElse(null);
  }
}
