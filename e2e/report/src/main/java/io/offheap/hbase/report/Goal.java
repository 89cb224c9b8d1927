package io.offheap.hbase.report;

import java.util.Arrays;
import java.util.List;

/**
 * What a unit is to show, written down before it is measured.
 *
 * @param figure that is compared
 * @param of the variant that the goal is about
 * @param than the variants that it is compared with; none of a bound
 * @param atMost what no round may be above; null where variants are compared
 */
public record Goal(Figure figure, Variant of, List<Variant> than, Want want, Double atMost) {

  /** A bound has no variants that it is compared with. */
  public Goal {
    than = than == null ? List.of() : List.copyOf(than);
  }

  static Goal of(Figure figure, Variant of, List<Variant> than, Want want) {
    return new Goal(figure, of, than, want, null);
  }

  /** How the figure must compare. */
  public enum Want {
    /** Better, by more than the noise. */
    ahead,
    /** Not worse by more than the noise. */
    notBehind
  }

  /** Whether a comparison reaches a goal. */
  public enum Outcome {
    MET,
    MISSED,
    /** Too few pairs, or none of equal variants. */
    UNDECIDED
  }

  /** Returns this goal for what is left of its variants. */
  Goal among(List<Variant> variants) {
    return new Goal(figure, of, than.stream().filter(variants::contains).toList(), want, atMost);
  }

  Goal against(Variant one) {
    return new Goal(figure, of, List.of(one), want, atMost);
  }

  /** Whether it is about the variant alone. */
  boolean isBound() {
    return atMost != null;
  }

  /** Returns what the values of all rounds mean for this goal, which is a bound. */
  Outcome outcome(double[] values) {
    if (values.length == 0) {
      return Outcome.UNDECIDED;
    }
    return Arrays.stream(values).allMatch(value -> value <= atMost) ? Outcome.MET : Outcome.MISSED;
  }

  /** Returns what a comparison means for this goal. */
  Outcome outcome(Comparison.Result result) {
    if (result == Comparison.Result.UNDECIDED) {
      return Outcome.UNDECIDED;
    }
    boolean met =
        want == Want.ahead ? result == Comparison.Result.AHEAD : result != Comparison.Result.BEHIND;
    return met ? Outcome.MET : Outcome.MISSED;
  }
}
