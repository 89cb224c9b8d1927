package io.offheap.hbase.report;

import java.util.Arrays;
import java.util.List;

/**
 * What a unit is to show, written down before it is measured.
 *
 * @param figure that is compared
 * @param of the variant that the goal is about
 * @param than the variants that it is compared with; none of a bound
 * @param margin the part by which it may be worse and count as not behind; null of other goals
 * @param atMost what no round may be above; null where variants are compared
 */
public record Goal(
    Figure figure, Variant of, List<Variant> than, Want want, Double margin, Double atMost) {

  /** A bound has no variants that it is compared with. */
  public Goal {
    than = than == null ? List.of() : List.copyOf(than);
  }

  /** How the figure must compare. */
  public enum Want {
    /** Better, by more than the noise. */
    ahead,
    /** Not worse by more than the noise, and by no more than the margin at the interval's end. */
    notBehind
  }

  /** Whether a comparison reaches a goal. */
  public enum Outcome {
    MET,
    MISSED,
    /** What was measured permits neither. */
    UNDECIDED
  }

  /** Returns this goal for what is left of its variants. */
  Goal among(List<Variant> variants) {
    return new Goal(
        figure, of, than.stream().filter(variants::contains).toList(), want, margin, atMost);
  }

  Goal against(Variant one) {
    return new Goal(figure, of, List.of(one), want, margin, atMost);
  }

  /** Whether it is about the variant alone. */
  boolean isBound() {
    return atMost != null;
  }

  /**
   * Returns what the rounds mean for this goal, which is a bound.
   *
   * @param values of all rounds
   * @param ended whether a server of the variant ended
   */
  Outcome outcome(double[] values, boolean ended) {
    if (ended) {
      return Outcome.MISSED;
    }
    if (values.length == 0) {
      return Outcome.UNDECIDED;
    }
    return Arrays.stream(values).allMatch(value -> value <= atMost) ? Outcome.MET : Outcome.MISSED;
  }

  /** Returns what a comparison means for this goal. */
  Outcome outcome(Comparison comparison) {
    return switch (comparison.result()) {
      case AHEAD -> Outcome.MET;
      case BEHIND -> Outcome.MISSED;
      case UNDECIDED -> Outcome.UNDECIDED;
      case NO_DIFFERENCE -> {
        if (want == Want.ahead) {
          yield Outcome.MISSED;
        }
        yield isWithinMargin(comparison) ? Outcome.MET : Outcome.UNDECIDED;
      }
    };
  }

  /** A wide interval is no proof that nothing is lost. */
  private boolean isWithinMargin(Comparison comparison) {
    return figure.better() == Figure.Better.HIGHER
        ? comparison.low().getAsDouble() >= 1 - margin
        : comparison.high().getAsDouble() <= 1 + margin;
  }
}
