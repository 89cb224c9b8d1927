package io.offheap.hbase.operator.tune;

import java.util.List;

/**
 * What one step of tuning comes to.
 *
 * @param next what to remember; its {@link TuningMemory#values()} are to be planned with from now
 *     on
 * @param saying what tuning does or waits for, for people
 * @param outcomes what the rules said of the evidence, where they were asked
 * @param suspicions what is the matter that tuning cannot mend; empty where nothing is
 */
public record TuningStep(
    TuningMemory next, String saying, List<Outcome> outcomes, List<String> suspicions) {
  public TuningStep {
    outcomes = List.copyOf(outcomes);
    suspicions = List.copyOf(suspicions);
  }

  /** Whether nothing is judged as the window is not full. */
  public boolean isGathering() {
    return saying.startsWith(Tuner.GATHERS);
  }
}
