package io.offheap.hbase.operator.tune;

import java.time.Instant;
import java.util.List;

/**
 * What one step of tuning comes to.
 *
 * @param next what to remember; its {@link TuningState#values()} are to be planned with from now on
 * @param message what tuning does or waits for
 * @param results what the rules said of the evidence, where they were asked
 * @param suspicions what is the matter that tuning cannot mend; empty where nothing is
 */
public record TuningStep(
    TuningState next, String message, List<RuleResult> results, List<String> suspicions) {
  public TuningStep {
    results = List.copyOf(results);
    suspicions = List.copyOf(suspicions);
  }

  /**
   * The same, where a change that this step applies names an alert as its cause. It is added after
   * the decision, so that no alert can have a part in it.
   */
  public TuningStep after(AlertCause alert, Instant now) {
    return new TuningStep(next.after(alert, now), message, results, suspicions);
  }

  /** Whether nothing is judged as the window is not full. */
  public boolean isGathering() {
    return message.startsWith(Tuner.GATHERS);
  }
}
