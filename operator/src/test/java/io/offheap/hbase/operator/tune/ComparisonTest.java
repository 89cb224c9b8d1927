package io.offheap.hbase.operator.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Verdicts on a change. */
class ComparisonTest {
  private static final Rule COUNTS = new PrematurePromotion();
  private static final Rule FELT = new PoolTooSmall();

  @ParameterizedTest(name = "symptom {0}, of peers {1}, traffic {2}: {3}")
  @CsvSource({
    "0.2, 0.2, 100, NO_GAIN",
    "0.2, 0.4, 100, GAIN",
    "0.2, 0.4, 40, UNKNOWN",
    "0.37, 0.4, 100, NO_GAIN"
  })
  void symptomMustFallByATenthMoreThanThatOfPeers(
      double symptom, double peers, double traffic, Comparison.Kind kind) {
    var before = new Baseline(of(0.4), of(0.4), of(100), of(0.02), of(30));
    var after = new Baseline(of(symptom), of(peers), of(traffic), of(0.02), of(30));

    assertThat(Comparison.compare(FELT, before, after).kind()).isEqualTo(kind);
  }

  /** The symptom, a counter, fell from 40 to 20 % in each of them. */
  @ParameterizedTest(name = "traffic {0}, pauses {1}, p99 {2} ms: {3}")
  @CsvSource({
    "100, 0.020, 30, NOT_FELT",
    "100, 0.019, 29, NOT_FELT",
    "100, 0.018, 30, GAIN",
    "100, 0.020, 27, GAIN",
    // Less to do, and no less for each byte.
    "60, 0.012, 20, NOT_FELT",
    "60, 0.009, 30, GAIN",
    // More to do.
    "118, 0.019, 30, NOT_FELT",
    "118, 0.018, 30, GAIN",
    "130, 0.030, 30, UNKNOWN",
    // Shorter pauses, and slower calls.
    "100, 0.010, 45, GAIN",
    "100, 0.010, 51, NOT_FELT",
    // Half as much again, and 2 % of the time more.
    "100, 0.041, 20, HARM"
  })
  void clientsMustFeelAChangeOfACounter(
      double traffic, double pauses, double p99, Comparison.Kind kind) {
    var before = new Baseline(of(0.4), none(), of(100), of(0.02), of(30));
    var after = new Baseline(of(0.2), none(), of(traffic), of(pauses), of(p99));

    assertThat(Comparison.compare(COUNTS, before, after).kind()).isEqualTo(kind);
  }

  @Test
  void verdictHasWhatClientsFeel() {
    var before = new Baseline(of(0.4), none(), of(100), of(0.02), of(30));
    var after = new Baseline(of(0.2), none(), of(100), of(0.0199), of(30));

    assertThat(Comparison.compare(COUNTS, before, after).text())
        .isEqualTo(
            "20.00 %, before 40.00 %; collections take 1.99 % of the time, before 2.00 %;"
                + " 99 % of the calls take up to 30 ms, before 30 ms");
  }

  @ParameterizedTest(name = "{0} to {1} ms: {2}")
  @CsvSource({"2, 1, NOT_FELT", "3, 1, GAIN", "0, 0, NOT_FELT"})
  void roundedPercentileMustFallByTwoMilliseconds(double was, double is, Comparison.Kind kind) {
    var before = new Baseline(of(0.4), none(), of(100), of(0.02), of(was));
    var after = new Baseline(of(0.2), none(), of(100), of(0.02), of(is));

    assertThat(Comparison.compare(COUNTS, before, after).kind()).isEqualTo(kind);
  }

  /** A trial of an operator that did not read the calls has a baseline without them. */
  @ParameterizedTest(name = "pauses {0}: {1}")
  @CsvSource({"0.010, GAIN", "0.020, NOT_FELT"})
  void pausesDecideAloneWithoutAPercentileBefore(double pauses, Comparison.Kind kind) {
    var before = new Baseline(of(0.4), none(), of(100), of(0.02), none());
    var after = new Baseline(of(0.2), none(), of(100), of(pauses), of(30));

    assertThat(Comparison.compare(COUNTS, before, after).kind()).isEqualTo(kind);
  }

  @Test
  void withoutPausesAndCallsAChangeOfACounterCannotBeJudged() {
    var before = new Baseline(of(0.4), none(), of(100), none(), none());
    var after = new Baseline(of(0.2), none(), of(100), of(0.02), of(30));

    assertThat(Comparison.compare(COUNTS, before, after))
        .isEqualTo(
            new Comparison.Verdict(
                Comparison.Kind.UNKNOWN,
                "20.00 %, before 40.00 %; neither pauses nor calls can be compared"));
  }

  /** A fifth of next to nothing. */
  @Test
  void shorterPausesMustBeTwoMillisecondsOfEachSecond() {
    var before = new Baseline(of(0.4), none(), of(100), of(0.005), none());

    assertThat(felt(before, 0.004)).isEqualTo(Comparison.Kind.NOT_FELT);
    assertThat(felt(before, 0.003)).isEqualTo(Comparison.Kind.GAIN);
  }

  private static Comparison.Kind felt(Baseline before, double pauses) {
    var after = new Baseline(of(0.2), none(), of(100), of(pauses), none());
    return Comparison.compare(COUNTS, before, after).kind();
  }

  /** Without traffic, each call may be of another kind. */
  @Test
  void fasterCallsWithoutTrafficDoNotCount() {
    var before = new Baseline(of(0.4), none(), none(), of(0.02), of(30));
    var after = new Baseline(of(0.2), none(), none(), of(0.02), of(10));

    assertThat(Comparison.compare(COUNTS, before, after).kind())
        .isEqualTo(Comparison.Kind.NOT_FELT);
  }

  /** A cost is less whether or not a client waits for it. */
  @Test
  void clientsNeedNotFeelThatACostFell() {
    var before = new Baseline(of(0.4), none(), of(100), of(0.02), of(30));
    var after = new Baseline(of(0.2), none(), of(100), of(0.02), of(60));

    assertThat(Comparison.compare(FELT, before, after).text()).isEqualTo("20.00 %, before 40.00 %");
    assertThat(Comparison.compare(FELT, before, after).kind()).isEqualTo(Comparison.Kind.GAIN);
  }

  private static OptionalDouble of(double value) {
    return OptionalDouble.of(value);
  }

  private static OptionalDouble none() {
    return OptionalDouble.empty();
  }
}
