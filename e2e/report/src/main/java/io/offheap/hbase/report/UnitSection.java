package io.offheap.hbase.report;

import static io.offheap.hbase.report.Numbers.number;
import static io.offheap.hbase.report.Numbers.ratio;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The section of a unit: its conditions, and its goals and figures where it was measured. */
final class UnitSection {
  static final String STALE =
      "**Stale: measured with other inputs or conditions than today's. It is due again.** ";

  private UnitSection() {}

  /** What is measured how. */
  static String conditions(Unit unit) {
    return """
    Unit `%s`: container of %d MiB; %,d rows of %,d bytes in %d regions; %s; %s, %s; latency at %,d operations a second, %s.%s
    """
        .formatted(
            unit.name(),
            unit.limit(),
            unit.table().rows(),
            unit.table().valueBytes(),
            unit.table().regions(),
            switch (unit.cache().kind()) {
              case none -> "no block cache";
              case share ->
                  "a bucket cache of %.0f %% of the table%s"
                      .formatted(
                          100 * unit.cache().share(),
                          unit.variants().contains(Variant.A)
                              ? ", but in a and b HBase's own cache"
                              : "");
              case same -> "caches of %d MiB for data blocks".formatted(unit.cache().mib());
              case all -> "a table that fits each cache, read ahead";
              case own -> "each variant's own cache";
            },
            operations(unit.load()),
            unit.load().distribution(),
            unit.load().rate(),
            unit.load().operation() == Unit.Load.Operation.rollout
                ? "each Get when its time comes, in one of 256 threads"
                : "%d client threads".formatted(unit.load().threads()),
            unit.isSideBySide()
                ? " Side by side: two servers at the same time, each with half of the processors,"
                    + " and on each other's side in the next round."
                : "");
  }

  private static String operations(Unit.Load load) {
    var read =
        switch (load.operation()) {
          case get -> "Gets";
          case multiGet -> "Gets of 100 rows";
          case filteredScan -> "scans of 10,000 rows, none of which is returned";
          case tenthScan -> "scans of 10,000 rows, a tenth of which is returned";
          case rollout -> "Gets through a restart of three region servers";
        };
    return load.read() == 100
        ? "only " + read
        : "%d %% %s, %d %% updates%s"
            .formatted(
                load.read(),
                read,
                100 - load.read(),
                load.updateRows() == null ? "" : " of %d rows each".formatted(load.updateRows()));
  }

  /**
   * Where it was measured: machine, goals, figures and plots.
   *
   * @param stale whether the unit's inputs are others now
   */
  static String measured(Unit unit, Results results, boolean stale) {
    var machine = results.machine();
    var commits =
        results.rounds().stream().map(Round::commit).distinct().collect(Collectors.joining(", "));
    var tables = new UnitTables(unit, results);
    return """

    %sMeasured: %s. %s, %d cores, %d GiB, JDK %s, kernel %s; commit %s.%s
    %s
    %s
    %s%s%s\
    """
        .formatted(
            stale ? STALE : "",
            counts(unit, results),
            machine.processor(),
            machine.cores(),
            machine.memoryGib(),
            machine.jdk(),
            machine.kernel(),
            commits,
            took(results) + disturbance(results),
            steps(results) + failures(results),
            goals(unit, results) + notes(unit),
            tables.figures(),
            tables.sweep(),
            plots(unit, results));
  }

  private static String counts(Unit unit, Results results) {
    return unit.isUnbroken()
        ? "%d of %d servers, each once: nothing of them is compared"
            .formatted(results.count(false), unit.due())
        : "%d of %d pairs, %d of %d pairs of equal variants"
            .formatted(
                results.count(false), unit.due(), results.equalPairs(), unit.rounds().noise());
  }

