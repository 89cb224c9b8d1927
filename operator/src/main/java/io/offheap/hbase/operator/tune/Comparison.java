package io.offheap.hbase.operator.tune;

import java.util.ArrayList;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Whether a change helped: its rule's symptom after it against before it, and what clients feel of
 * it: the time in pauses, for which they wait, and the 99th percentile of their calls.
 *
 * <ul>
 *   <li>It helped where the symptom fell by a tenth or more; by a tenth more than its peers', where
 *       those fell too without the change.
 *   <li>Where the symptom is only a counter ({@link Rule#isSymptomFelt()}), clients must feel the
 *       change as well: the time in pauses, for as much traffic, fell by a tenth and by 2 ms of
 *       each second; or the 99th percentile by a tenth and by 2 ms, with no less traffic than nine
 *       tenths. The percentile must not have risen by half and 20 ms meanwhile, the limits of a
 *       canary. Of the other rules it decides nothing here: a load that changes would raise it too,
 *       and the canary compares it with servers of the same time.
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

  private static final double SLOWER_MILLIS = 20;

  /** Percentiles are in whole milliseconds: a smaller difference may be one of rounding. */
  private static final double FASTER_MILLIS = 2;

  /** Shorter pauses than that are chance, however large a part of them it is. */
  private static final double SHORTER_PAUSES = 0.002;

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
    /** The symptom fell, and clients feel nothing of it. */
    NOT_FELT,
    NO_GAIN,
    HARM,
    UNKNOWN
  }

  /**
   * Compares.
   *
   * @param rule of the change
   */
  static Verdict compare(Rule rule, Baseline before, Baseline after) {
    if (before.symptom().isEmpty() || after.symptom().isEmpty()) {
      return new Verdict(Kind.UNKNOWN, "too few metrics to compare");
    }
    double traffic =
        before.traffic().isPresent() && after.traffic().isEmpty()
            ? 0
            : ratio(before.traffic(), after.traffic());
    if (traffic < LEAST_TRAFFIC) {
      return new Verdict(
          Kind.UNKNOWN, line("traffic is %.0f %% of what it was before", 100 * traffic));
    }
    double pausesBefore = before.pauses().orElse(1) * Math.max(1, traffic);
    double pausesAfter = after.pauses().orElse(0);
    if (pausesAfter > pausesBefore * HARM_FACTOR && pausesAfter > pausesBefore + HARM_SLACK) {
      return new Verdict(Kind.HARM, pausesText(pausesBefore, pausesAfter));
    }
    double peers = Math.min(1, ratio(before.peers(), after.peers()));
    double expected = before.symptom().getAsDouble() * peers;
    double now = after.symptom().getAsDouble();
    var text = line("%.2f %%, before %.2f %%", 100 * now, 100 * before.symptom().getAsDouble());
    if (peers < 1) {
      text += line("; its peers fell to %.0f %% of theirs without the change", 100 * peers);
    }
    boolean isLower = now <= expected * GAIN;
    if (isLower && rule.isSymptomFelt()) {
      return new Verdict(Kind.GAIN, text);
    }
    if (isLower) {
      var felt = felt(before, after, traffic);
      text += "; " + felt.text();
      if (felt.kind() != Kind.NOT_FELT || traffic <= MORE_TRAFFIC) {
        return new Verdict(felt.kind(), text);
      }
    }
    return traffic > MORE_TRAFFIC
        ? new Verdict(Kind.UNKNOWN, text + line("; traffic is %.0f %% of then", 100 * traffic))
        : new Verdict(Kind.NO_GAIN, text);
  }

  private static String pausesText(double before, double after) {
    return line("collections take %.2f %% of the time, before %.2f %%", 100 * after, 100 * before);
  }

  /** What clients feel of a change: {@link Kind#UNKNOWN} where there is nothing to compare. */
  private static Verdict felt(Baseline before, Baseline after, double traffic) {
    var texts = new ArrayList<String>();
    boolean isBetter = false;
    boolean isWorse = false;
    if (before.pauses().isPresent() && after.pauses().isPresent()) {
      double was = before.pauses().getAsDouble();
      double is = after.pauses().getAsDouble();
      texts.add(pausesText(was, is));
      // Less traffic has shorter pauses without a change. More of it may come from the pool alone.
      isBetter = hasFallen(was * Math.min(1, traffic), is, SHORTER_PAUSES);
    }
    if (before.callP99Millis().isPresent() && after.callP99Millis().isPresent()) {
      double was = before.callP99Millis().getAsDouble();
      double is = after.callP99Millis().getAsDouble();
      texts.add(line("99 %% of the calls take up to %.0f ms, before %.0f ms", is, was));
      isBetter |=
          after.traffic().isPresent() && traffic >= GAIN && hasFallen(was, is, FASTER_MILLIS);
      isWorse = is > was * HARM_FACTOR && is > was + SLOWER_MILLIS;
    }
    if (texts.isEmpty()) {
      return new Verdict(Kind.UNKNOWN, "neither pauses nor calls can be compared");
    }
    return new Verdict(isBetter && !isWorse ? Kind.GAIN : Kind.NOT_FELT, String.join("; ", texts));
  }

  private static boolean hasFallen(double before, double after, double least) {
    return after < before && after <= before * GAIN && after <= before - least;
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
