package io.offheap.hbase.report;

import static io.offheap.hbase.report.Numbers.number;
import static io.offheap.hbase.report.Numbers.ratio;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.apache.commons.statistics.descriptive.Median;

/** The section of a unit: its conditions, and its goals and figures where it was measured. */
final class UnitSection {
  private UnitSection() {}

  /** What is measured how. */
  static String conditions(Unit unit) {
    return """
    Unit `%s`: container of %d MiB; %,d rows of %,d bytes in %d regions; %s; %s, %s; latency at %,d operations a second, %d client threads.%s
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
                  "a bucket cache of %.0f %% of the table, but in a and b HBase's own cache"
                      .formatted(100 * unit.cache().share());
              case same -> "caches of %d MiB for data blocks".formatted(unit.cache().mib());
              case all -> "a table that fits each cache, read ahead";
              case own -> "each variant's own cache";
            },
            operations(unit.load()),
            unit.load().distribution(),
            unit.load().rate(),
            unit.load().threads(),
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
        ? read + " alone"
        : "%d %% %s, %d %% updates".formatted(load.read(), read, 100 - load.read());
  }

  /** Where it was measured: machine, goals, figures and plots. */
  static String measured(Unit unit, Results results) {
    var machine = results.machine();
    var commits =
        results.rounds().stream().map(Round::commit).distinct().collect(Collectors.joining(", "));
    return """

    Measured: %d of %d pairs, %s. %s, %d cores, %d GiB, JDK %s, kernel %s; commit %s.

    %s
    %s%s%s\
    """
        .formatted(
            results.count(false),
            unit.rounds().pairs(),
            unit.noiseOf() == null
                ? "%d of %d pairs of equal variants (%s)"
                    .formatted(results.count(true), unit.rounds().noise(), unit.noise().letter())
                : "%d pairs of equal variants of unit `%s`"
                    .formatted(results.count(true), unit.noiseOf()),
            machine.processor(),
            machine.cores(),
            machine.memoryGib(),
            machine.jdk(),
            machine.kernel(),
            commits,
            goals(unit, results),
            figures(unit, results),
            sweep(unit, results),
            plots(unit, results));
  }

  private static String goals(Unit unit, Results results) {
    var text =
        new StringBuilder(
            """
            | Goal | Ratio | 95 % interval | Noise | Outcome |
            | --- | ---: | ---: | ---: | --- |
            """);
    for (Goal goal : unit.goals()) {
      if (goal.isBound()) {
        text.append(
            "| %s | | | | %s |\n"
                .formatted(
                    words(goal), words(goal.outcome(results.values(goal.figure(), goal.of())))));
        continue;
      }
      for (Variant than : goal.than()) {
        var comparison = results.compare(goal.figure(), goal.of(), than);
        text.append(
            "| %s | %s | %s | %s | %s |\n"
                .formatted(
                    words(goal.against(than)),
                    ratio(comparison.median()),
                    interval(comparison),
                    noise(comparison),
                    words(goal.outcome(comparison.result()))));
      }
    }
    return text.toString();
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
    return "%s: %s %s %s"
        .formatted(
            goal.figure().label(),
            goal.of().letter(),
            goal.want() == Goal.Want.ahead ? "ahead of" : "not behind",
            than);
  }

  private static String figures(Unit unit, Results results) {
    var variants = unit.variants();
    var last = variants.get(variants.size() - 1);
    var others = variants.subList(0, variants.size() - 1);
    var text = new StringBuilder("| Median |");
    variants.forEach(variant -> text.append(" %s |".formatted(variant.letter())));
    others.forEach(other -> text.append(" %s / %s |".formatted(last.letter(), other.letter())));
    text.append(" Seed, after / before |\n| --- |");
    text.append(" ---: |".repeat(variants.size() + others.size() + 1)).append('\n');
    for (Figure figure : Figure.values()) {
      text.append("| %s |".formatted(figure.label()));
      for (Variant variant : variants) {
        text.append(" %s |".formatted(typical(unit, figure, results.values(figure, variant))));
      }
      for (Variant other : others) {
        text.append(" %s |".formatted(claim(figure, results.compare(figure, last, other))));
      }
      var seed = unit.seed() == null ? null : unit.seed().get(figure);
      text.append(" %s |\n".formatted(seed == null ? "" : ratio(OptionalDouble.of(seed))));
    }
    return text.toString();
  }

  /** Throughput by number of threads. */
  private static String sweep(Unit unit, Results results) {
    if (unit.load().sweep() == null) {
      return "";
    }
    var variants = unit.variants();
    var last = variants.get(variants.size() - 1);
    var others = variants.subList(0, variants.size() - 1);
    var text = new StringBuilder("\n| Operations a second, threads |");
    variants.forEach(variant -> text.append(" %s |".formatted(variant.letter())));
    others.forEach(other -> text.append(" %s / %s |".formatted(last.letter(), other.letter())));
    text.append(" Seed, after / before |\n| ---: |");
    text.append(" ---: |".repeat(variants.size() + others.size() + 1)).append('\n');
    for (int threads : unit.load().sweep()) {
      var value = Round.Value.ofThreads(threads);
      text.append("| %d |".formatted(threads));
      for (Variant variant : variants) {
        double[] values = results.values(value, variant);
        text.append(
            " %s |"
                .formatted(
                    values.length == 0 ? "" : number(Median.withDefaults().evaluate(values))));
      }
      for (Variant other : others) {
        text.append(
            " %s |".formatted(claim(results.compare(Figure.Better.HIGHER, value, last, other))));
      }
      var seed = unit.sweepSeed() == null ? null : unit.sweepSeed().get(threads);
      text.append(" %s |\n".formatted(seed == null ? "" : ratio(OptionalDouble.of(seed))));
    }
    return text.toString();
  }

  private static String claim(Figure figure, Comparison comparison) {
    return figure.better() == Figure.Better.NEITHER ? "" : claim(comparison);
  }

  private static String claim(Comparison comparison) {
    return "%s, %s"
        .formatted(
            ratio(comparison.median()),
            switch (comparison.result()) {
              case AHEAD -> "ahead";
              case BEHIND -> "**behind**";
              case NO_DIFFERENCE -> "no difference";
              case UNDECIDED -> "undecided";
            });
  }

  private static String typical(Unit unit, Figure figure, double[] values) {
    if (values.length == 0) {
      return "";
    }
    if (figure == Figure.OUT_OF_MEMORY) {
      return "%.0f of %d".formatted(Arrays.stream(values).sum(), values.length);
    }
    double median = Median.withDefaults().evaluate(values);
    boolean over = figure == Figure.PEAK_RESIDENT_MIB && median > unit.limit();
    return number(median) + (over ? ", **over the limit**" : "");
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
