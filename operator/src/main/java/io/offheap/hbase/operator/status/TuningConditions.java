package io.offheap.hbase.operator.status;

import static io.offheap.hbase.operator.status.ConditionType.Tuned;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningStep;
import java.util.Map;
import java.util.stream.Collectors;

/** The condition {@code Tuned}. */
public final class TuningConditions {
  private TuningConditions() {}

  /**
   * Adds the condition unless tuning is disabled, or waits for servers that start for the first
   * time: then it would only repeat the condition {@code Progressing}. Once it is there, it stays.
   *
   * @param steps each group's step
   * @param applied the applied plans, which may lack the tuned values
   */
  public static void add(
      HBaseCluster cluster,
      Map<String, TuningStep> steps,
      AppliedState applied,
      Conditions conditions) {
    if (cluster.getSpec().tuning().mode() == TuningSpec.Mode.Disabled) {
      return;
    }
    boolean isRefused =
        !TunedValues.in(cluster).isEmpty()
            && TunedValues.of(applied.live()).isEmpty()
            && applied.rolledBack().isEmpty();
    var suspicions =
        steps.values().stream()
            .flatMap(it -> it.suspicions().stream())
            .map(TuningStep.Suspicion::toString)
            .toList();
    if (isRefused) {
      conditions.add(
          Tuned,
          false,
          Reason.TunedValuesRefused,
          "what is declared leaves no room for the values in status.tuning; none is applied");
    } else if (!suspicions.isEmpty()) {
      conditions.add(Tuned, false, Reason.Suspected, String.join("\n", suspicions));
    } else if (conditions.hadBefore(Tuned)
        || !steps.values().stream().allMatch(it -> isToBegin(it))) {
      conditions.add(Tuned, true, reason(steps), message(steps));
    }
  }

  private static boolean isToBegin(TuningStep step) {
    return step.activity() == TuningStep.Activity.WAITING_FOR_ROLLOUT
        && step.next().equals(TuningState.EMPTY);
  }

  private static Reason reason(Map<String, TuningStep> steps) {
    if (steps.values().stream().anyMatch(it -> it.next().trial().isPresent())) {
      return Reason.Trying;
    }
    return steps.values().stream().anyMatch(it -> it.next().recommendation().isPresent())
        ? Reason.Recommended
        : Reason.Watching;
  }

  private static String message(Map<String, TuningStep> steps) {
    return steps.entrySet().stream()
        .map(
            it ->
                it.getKey().isEmpty()
                    ? it.getValue().message()
                    : "group " + it.getKey() + ": " + it.getValue().message())
        .collect(Collectors.joining("\n"));
  }
}
