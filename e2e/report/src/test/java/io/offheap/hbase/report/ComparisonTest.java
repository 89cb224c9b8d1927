package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offheap.hbase.report.Comparison.Pair;
import io.offheap.hbase.report.Comparison.Result;
import io.offheap.hbase.report.Figure.Better;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  private static final List<Pair> QUIET = pairs(1.02, 0.99, 1.01);

  private static List<Pair> pairs(double... ratios) {
    return IntStream.range(0, ratios.length)
        .mapToObj(i -> new Pair(ratios[i] * (10 + i), 10 + i))
        .toList();
  }

  @Test
  void medianIsThatOfTheRatiosAndNotTheRatioOfTheMedians() {
    var pairs = List.of(new Pair(1, 2), new Pair(30, 10), new Pair(8, 10));

    assertThat(Comparison.of(Better.LOWER, pairs, QUIET).median()).hasValue(0.8);
  }

  @Test
  void intervalOfThreePairsReachesFromTheLeastToTheLargestRatio() {
    var comparison = Comparison.of(Better.LOWER, pairs(0.5, 0.6, 0.9), QUIET);

    assertThat(comparison.low().orElseThrow()).isCloseTo(0.5, within(1e-9));
    assertThat(comparison.high().orElseThrow()).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void intervalCoversTheTrueMedianInAboutNineteenOfTwentySamples() {
    var random = new Random(7);
    int covered = 0;
    for (int i = 0; i < 200; i++) {
      var pairs =
          Stream.generate(() -> new Pair(Math.exp(0.2 * random.nextGaussian()) * 0.7, 1))
              .limit(10)
              .toList();
      var comparison = Comparison.of(Better.LOWER, pairs, QUIET);
      if (comparison.low().orElseThrow() <= 0.7 && comparison.high().orElseThrow() >= 0.7) {
        covered++;
      }
    }

    assertThat(covered).isBetween(180, 198);
  }

  @Test
  void intervalIsTheSameEachTime() {
    var pairs = pairs(0.81, 0.7, 0.75, 0.9, 0.66);

    assertThat(Comparison.of(Better.LOWER, pairs, QUIET))
        .isEqualTo(Comparison.of(Better.LOWER, pairs, QUIET));
  }

  @Test
  void noiseIsTheLargestFactorBetweenEqualServersInEitherOrder() {
    var comparison = Comparison.of(Better.LOWER, pairs(1, 1, 1), pairs(1.1, 0.8));

    assertThat(comparison.noise().orElseThrow()).isCloseTo(1.25, within(1e-9));
  }

  @Test
  void claimsNoDifferenceWithinTheNoise() {
    var comparison = Comparison.of(Better.LOWER, pairs(0.9, 0.91, 0.92), pairs(1.2, 0.95));

    assertThat(comparison.high().orElseThrow()).isLessThan(1);
    assertThat(comparison.result()).isEqualTo(Result.NO_DIFFERENCE);
  }

  @Test
  void claimsNoDifferenceWhereTheIntervalHasOne() {
    assertThat(Comparison.of(Better.LOWER, pairs(0.5, 0.6, 1.1), QUIET).result())
        .isEqualTo(Result.NO_DIFFERENCE);
  }

  @Test
  void lessIsAheadOrBehindAsTheFigureIs() {
    var less = pairs(0.5, 0.6, 0.7);

    assertThat(Comparison.of(Better.LOWER, less, QUIET).result()).isEqualTo(Result.AHEAD);
    assertThat(Comparison.of(Better.HIGHER, less, QUIET).result()).isEqualTo(Result.BEHIND);
    assertThat(Comparison.of(Better.NEITHER, less, QUIET).result()).isEqualTo(Result.UNDECIDED);
  }

  @Test
  void decidesNothingByTwoPairsOrWithoutEqualPairs() {
    assertThat(Comparison.of(Better.LOWER, pairs(0.5, 0.5), QUIET).result())
        .isEqualTo(Result.UNDECIDED);
    assertThat(Comparison.of(Better.LOWER, pairs(0.5, 0.5, 0.5), List.of()).result())
        .isEqualTo(Result.UNDECIDED);
    assertThat(Comparison.of(Better.LOWER, List.of(), QUIET).result()).isEqualTo(Result.UNDECIDED);
  }

  @Test
  void nothingAgainstSomethingIsAhead() {
    var pairs = List.of(new Pair(0, 1), new Pair(0, 2), new Pair(0, 2));

    assertThat(Comparison.of(Better.LOWER, pairs, QUIET).result()).isEqualTo(Result.AHEAD);
  }

  @Test
  void claimsNothingWhereOneOfTwoEqualServersHadNothing() {
    var equal = List.of(new Pair(0, 1), new Pair(1, 1));

    assertThat(Comparison.of(Better.LOWER, pairs(0.1, 0.1, 0.1), equal).result())
        .isEqualTo(Result.NO_DIFFERENCE);
  }

  @Test
  void nothingAgainstNothingIsNoDifference() {
    var pairs = List.of(new Pair(0, 0), new Pair(0, 0), new Pair(0, 0));

    assertThat(Comparison.of(Better.LOWER, pairs, QUIET).result()).isEqualTo(Result.NO_DIFFERENCE);
  }

  @Test
  void goalsAreMetByWhatTheyAskFor() {
    var ahead = Goal.of(Figure.P99_MILLIS, Variant.E, List.of(Variant.A), Goal.Want.ahead);
    var level = Goal.of(Figure.P99_MILLIS, Variant.E, List.of(Variant.A), Goal.Want.notBehind);

    assertThat(Stream.of(Result.values()).map(ahead::outcome))
        .containsExactly(
            Goal.Outcome.MET, Goal.Outcome.MISSED, Goal.Outcome.MISSED, Goal.Outcome.UNDECIDED);
    assertThat(Stream.of(Result.values()).map(level::outcome))
        .containsExactly(
            Goal.Outcome.MET, Goal.Outcome.MISSED, Goal.Outcome.MET, Goal.Outcome.UNDECIDED);
  }

  @Test
  void boundIsMissedByOneValueAboveIt() {
    var bound = new Goal(Figure.LONGEST_MILLIS, Variant.E, null, null, 3_000.0);

    assertThat(bound.outcome(new double[] {10, 3_000})).isEqualTo(Goal.Outcome.MET);
    assertThat(bound.outcome(new double[] {10, 3_001})).isEqualTo(Goal.Outcome.MISSED);
    assertThat(bound.outcome(new double[0])).isEqualTo(Goal.Outcome.UNDECIDED);
  }
}
