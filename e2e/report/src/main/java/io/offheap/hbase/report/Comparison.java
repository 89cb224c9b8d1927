package io.offheap.hbase.report;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.apache.commons.statistics.descriptive.Median;

/**
 * A figure of two variants, by the pairs that were measured in the same round.
 *
 * @param ratio of the two; empty where there is no pair
 * @param low lower end of its interval
 * @param high its upper end
 * @param noise the factor that equal variants stayed within, 1 or more; empty where there were none
 * @param pairs how many there are
 * @param reason why it is undecided; empty where that is known from the numbers
 */
public record Comparison(
    OptionalDouble ratio,
    OptionalDouble low,
    OptionalDouble high,
    OptionalDouble noise,
    int pairs,
    Result result,
    String reason) {
  /** With fewer pairs, no interval of the median covers 95 %: that from end to end is used. */
  private static final int FEWEST_FOR_BOOTSTRAP = 6;

  private static final int FEWEST_PAIRS = 3;
  private static final int SAMPLES = 10_000;
  // The same interval each time that the report is written.
  private static final long SEED = 21_879;
  private static final double TAIL = 0.025;

  /** What may be claimed of the first variant against the second one. */
  public enum Result {
    AHEAD,
    BEHIND,
    NO_DIFFERENCE,
    /** Too little was measured, or the figure is not compared. */
    UNDECIDED
  }

  /** The number that stands for all pairs. */
  public enum Estimate {
    /** Of figures that each server has enough of. */
    MEDIAN_OF_RATIOS {
      @Override
      double of(Pair[] pairs) {
        return Median.withDefaults()
            .evaluate(Arrays.stream(pairs).mapToDouble(Pair::ratio).toArray());
      }
    },
    /** Of what happens so seldom that one server may have none of it, such as collections. */
    RATIO_OF_SUMS {
      @Override
      double of(Pair[] pairs) {
        double value = 0;
        double other = 0;
        for (Pair pair : pairs) {
          value += pair.value();
          other += pair.other();
        }
        return new Pair(value, other).ratio();
      }
    };

    abstract double of(Pair[] pairs);
  }

  /**
   * Two values of a figure, of the same round, neither of which is negative.
   *
   * @param value of the variant that is compared
   * @param other of the one that it is compared with
   */
  public record Pair(double value, double other) {
    /** Infinite where there is something against nothing. Nothing against nothing is equal. */
    private double ratio() {
      return value == other ? 1 : value / other;
    }

    private Pair turned() {
      return new Pair(other, value);
    }
  }

  /**
   * Compares.
   *
   * @param better which of two values is
   * @param pairs of the two variants
   * @param equal pairs of two servers of the same variant
   */
  public static Comparison of(
      Figure.Better better, Estimate estimate, List<Pair> pairs, List<Pair> equal) {
    var noise = noise(estimate, equal);
    if (pairs.isEmpty()) {
      var none = OptionalDouble.empty();
      return new Comparison(none, none, none, noise, 0, Result.UNDECIDED, "");
    }
    double ratio = estimate.of(pairs.toArray(Pair[]::new));
    double[] interval = interval(estimate, pairs);
    return new Comparison(
        OptionalDouble.of(ratio),
        OptionalDouble.of(interval[0]),
        OptionalDouble.of(interval[1]),
        noise,
        pairs.size(),
        result(better, ratio, interval, noise, pairs.size()),
        "");
  }

  /** Returns the same numbers, of which nothing is claimed. */
  Comparison undecided(String why) {
    return new Comparison(ratio, low, high, noise, pairs, Result.UNDECIDED, why);
  }

  /** Whether a ratio that others measured is better than this one, and outside its interval. */
  boolean isWorseThan(double other, Figure.Better better) {
    return better == Figure.Better.HIGHER
        ? high.orElse(Double.POSITIVE_INFINITY) < other
        : low.orElse(0) > other;
  }

  /** Returns the same numbers of a variant of which a server ended. */
  Comparison behind() {
    return new Comparison(ratio, low, high, noise, pairs, Result.BEHIND, "");
  }

  /**
   * The probability with which an interval of so many pairs has the true median: from the least to
   * the largest of fewer than six it is 1 - 2 / 2^n.
   */
  static double coverage(int pairs) {
    return pairs < FEWEST_FOR_BOOTSTRAP ? 1 - Math.pow(2, 1 - pairs) : 1 - 2 * TAIL;
  }

  /**
   * Either order of two equal servers is as good. Of ratios: the largest factor between two. Of
   * sums: what 95 % of the sums of as many pairs stay within, each pair in either order.
   */
  private static OptionalDouble noise(Estimate estimate, List<Pair> equal) {
    if (equal.isEmpty()) {
      return OptionalDouble.empty();
    }
    if (estimate == Estimate.MEDIAN_OF_RATIOS) {
      return equal.stream().mapToDouble(pair -> factor(pair.ratio())).max();
    }
    var random = new Random(SEED);
    var factors = new double[SAMPLES];
    var sample = new Pair[equal.size()];
    for (int i = 0; i < SAMPLES; i++) {
      for (int j = 0; j < sample.length; j++) {
        var pair = equal.get(random.nextInt(sample.length));
        sample[j] = random.nextBoolean() ? pair : pair.turned();
      }
      factors[i] = factor(estimate.of(sample));
    }
    Arrays.sort(factors);
    return OptionalDouble.of(factors[last(2 * TAIL)]);
  }

  private static double factor(double ratio) {
    return Math.max(ratio, 1 / ratio);
  }

  private static double[] interval(Estimate estimate, List<Pair> pairs) {
    if (pairs.size() < FEWEST_FOR_BOOTSTRAP) {
      var ratios = pairs.stream().mapToDouble(Pair::ratio).summaryStatistics();
      return new double[] {ratios.getMin(), ratios.getMax()};
    }
    var random = new Random(SEED);
    var estimates = new double[SAMPLES];
    var sample = new Pair[pairs.size()];
    for (int i = 0; i < SAMPLES; i++) {
      for (int j = 0; j < sample.length; j++) {
        sample[j] = pairs.get(random.nextInt(sample.length));
      }
      estimates[i] = estimate.of(sample);
    }
    Arrays.sort(estimates);
    return new double[] {estimates[SAMPLES - 1 - last(TAIL)], estimates[last(TAIL)]};
  }

  /** The place in the sorted samples above which there is this part of them. */
  private static int last(double tail) {
    return (int) Math.ceil((1 - tail) * (SAMPLES - 1));
  }

  private static Result result(
      Figure.Better better, double ratio, double[] interval, OptionalDouble noise, int pairs) {
    if (better == Figure.Better.NEITHER
        || pairs < FEWEST_PAIRS
        // Something against nothing, of two equal servers: too little to know the noise.
        || Double.isInfinite(noise.orElse(Double.POSITIVE_INFINITY))) {
      return Result.UNDECIDED;
    }
    boolean withinNoise = factor(ratio) <= noise.getAsDouble();
    if (withinNoise || (interval[0] <= 1 && interval[1] >= 1)) {
      return Result.NO_DIFFERENCE;
    }
    return (ratio < 1) == (better == Figure.Better.LOWER) ? Result.AHEAD : Result.BEHIND;
  }
}
