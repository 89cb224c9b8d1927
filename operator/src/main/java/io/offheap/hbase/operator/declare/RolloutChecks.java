package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.RolloutSpec;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.List;

/** Durations and time zones in {@code spec.rollout}. */
final class RolloutChecks {
  private RolloutChecks() {}

  static void check(RolloutSpec rollout, List<PlanProblem> problems) {
    checkDuration("rollout.drainTimeout", rollout.drainTimeout(), problems);
    checkDuration("rollout.startTimeout", rollout.startTimeout(), problems);
    checkDuration("rollout.canary.window", rollout.canary().window(), problems);
    for (int i = 0; i < rollout.windows().size(); i++) {
      var window = rollout.windows().get(i);
      if (RolloutSettings.zone(window).isEmpty()) {
        problems.add(
            new PlanProblem(
                "spec.rollout.windows[" + i + "].timeZone",
                "'" + window.timeZone() + "' is not a time zone; must be such as Europe/Paris"));
      }
    }
  }

  static void checkDuration(String field, String text, List<PlanProblem> problems) {
    if (RolloutSettings.duration(text).isEmpty()) {
      problems.add(
          new PlanProblem(
              "spec." + field,
              "'"
                  + text
                  + "' is not a time over 0; must be hours, minutes and seconds, such as 1h30m"));
    }
  }
}
