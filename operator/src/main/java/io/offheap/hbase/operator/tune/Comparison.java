package io.offheap.hbase.operator.tune;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Whether a change helped: its rule's symptom after it against before it.
 *
 * <ul>
 *   <li>It helped where the symptom fell by a tenth or more; by a tenth more than its peers', where
 *       those fell too without the change.
 *   <li>It did harm where collections now take half as much again of the time, and two percent
 *       more, even if the symptom fell. More traffic is allowed as much more.
 *   <li>It is unknown where the symptom has no value, or traffic fell to under half.
 * </ul>
 */
final class Comparison {
  private static final double GAIN = 0.9;
  private static final double LEAST_TRAFFIC = 0.5;
  private static final double HARM_FACTOR = 1.5;
  private static final double HARM_SLACK = 0.02;

  /** With so much more traffic the symptom may return although the last change was effective. */
  private static final double MORE_TRAFFIC = 1.2;

  private Comparison() {}

  /**
   * The result of a comparison.
   *
   * @param kind the kind
   * @param text with the numbers
   */
  record Verdict(Kind kind, String text) {}

  /** Results of a comparison. */
  enum Kind {
    GAIN,
    NO_GAIN,
    HARM,
    UNKNOWN
  }

  static Verdict compare(Baseline before, Baseline after) {
    if (before.symptom().isEmpty() || after.symptom().isEmpty()) {
      return new Verdict(Kind.UNKNOWN, "too few metrics to compare");
    }
    double traffic = ratio(before.traffic(), after.traffic());
    if (traffic < LEAST_TRAFFIC) {
      return new Verdict(
          Kind.UNKNOWN, line("traffic is %.0f %% of what it was before", 100 * traffic));
    }
    double pausesBefore = before.pauses().orElse(1) * Math.max(1, traffic);
    double pausesAfter = after.pauses().orElse(0);
    if (pausesAfter > pausesBefore * HARM_FACTOR && pausesAfter > pausesBefore + HARM_SLACK) {
      return new Verdict(
          Kind.HARM,
          line(
              "collections take %.2f %% of the time, before %.2f %%",
              100 * pausesAfter, 100 * pausesBefore));
    }
    double peers = Math.min(1, ratio(before.peers(), after.peers()));
    double expected = before.symptom().getAsDouble() * peers;
    double now = after.symptom().getAsDouble();
    var text = line("%.2f %%, before %.2f %%", 100 * now, 100 * before.symptom().getAsDouble());
    if (peers < 1) {
      text += line("; its peers fell to %.0f %% of theirs without the change", 100 * peers);
    }
    if (now <= expected * GAIN) {
      return new Verdict(Kind.GAIN, text);
    }
    return traffic > MORE_TRAFFIC
        ? new Verdict(Kind.UNKNOWN, text + line("; traffic is %.0f %% of then", 100 * traffic))
        : new Verdict(Kind.NO_GAIN, text);
  }

  /**
   * Whether the effect of a change did not last: the symptom has returned without more traffic. For
   * a rule whose one step must be enough, another proposal shows that.
   */
  static boolean hasReturned(Rule rule, Baseline before, Baseline now) {
    if (before.symptom().isEmpty()
        || now.symptom().isEmpty()
        || ratio(before.traffic(), now.traffic()) > MORE_TRAFFIC) {
      return false;
    }
    return rule.isOneStep() || now.symptom().getAsDouble() > before.symptom().getAsDouble() * GAIN;
  }

  /** The ratio; 1 where either number is missing. */
  private static double ratio(OptionalDouble before, OptionalDouble after) {
    return before.isEmpty() || after.isEmpty() || before.getAsDouble() <= 0
        ? 1
        : after.getAsDouble() / before.getAsDouble();
  }

  private static String line(String text, Object... numbers) {
    return String.format(Locale.ROOT, text, numbers);
  }
}
