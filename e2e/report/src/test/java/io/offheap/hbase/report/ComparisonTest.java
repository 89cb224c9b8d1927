package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offheap.hbase.report.Comparison.Estimate;
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

  private static Comparison compare(Better better, List<Pair> pairs, List<Pair> equal) {
    return Comparison.of(better, Estimate.MEDIAN_OF_RATIOS, pairs, equal);
  }

  private static Comparison sums(List<Pair> pairs, List<Pair> equal) {
    return Comparison.of(Better.LOWER, Estimate.RATIO_OF_SUMS, pairs, equal);
  }

  @Test
  void medianIsThatOfTheRatiosAndNotTheRatioOfTheMedians() {
    var pairs = List.of(new Pair(1, 2), new Pair(30, 10), new Pair(8, 10));

    assertThat(compare(Better.LOWER, pairs, QUIET).ratio()).hasValue(0.8);
  }

  @Test
  void intervalOfThreePairsReachesFromTheLeastToTheLargestRatio() {
    var comparison = compare(Better.LOWER, pairs(0.5, 0.6, 0.9), QUIET);

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
      var comparison = compare(Better.LOWER, pairs, QUIET);
      if (comparison.low().orElseThrow() <= 0.7 && comparison.high().orElseThrow() >= 0.7) {
        covered++;
      }
    }

    assertThat(covered).isBetween(180, 198);
  }

  @Test
  void intervalIsTheSameEachTime() {
    var pairs = pairs(0.81, 0.7, 0.75, 0.9, 0.66);

    assertThat(compare(Better.LOWER, pairs, QUIET)).isEqualTo(compare(Better.LOWER, pairs, QUIET));
  }

  @Test
  void noiseIsTheLargestFactorBetweenEqualServersInEitherOrder() {
    var comparison = compare(Better.LOWER, pairs(1, 1, 1), pairs(1.1, 0.8));

    assertThat(comparison.noise().orElseThrow()).isCloseTo(1.25, within(1e-9));
  }

  @Test
  void claimsNoDifferenceWithinTheNoise() {
    var comparison = compare(Better.LOWER, pairs(0.9, 0.91, 0.92), pairs(1.2, 0.95));

    assertThat(comparison.high().orElseThrow()).isLessThan(1);
    assertThat(comparison.result()).isEqualTo(Result.NO_DIFFERENCE);
  }

  @Test
  void claimsNoDifferenceWhereTheIntervalHasOne() {
    assertThat(compare(Better.LOWER, pairs(0.5, 0.6, 1.1), QUIET).result())
        .isEqualTo(Result.NO_DIFFERENCE);
  }

  @Test
  void lessIsAheadOrBehindAsTheFigureIs() {
    var less = pairs(0.5, 0.6, 0.7);

    assertThat(compare(Better.LOWER, less, QUIET).result()).isEqualTo(Result.AHEAD);
    assertThat(compare(Better.HIGHER, less, QUIET).result()).isEqualTo(Result.BEHIND);
    assertThat(compare(Better.NEITHER, less, QUIET).result()).isEqualTo(Result.UNDECIDED);
  }

  @Test
  void decidesNothingByTwoPairsOrWithoutEqualPairs() {
    assertThat(compare(Better.LOWER, pairs(0.5, 0.5), QUIET).result()).isEqualTo(Result.UNDECIDED);
    assertThat(compare(Better.LOWER, pairs(0.5, 0.5, 0.5), List.of()).result())
        .isEqualTo(Result.UNDECIDED);
    assertThat(compare(Better.LOWER, List.of(), QUIET).result()).isEqualTo(Result.UNDECIDED);
  }

  @Test
  void nothingAgainstSomethingIsAhead() {
    var pairs = List.of(new Pair(0, 1), new Pair(0, 2), new Pair(0, 2));

    assertThat(compare(Better.LOWER, pairs, QUIET).result()).isEqualTo(Result.AHEAD);
  }

  @Test
  void decidesNothingWhereOneOfTwoEqualServersHadNothing() {
    var equal = List.of(new Pair(0, 1), new Pair(1, 1));

    assertThat(compare(Better.LOWER, pairs(0.1, 0.1, 0.1), equal).result())
        .isEqualTo(Result.UNDECIDED);
  }

  @Test
  void sumsHaveARatioWhereAServerHadNoCollection() {
    var pairs = List.of(new Pair(0, 8), new Pair(6, 10), new Pair(0, 6), new Pair(6, 0));
    var equal = List.of(new Pair(3, 4), new Pair(5, 4), new Pair(4, 4));

    var comparison = sums(pairs, equal);

    assertThat(comparison.ratio()).hasValue(0.5);
    assertThat(comparison.noise().orElseThrow()).isBetween(1.1, 4.0 / 3);
    assertThat(compare(Better.LOWER, pairs, equal).ratio()).hasValue(0.3);
  }

  @Test
  void noiseOfSumsIsFiniteWhereOneOfTwoEqualServersHadNone() {
    var equal = List.of(new Pair(0, 2), new Pair(9, 8), new Pair(10, 10), new Pair(9, 10));
    var pairs = pairs(0.3, 0.3, 0.3, 0.3, 0.3, 0.3);

    assertThat(sums(pairs, equal).noise().orElseThrow()).isBetween(1.05, 2.0);
    assertThat(sums(pairs, equal).result()).isEqualTo(Result.AHEAD);
    assertThat(compare(Better.LOWER, pairs, equal).result()).isEqualTo(Result.UNDECIDED);
  }

  @Test
  void intervalOfSumsIsOfTheResampledPairs() {
    var pairs =
        List.of(
            new Pair(1, 10),
            new Pair(9, 10),
            new Pair(5, 10),
            new Pair(5, 10),
            new Pair(5, 10),
            new Pair(5, 10));

    var comparison = sums(pairs, QUIET);

    assertThat(comparison.low().orElseThrow()).isBetween(0.2, 0.4);
    assertThat(comparison.high().orElseThrow()).isBetween(0.6, 0.8);
  }

  @Test
  void intervalOfThreePairsHasTheMedianInThreeOfFourCases() {
    var random = new Random(7);
    int covered = 0;
    for (int i = 0; i < 1_000; i++) {
      var pairs =
          Stream.generate(() -> new Pair(Math.exp(0.2 * random.nextGaussian()) * 0.7, 1))
              .limit(3)
              .toList();
      var comparison = compare(Better.LOWER, pairs, QUIET);
      if (comparison.low().orElseThrow() <= 0.7 && comparison.high().orElseThrow() >= 0.7) {
        covered++;
      }
    }

    assertThat(covered / 1e3).isCloseTo(Comparison.coverage(3), within(0.05));
    assertThat(Comparison.coverage(3)).isEqualTo(0.75);
    assertThat(Comparison.coverage(5)).isEqualTo(0.9375);
    assertThat(Comparison.coverage(10)).isEqualTo(0.95);
  }

  @Test
  void nothingAgainstNothingIsNoDifference() {
    var pairs = List.of(new Pair(0, 0), new Pair(0, 0), new Pair(0, 0));

    assertThat(compare(Better.LOWER, pairs, QUIET).result()).isEqualTo(Result.NO_DIFFERENCE);
  }

  private static Goal goal(Goal.Want want, Double margin) {
    return new Goal(Figure.P99_MILLIS, Variant.E, List.of(Variant.A), want, margin, null);
  }

  @Test
  void goalAheadIsMetByAheadAlone() {
    var ahead = goal(Goal.Want.ahead, null);

    assertThat(ahead.outcome(compare(Better.LOWER, pairs(0.5, 0.6, 0.7), QUIET)))
        .isEqualTo(Goal.Outcome.MET);
    assertThat(ahead.outcome(compare(Better.LOWER, pairs(0.9, 1, 1.1), QUIET)))
        .isEqualTo(Goal.Outcome.MISSED);
    assertThat(ahead.outcome(compare(Better.LOWER, pairs(1.5, 1.6, 1.7), QUIET)))
        .isEqualTo(Goal.Outcome.MISSED);
    assertThat(ahead.outcome(compare(Better.LOWER, pairs(0.5, 0.6), QUIET)))
        .isEqualTo(Goal.Outcome.UNDECIDED);
  }

  @Test
  void goalNotBehindIsMetWhereTheWorseEndIsWithinTheMargin() {
    var level = goal(Goal.Want.notBehind, 0.2);
    // No difference is claimed in either case, and the second one may have lost a half.
    var narrow = compare(Better.LOWER, pairs(0.9, 1, 1.19), QUIET);
    var wide = compare(Better.LOWER, pairs(0.7, 1, 1.5), QUIET);

    assertThat(List.of(narrow.result(), wide.result())).containsOnly(Result.NO_DIFFERENCE);
    assertThat(level.outcome(narrow)).isEqualTo(Goal.Outcome.MET);
    assertThat(level.outcome(wide)).isEqualTo(Goal.Outcome.UNDECIDED);
    assertThat(level.outcome(compare(Better.LOWER, pairs(0.5, 0.6, 0.7), QUIET)))
        .isEqualTo(Goal.Outcome.MET);
    assertThat(level.outcome(compare(Better.LOWER, pairs(1.05, 1.06, 1.07), QUIET)))
        .isEqualTo(Goal.Outcome.MISSED);
  }

  @Test
  void worseEndOfAFigureThatIsToBeHighIsTheLowerOne() {
    var level =
        new Goal(
            Figure.OPERATIONS_PER_SECOND,
            Variant.E,
            List.of(Variant.A),
            Goal.Want.notBehind,
            0.1,
            null);

    assertThat(level.outcome(compare(Better.HIGHER, pairs(0.91, 1, 1.5), QUIET)))
        .isEqualTo(Goal.Outcome.MET);
    assertThat(level.outcome(compare(Better.HIGHER, pairs(0.89, 1, 1.1), QUIET)))
        .isEqualTo(Goal.Outcome.UNDECIDED);
  }

  @Test
  void boundIsMissedByOneValueAboveItOrByAServerThatEnded() {
    var bound = new Goal(Figure.LONGEST_MILLIS, Variant.E, null, null, null, 3_000.0);

    assertThat(bound.outcome(new double[] {10, 3_000}, false)).isEqualTo(Goal.Outcome.MET);
    assertThat(bound.outcome(new double[] {10, 3_001}, false)).isEqualTo(Goal.Outcome.MISSED);
    assertThat(bound.outcome(new double[] {10, 3_000}, true)).isEqualTo(Goal.Outcome.MISSED);
    assertThat(bound.outcome(new double[0], false)).isEqualTo(Goal.Outcome.UNDECIDED);
  }
}
