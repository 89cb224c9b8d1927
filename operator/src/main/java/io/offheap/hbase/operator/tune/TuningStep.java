package io.offheap.hbase.operator.tune;

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

  /** Whether nothing is judged as the window is not full. */
  public boolean isGathering() {
    return message.startsWith(Tuner.GATHERS);
  }
}
