package io.offheap.hbase.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** Which rounds are due, in runs that each end within {@link #MOST_MINUTES}. */
final class RunPlan {
  static final int MOST_MINUTES = 20;

  /** Of a run with a server, or with a search for steps, that cannot be broken off. */
  static final int MOST_UNBROKEN_MINUTES = 40;

  static final int SLACK_MINUTES = 5;

  private RunPlan() {}

  /**
   * A round that is due.
   *
   * @param order of the servers; the first one may be of the last one's variant, for the noise
   */
  record Due(boolean equal, List<Variant> order) {}

  /**
   * What is run in one go: the servers start, the table is written or found, and the rounds follow.
   *
   * @param minutes that it takes on two idle cores
   */
  record Run(Unit unit, List<Due> rounds, double minutes) {
    /**
     * After which it is ended: something waits for what does not come. A round that is refused may
     * be measured twice more.
     */
    double mostMinutes() {
      double longest =
          rounds.stream()
              .mapToDouble(round -> unit.roundMinutes(round.order().size()))
              .max()
              .orElse(0);
      return minutes + SLACK_MINUTES + 2 * longest;
    }
  }

  /**
   * Returns the runs that a unit still needs. Side by side, pairs of equal variants come before the
   * others; else a round that is due for the noise too begins with the variant that ends it. Of a
   * unit without breaks, each server is a run.
   *
   * @param results of the same inputs
   * @throws IllegalArgumentException if not one round fits a run
   */
  static List<Run> of(Unit unit, Results results) {
    return of(unit, results, false);
  }

  /**
   * The same, of units that are carried out one after the other.
   *
   * @param due the results of each so far
   */
  static List<Run> of(Map<Unit, Results> due) {
    var written = new HashSet<Unit.KeptTable>();
    var runs = new ArrayList<Run>();
    due.forEach(
        (unit, results) -> {
          var ofUnit = of(unit, results, written.contains(unit.keptTable()));
          // Two servers side by side write a table each, and one of them is kept.
          if (!ofUnit.isEmpty()) {
            written.add(unit.keptTable());
          }
          runs.addAll(ofUnit);
        });
    return runs;
  }

  private static List<Run> of(Unit unit, Results results, boolean isTableWritten) {
    var due = due(unit, results);
    var runs = new ArrayList<Run>();
    var rounds = new ArrayList<Due>();
    double minutes = unit.minutes().start() + (isTableWritten ? 0 : unit.minutes().table());
    for (Due round : due) {
      double more = unit.roundMinutes(round.order().size());
      double least = unit.minutes().start() + unit.minutes().table() + more;
      if (least > most(unit, true)) {
        throw new IllegalArgumentException(
            "%s: a start and a round take %.1f min; a run must not take over %d min"
                .formatted(unit.name(), least, most(unit, true)));
      }
      if (!rounds.isEmpty() && (unit.isUnbroken() || minutes + more > most(unit, runs.isEmpty()))) {
        runs.add(new Run(unit, List.copyOf(rounds), minutes));
        rounds.clear();
        minutes = unit.minutes().start();
      }
      rounds.add(round);
      minutes += more;
    }
    if (!rounds.isEmpty()) {
      runs.add(new Run(unit, List.copyOf(rounds), minutes));
    }
    return runs;
  }

  /**
   * Returns how many minutes a run may take.
   *
   * @param isFirst whether it is the unit's first, which searches the steps where it has any
   */
  static int most(Unit unit, boolean isFirst) {
    return unit.isUnbroken() || (isFirst && unit.load().stepsSeconds() != null)
        ? MOST_UNBROKEN_MINUTES
        : MOST_MINUTES;
  }

  private static List<Due> due(Unit unit, Results results) {
    if (unit.isUnbroken()) {
      return oneServerEach(unit, results);
    }
    return unit.isSideBySide() ? sideBySide(unit, results) : inTurn(unit, results);
  }

  /** A server that was loaded for long is not lost because the next one fails. */
  private static List<Due> oneServerEach(Unit unit, Results results) {
    return unit.variants().stream()
        .filter(variant -> results.rounds().stream().noneMatch(it -> it.has(variant)))
        .map(variant -> new Due(false, List.of(variant)))
        .toList();
  }

  /**
   * For each round that is missing, 0 for the order of the unit and 1 for the reverse. Each is as
   * often as the other, whichever rounds an earlier run has lost.
   */
  private static List<Integer> orders(Unit unit, Results results) {
    int forward = 0;
    int reverse = 0;
    var last = unit.variants().get(unit.variants().size() - 1);
    for (Round round : results.rounds()) {
      if (round.equal()) {
        continue;
      }
      // Its first server may be one for the noise; the last one is not.
      if (round.arms().get(round.arms().size() - 1).variant() == last) {
        forward++;
      } else {
        reverse++;
      }
    }
    var orders = new ArrayList<Integer>();
    while (forward + reverse < unit.rounds().pairs()) {
      boolean isForward = forward <= reverse;
      orders.add(isForward ? 0 : 1);
      forward += isForward ? 1 : 0;
      reverse += isForward ? 0 : 1;
    }
    return orders;
  }

  private static List<Due> sideBySide(Unit unit, Results results) {
    var due = new ArrayList<Due>();
    for (int i = results.equalPairs(); i < unit.rounds().noise(); i++) {
      var variant = last(order(unit.variants(), i));
      due.add(new Due(true, List.of(variant, variant)));
    }
    for (int i : orders(unit, results)) {
      due.add(new Due(false, order(unit.variants(), i)));
    }
    return due;
  }

  /** The two servers for the noise are farther apart than any that are compared. */
  private static List<Due> inTurn(Unit unit, Results results) {
    var due = new ArrayList<Due>();
    int noise = results.equalPairs();
    for (int i : orders(unit, results)) {
      var order = new ArrayList<>(order(unit.variants(), i));
      if (noise < unit.rounds().noise()) {
        order.add(0, last(order));
        noise++;
      }
      due.add(new Due(false, List.copyOf(order)));
    }
    return due;
  }

  private static Variant last(List<Variant> order) {
    return order.get(order.size() - 1);
  }

  /** ABBA: what drifts over two rounds meets each variant alike. */
  private static List<Variant> order(List<Variant> variants, int round) {
    var order = new ArrayList<>(variants);
    if (round % 2 == 1) {
      Collections.reverse(order);
    }
    return List.copyOf(order);
  }

  static double minutes(List<Run> runs) {
    return runs.stream().mapToDouble(Run::minutes).sum();
  }
}
