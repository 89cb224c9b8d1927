package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rounds of one unit, all of one machine and of the same inputs.
 *
 * @param inputs what the unit's result depends on, as one word
 * @param failures runs that ended before their last server was measured
 * @param runs that measured the rounds, with the time that they took
 */
public record Results(
    String unit,
    String inputs,
    Machine machine,
    List<Round> rounds,
    List<Failure> failures,
    List<RunTime> runs) {
  /** Fewer of two variants together, in all rounds, decide nothing. */
  static final int FEWEST_EVENTS = 20;

  /** A server with less of its rate has a queue, whose length its latencies are. */
  static final double SATURATED = 0.98;

  /**
   * A run that failed. Its round is measured again, so this is all that is kept of it.
   *
   * @param ended when, in UTC
   * @param variant of the server that was due
   */
  public record Failure(String ended, String commit, Variant variant, String reason) {}

  /**
   * A run, whether it failed or not.
   *
   * @param ended when, in UTC
   * @param rounds that it added
   * @param stated minutes, of all rounds that it was to add
   * @param real minutes
   */
  public record RunTime(String ended, int rounds, double stated, double real) {}

  static Results none(String unit, String inputs, Machine machine) {
    return new Results(unit, inputs, machine, List.of(), List.of(), List.of());
  }

  /** Returns what a folder has of a unit, of any inputs. */
  static Optional<Results> read(Path folder, String unit) throws IOException {
    return Store.read(folder, unit, Results.class);
  }

  void write(Path folder) throws IOException {
    Store.write(folder, unit, this);
  }

  /** Values over time are for one plot, and long: the first server of each variant keeps them. */
  Results with(Round round) {
    boolean hasPlots =
        round.arms().stream()
            .allMatch(arm -> rounds.stream().anyMatch(it -> !it.equal() && it.has(arm.variant())));
    var kept = round.equal() || hasPlots ? round.withoutPlots() : round.withoutPlotsOfNoise();
    return new Results(unit, inputs, machine, more(rounds, kept), failures, runs);
  }

  Results with(Failure failure) {
    return new Results(unit, inputs, machine, rounds, more(failures, failure), runs);
  }

  Results with(RunTime run) {
    return new Results(unit, inputs, machine, rounds, failures, more(runs, run));
  }

  private static <T> List<T> more(List<T> some, T one) {
    var more = new ArrayList<>(some);
    more.add(one);
    return List.copyOf(more);
  }

  int count(boolean equal) {
    return (int) rounds.stream().filter(round -> round.equal() == equal).count();
  }

  /** How many pairs of equal variants there are. */
  int equalPairs() {
    return (int) rounds.stream().filter(Round::hasEqualPair).count();
  }

  /** Whether any server of the variant ended before its load did. */
  boolean hasEnded(Variant variant) {
    return arms(variant).anyMatch(Arm::hasEnded);
  }

  /** Whether any server of the variant did not reach the fixed rate. */
  boolean isSaturated(Variant variant) {
    return arms(variant)
        .anyMatch(arm -> arm.figures().getOrDefault(Figure.RATE_REACHED, 1.0) < SATURATED);
  }

  private Stream<Arm> arms(Variant variant) {
    return rounds.stream()
        .flatMap(round -> round.arms().stream())
        .filter(arm -> arm.variant() == variant);
  }

  /** Returns the values of a variant, in the order of the rounds. */
  double[] values(Round.Value value, Variant variant) {
    return rounds.stream()
        .filter(round -> !round.equal())
        .flatMap(round -> round.arm(variant).stream())
        .flatMap(arm -> value.of(arm).stream())
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  double[] values(Figure figure, Variant variant) {
    return values(Round.Value.of(figure), variant);
  }

  /** Returns the comparison of throughput with a number of threads. */
  Comparison compare(int threads, Variant of, Variant than) {
    return compare(
        Figure.Better.HIGHER,
        Comparison.Estimate.MEDIAN_OF_RATIOS,
        Round.Value.ofThreads(threads),
        of,
        than);
  }

  Comparison compare(Figure figure, Variant of, Variant than) {
    var comparison = compare(figure.better(), figure.estimate(), Round.Value.of(figure), of, than);
    if (hasEnded(of) || hasEnded(than) || comparison.result() == Comparison.Result.UNDECIDED) {
      return comparison;
    }
    if (figure.isLatency() && (isSaturated(of) || isSaturated(than))) {
      return comparison.undecided(
          "%s is saturated".formatted((isSaturated(of) ? of : than).letter()));
    }
    var events = figure.events().map(it -> sum(values(it, of)) + sum(values(it, than)));
    return events.isPresent() && events.get() < FEWEST_EVENTS
        ? comparison.undecided("%.0f collections".formatted(events.get()))
        : comparison;
  }

  private static double sum(double[] values) {
    return Arrays.stream(values).sum();
  }

  private Comparison compare(
      Figure.Better better,
      Comparison.Estimate estimate,
      Round.Value value,
      Variant of,
      Variant than) {
    var pairs =
        rounds.stream()
            .filter(round -> !round.equal())
            .flatMap(round -> round.pair(better, value, of, than).stream())
            .toList();
    var equal = rounds.stream().flatMap(round -> round.equalPair(value).stream()).toList();
    var comparison = Comparison.of(better, estimate, pairs, equal);
    return hasEnded(of) && better != Figure.Better.NEITHER ? comparison.behind() : comparison;
  }
}
