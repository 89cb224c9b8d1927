package io.offheap.hbase.operator.tune;

import java.time.Instant;
import java.util.List;

/**
 * The result of one tuning step.
 *
 * @param next the state to store; its {@link TuningState#values()} go into the plan from now on
 * @param message what tuning does or waits for
 * @param isGathering whether the rules were not evaluated because the window is not full
 * @param results of the rules, where they were evaluated
 * @param suspicions causes that tuning cannot remove; empty where there are none
 */
public record TuningStep(
    TuningState next,
    String message,
    boolean isGathering,
    List<RuleResult> results,
    List<String> suspicions) {
  public TuningStep {
    results = List.copyOf(results);
    suspicions = List.copyOf(suspicions);
  }

  /**
   * The same, where a change that this step applies names an alert as its cause. The alert is added
   * after the decision, so that no decision depends on it.
   */
  public TuningStep after(AlertCause alert, Instant now) {
    return new TuningStep(next.after(alert, now), message, isGathering, results, suspicions);
  }
}
