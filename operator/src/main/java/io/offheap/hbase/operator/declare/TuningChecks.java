package io.offheap.hbase.operator.declare;

import static java.util.Comparator.comparingInt;

import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.plan.Names;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.tune.Rules;
import java.time.Duration;
import java.util.List;

/** Durations and rules in {@code spec.tuning}. */
public final class TuningChecks {
  /** The longest window: the operator keeps all of its readings in memory, for each server. */
  public static final Duration LONGEST_WINDOW = Duration.ofHours(24);

  private TuningChecks() {}

  static void check(TuningSpec tuning, List<PlanProblem> problems) {
    RolloutChecks.checkDuration("tuning.window", tuning.window(), problems);
    RolloutChecks.checkDuration("tuning.warmUp", tuning.warmUp(), problems);
    if (RolloutSettings.duration(tuning.window())
        .filter(it -> it.compareTo(LONGEST_WINDOW) > 0)
        .isPresent()) {
      problems.add(
          new PlanProblem(
              "spec.tuning.window",
              tuning.window()
                  + " is longer than metrics of the servers are kept; must be at most "
                  + LONGEST_WINDOW.toHours()
                  + "h"));
    }
    RolloutChecks.checkDuration("tuning.coolDown", tuning.coolDown(), problems);
    checkDisabledRules(tuning.disabledRules(), problems);
  }

  /** The schema permits any name, so that a new rule does not change the schema. */
  private static void checkDisabledRules(List<String> disabled, List<PlanProblem> problems) {
    var names = Rules.all().names();
    for (int i = 0; i < disabled.size(); i++) {
      var name = disabled.get(i);
      if (names.contains(name)) {
        continue;
      }
      var nearest = names.stream().min(comparingInt(it -> Names.distance(it, name))).orElseThrow();
      problems.add(
          new PlanProblem(
              "spec.tuning.disabledRules[" + i + "]",
              "'"
                  + name
                  + "' is not a rule; the nearest is "
                  + nearest
                  + "; must be one of "
                  + String.join(", ", names)));
    }
  }
}
