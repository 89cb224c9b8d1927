package io.offheap.hbase.report;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.apache.commons.statistics.descriptive.Median;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * A figure of two variants, by the ratios of the pairs that were measured in the same round.
 *
 * @param median of the ratios; empty where there is no pair
 * @param low lower end of the bootstrap interval of 95 % of the median
 * @param high its upper end
 * @param noise the factor that ratios of equal variants stayed within, 1 or more; empty where there
 *     was none
 * @param pairs how many there are
 */
public record Comparison(
    OptionalDouble median,
    OptionalDouble low,
    OptionalDouble high,
    OptionalDouble noise,
    int pairs,
    Result result) {
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
    /** Fewer than three pairs, no pair of equal variants, or a figure that is not compared. */
    UNDECIDED
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
  }

  /**
   * Compares.
   *
   * @param better which of two values is
   * @param pairs of the two variants
   * @param equal pairs of two servers of the same variant
   */
  public static Comparison of(Figure.Better better, List<Pair> pairs, List<Pair> equal) {
    double[] ratios = ratios(pairs);
    double[] equals = ratios(equal);
    var noise = noise(equals);
    if (ratios.length == 0) {
      var none = OptionalDouble.empty();
      return new Comparison(none, none, none, noise, 0, Result.UNDECIDED);
    }
    double median = Median.withDefaults().evaluate(ratios.clone());
    double[] interval = interval(ratios);
    return new Comparison(
        OptionalDouble.of(median),
        OptionalDouble.of(interval[0]),
        OptionalDouble.of(interval[1]),
        noise,
        pairs.size(),
        result(better, median, interval, noise, pairs.size()));
  }

  private static double[] ratios(List<Pair> pairs) {
    return pairs.stream().mapToDouble(Pair::ratio).toArray();
  }

  /** Either order of two equal servers is as good, so a ratio counts as much as its inverse. */
  private static OptionalDouble noise(double[] ratios) {
    if (ratios.length == 0) {
      return OptionalDouble.empty();
    }
    double widest = 1;
    for (double ratio : ratios) {
      widest = Math.max(widest, Math.max(ratio, 1 / ratio));
    }
    return OptionalDouble.of(widest);
  }

  private static double[] interval(double[] ratios) {
    var random = new Random(SEED);
    var medians = new double[SAMPLES];
    var sample = new double[ratios.length];
    for (int i = 0; i < SAMPLES; i++) {
      for (int j = 0; j < sample.length; j++) {
        sample[j] = ratios[random.nextInt(ratios.length)];
      }
      medians[i] = Median.withDefaults().evaluate(sample);
    }
    return Quantile.withDefaults().evaluate(medians, TAIL, 1 - TAIL);
  }

  private static Result result(
      Figure.Better better, double median, double[] interval, OptionalDouble noise, int pairs) {
    if (better == Figure.Better.NEITHER || pairs < FEWEST_PAIRS || noise.isEmpty()) {
      return Result.UNDECIDED;
    }
    boolean withinNoise = Math.max(median, 1 / median) <= noise.getAsDouble();
    if (withinNoise || (interval[0] <= 1 && interval[1] >= 1)) {
      return Result.NO_DIFFERENCE;
    }
    return (median < 1) == (better == Figure.Better.LOWER) ? Result.AHEAD : Result.BEHIND;
  }
}
