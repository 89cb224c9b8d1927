package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rounds of one unit, all of one machine and of the same inputs.
 *
 * @param inputs what the unit's result depends on, as one word
 */
public record Results(String unit, String inputs, Machine machine, List<Round> rounds) {
  static Results none(String unit, String inputs, Machine machine) {
    return new Results(unit, inputs, machine, List.of());
  }

  /** Returns what a folder has of a unit, of any inputs. */
  static Optional<Results> read(Path folder, String unit) throws IOException {
    return Store.read(folder, unit, Results.class);
  }

  void write(Path folder) throws IOException {
    Store.write(folder, unit, this);
  }

  /** Values over time are for one plot, and long: the first round of all variants keeps them. */
  Results with(Round round) {
    var more = new ArrayList<>(rounds);
    more.add(round.equal() || count(false) > 0 ? round.withoutPlots() : round);
    return new Results(unit, inputs, machine, List.copyOf(more));
  }

  /**
   * Returns these, with the rounds of equal variants of another unit, for one that has none of its
   * own. Those of another machine do not count.
   */
  Results withNoiseOf(Results other) {
    if (!machine.equals(other.machine)) {
      return this;
    }
    var more = new ArrayList<>(rounds);
    other.rounds.stream().filter(Round::equal).forEach(more::add);
    return new Results(unit, inputs, machine, List.copyOf(more));
  }

  int count(boolean equal) {
    return (int) rounds.stream().filter(round -> round.equal() == equal).count();
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

  Comparison compare(Figure.Better better, Round.Value value, Variant of, Variant than) {
    var pairs =
        rounds.stream()
            .filter(round -> !round.equal())
            .flatMap(round -> round.pair(value, of, than).stream())
            .toList();
    var equal = rounds.stream().flatMap(round -> round.equalPair(value).stream()).toList();
    return Comparison.of(better, pairs, equal);
  }

  Comparison compare(Figure figure, Variant of, Variant than) {
    return compare(figure.better(), Round.Value.of(figure), of, than);
  }
}