  private static String took(Results results) {
    var runs = results.runs();
    return runs.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            " It took %.0f min in %d runs; %.0f min were stated.",
            runs.stream().mapToDouble(Results.RunTime::real).sum(),
            runs.size(),
            runs.stream().mapToDouble(Results.RunTime::stated).sum());
  }

  /** The worst of what else the machine did, and how many servers were not warm. */
  private static String disturbance(Results results) {
    var conditions =
        results.rounds().stream()
            .flatMap(round -> round.arms().stream())
            .map(Arm::conditions)
            .filter(Objects::nonNull)
            .toList();
    return conditions.isEmpty()
        ? ""
        : String.format(
            Locale.ROOT,
            " Other processes took at most %.1f %% of the processors' time, the hypervisor %.1f %%;"
                + " of %d servers, the compilers of %d were not quiet yet.",
            conditions.stream().mapToDouble(Arm.Conditions::foreignPercent).max().orElse(0),
            conditions.stream().mapToDouble(Arm.Conditions::stealPercent).max().orElse(0),
            conditions.size(),
            conditions.stream().filter(it -> !it.quiet()).count());
  }

  /** What the operator's tuning changed, by variant; nothing where it did not tune. */
  private static String steps(Results results) {
    var steps =
        results.rounds().stream()
            .flatMap(round -> round.arms().stream())
            .filter(arm -> arm.conditions() != null && arm.conditions().step() != null)
            .map(arm -> "- %s: %s\n".formatted(arm.variant().letter(), arm.conditions().step()))
            .distinct()
            .sorted()
            .collect(Collectors.joining());
    return steps.isEmpty() ? "" : "\nThe operator's own changes:\n\n" + steps;
  }

  /** Servers that ended, and runs that failed; nothing where there were none. */
  static String failures(Results results) {
    var text = new StringBuilder();
    for (int i = 0; i < results.rounds().size(); i++) {
      for (Arm arm : results.rounds().get(i).arms()) {
        if (arm.hasEnded()) {
          text.append(
              "- Round %d, variant %s: the server ended: %s\n"
                  .formatted(
                      i + 1,
                      arm.variant().letter(),
                      arm.failure() == null ? "out of memory" : arm.failure()));
        }
      }
    }
    for (Results.Failure failure : results.failures()) {
      text.append(
          "- A run failed at variant %s, %s, commit %s: %s\n"
              .formatted(
                  failure.variant().letter(), failure.ended(), failure.commit(), failure.reason()));
    }
    return text.isEmpty() ? "" : "\nServers that ended, and runs that failed:\n\n" + text;
  }

  /** What a person has to say about the results; nothing where that is nothing. */
  private static String notes(Unit unit) {
    return unit.notes() == null
        ? ""
        : unit.notes().stream().collect(Collectors.joining("\n- ", "\nNotes:\n\n- ", "\n"));
  }

  private static String goals(Unit unit, Results results) {
    int pairs = results.count(false);
    var text =
        new StringBuilder(
            """
            | Goal | Ratio | Interval, %.0f %% | Noise | Outcome |
            | --- | ---: | ---: | ---: | --- |
            """
                .formatted(100 * Comparison.coverage(pairs)));
    for (Goal goal : unit.goals()) {
      if (goal.isBound()) {
        text.append("| %s | | | | %s |\n".formatted(words(goal), words(outcome(goal, results))));
        continue;
      }
      for (Variant than : goal.than()) {
        var comparison = results.compare(goal.figure(), goal.of(), than);
        text.append(
            "| %s | %s | %s | %s | %s%s |\n"
                .formatted(
                    words(goal.against(than)),
                    ratio(comparison.ratio()),
                    interval(comparison),
                    noise(comparison),
                    words(goal.outcome(comparison)),
                    comparison.reason().isEmpty() ? "" : " (" + comparison.reason() + ")"));
      }
    }
    return text.toString();
  }

  /** Returns the outcomes of all goals, each against each of its variants. */
  static List<Goal.Outcome> outcomes(Unit unit, Results results) {
    return unit.goals().stream()
        .flatMap(
            goal ->
                goal.isBound()
                    ? Stream.of(outcome(goal, results))
                    : goal.than().stream()
                        .map(than -> goal.outcome(results.compare(goal.figure(), goal.of(), than))))
        .toList();
  }

  /** Returns the goals that are missed, each as a sentence with its ratio where it has one. */
  static List<String> missed(Unit unit, Results results) {
    var missed = new ArrayList<String>();
    for (Goal goal : unit.goals()) {
      if (goal.isBound()) {
        if (outcome(goal, results) == Goal.Outcome.MISSED) {
          missed.add(words(goal));
        }
        continue;
      }
      for (Variant than : goal.than()) {
        var comparison = results.compare(goal.figure(), goal.of(), than);
        if (goal.outcome(comparison) == Goal.Outcome.MISSED) {
          missed.add("%s: %s".formatted(words(goal.against(than)), ratio(comparison.ratio())));
        }
      }
    }
    return missed;
  }

  private static Goal.Outcome outcome(Goal bound, Results results) {
    return bound.outcome(results.values(bound.figure(), bound.of()), results.hasEnded(bound.of()));
  }

  private static String words(Goal.Outcome outcome) {
    return switch (outcome) {
      case MET -> "met";
      case MISSED -> "**missed**";
      case UNDECIDED -> "undecided";
    };
  }

  /** A goal as a sentence. */
  static String words(Goal goal) {
    if (goal.isBound()) {
      return "%s: %s at most %s, in each round"
          .formatted(goal.figure().label(), goal.of().letter(), number(goal.atMost()));
    }
    var than = goal.than().stream().map(Variant::letter).collect(Collectors.joining(" and "));
    var of = goal.of().letter();
    return goal.want() == Goal.Want.ahead
        ? "%s: %s ahead of %s".formatted(goal.figure().label(), of, than)
        : "%s: %s not behind %s, within %.0f %%"
            .formatted(goal.figure().label(), of, than, 100 * goal.margin());
  }

  private static String interval(Comparison comparison) {
    return comparison.low().isEmpty()
        ? ""
        : ratio(comparison.low()) + " to " + ratio(comparison.high());
  }

  private static String noise(Comparison comparison) {
    if (comparison.noise().isEmpty()) {
      return "";
    }
    double factor = comparison.noise().getAsDouble();
    return "%s to %s".formatted(ratio(OptionalDouble.of(1 / factor)), ratio(comparison.noise()));
  }

  private static String plots(Unit unit, Results results) {
    return Plots.of(unit, results).stream()
        .map(plot -> "\n![%s](%s/%s)\n".formatted(plot.title(), Document.PLOTS, plot.file()))
        .collect(Collectors.joining());
  }
}
