package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Median;

/** Writes {@code benchmarks.md} from the results, and from nothing else. */
final class Document {
  static final String FILE = "benchmarks.md";
  private static final String PLOTS = "benchmarks";
  private static final double MEMORY_TOLERANCE = 1.03;
  private static final double MIB = 1 << 20;

  private final MeasuredSet set;

  Document(MeasuredSet set) {
    this.set = set;
  }

  /**
   * Writes it, and its plots beside it.
   *
   * @param results folder with what was measured
   * @param docs folder to write to
   */
  void write(Units units, Path results, Path docs) throws IOException {
    Files.createDirectories(docs);
    Files.writeString(docs.resolve(FILE), text(units, results));
    for (Unit unit : units.of(set)) {
      var present = units.results(results, unit);
      if (present.isPresent()) {
        Plots.write(unit, present.get(), docs.resolve(PLOTS));
      }
    }
    for (Grid grid : units.grids()) {
      var present = ofGrid(units, grid, results);
      if (present.size() == grid.units().size()) {
        Plots.write(grid, present, docs.resolve(PLOTS));
      }
    }
  }

  /** What there is of the units of a grid, in their order. */
  private Map<Unit, Results> ofGrid(Units units, Grid grid, Path results) throws IOException {
    var present = new LinkedHashMap<Unit, Results>();
    for (String name : grid.units()) {
      for (Unit unit : units.of(set)) {
        if (unit.name().equals(name)) {
          units
              .results(results, unit)
              .filter(of -> of.count(false) > 0)
              .ifPresent(of -> present.put(unit, of));
        }
      }
    }
    return present;
  }

  String text(Units units, Path results) throws IOException {
    var text = new StringBuilder(head());
    text.append(summary(units, results));
    for (Unit unit : units.of(set)) {
      var present = units.results(results, unit);
      text.append("\n## %s\n\n".formatted(unit.title()));
      text.append(conditions(unit));
      if (present.isEmpty() || present.get().count(false) == 0) {
        text.append("\nNot measured yet. Goals, written down before:\n\n");
        unit.goals().forEach(goal -> text.append("- %s\n".formatted(words(goal))));
      } else {
        text.append(measured(unit, present.get()));
      }
      for (Grid grid : units.grids()) {
        if (grid.after().equals(unit.name())
            && ofGrid(units, grid, results).size() == grid.units().size()) {
          text.append("\n![%s](%s/%s.png)\n".formatted(grid.title(), PLOTS, grid.name()));
        }
      }
    }
    text.append(memory(units, results));
    return text.toString();
  }

  private String summary(Units units, Path results) throws IOException {
    var text =
        new StringBuilder(
            """

            | Goals of | Met | Missed | Undecided |
            | --- | ---: | ---: | ---: |
            """);
    for (Unit unit : units.of(set)) {
      var present = units.results(results, unit);
      text.append("| %s |".formatted(unit.title()));
      if (present.isEmpty() || present.get().count(false) == 0) {
        text.append(" | | not measured yet |\n");
        continue;
      }
      for (Goal.Outcome outcome : Goal.Outcome.values()) {
        text.append(
            " %d |".formatted(Collections.frequency(outcomes(unit, present.get()), outcome)));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static List<Goal.Outcome> outcomes(Unit unit, Results results) {
    return unit.goals().stream()
        .flatMap(
            goal ->
                goal.isBound()
                    ? Stream.of(goal.outcome(results.values(goal.figure(), goal.of())))
                    : goal.than().stream()
                        .map(
                            than ->
                                goal.outcome(
                                    results.compare(goal.figure(), goal.of(), than).result())))
        .toList();
  }

  private String memory(Units units, Path results) throws IOException {
    var shapes = units.memoryOf(set);
    if (shapes.isEmpty()) {
      return "";
    }
    var text =
        new StringBuilder(
            """

            ## Memory, planned and resident

            Goal, written down before: the container's planned memory, without what is left of the reserve, is within %.0f %% of the most that was resident, and the plan is never below it. Each shape has as much memory off the heap as on it.

            | Shape | Planned, MiB | In use, MiB | Resident, MiB | In use / resident | Goal | Machine, commit |
            | --- | ---: | ---: | ---: | ---: | --- | --- |
            """
                .formatted(100 * (MEMORY_TOLERANCE - 1)));
    for (MemoryShape shape : shapes) {
      text.append("| `%s`: %s, heap %s |".formatted(shape.name(), shape.mode(), shape.size()));
      var present = Store.read(results, shape.name(), MemoryResult.class);
      text.append(present.map(Document::row).orElse(" | | | | not measured yet | |\n"));
    }
    for (MemoryShape shape : shapes) {
      var present = Store.read(results, shape.name(), MemoryResult.class);
      if (present.isPresent()) {
        text.append(parts(present.get()));
      }
    }
    return text.toString();
  }

  private static String row(MemoryResult result) {
    var container = result.memory().container();
    return " %s | %s | %s | %s | %s | %d cores, %s |\n"
        .formatted(
            mib(container.predicted()),
            mib(result.plannedInUse()),
            mib(container.measured()),
            String.format(Locale.ROOT, "%.3f", result.ratio()),
            result.holds(MEMORY_TOLERANCE) ? "met" : "**missed**",
            result.machine().cores(),
            result.commit());
  }

  private static String parts(MemoryResult result) {
    var text =
        new StringBuilder(
            """

            | Part of `%s` | Planned, MiB | Resident, MiB |
            | --- | ---: | ---: |
            """
                .formatted(result.shape()));
    result
        .memory()
        .parts()
        .forEach(
            part ->
                text.append(
                    "| %s | %s | %s |\n"
                        .formatted(part.item(), mib(part.predicted()), mib(part.measured()))));
    return text.toString();
  }

  private static String mib(long bytes) {
    return String.format(Locale.ROOT, "%,.1f", bytes / MIB);
  }

  private String head() {
    var variants =
        Arrays.stream(Variant.values())
            .map(variant -> "| %s | %s |\n".formatted(variant.letter(), variant.meaning()))
            .collect(Collectors.joining());
    return """
    # Benchmarks

    <!-- Written by make report from e2e/report; do not edit. -->

    %sThe [method](benchmarks-method.md) states how each figure is measured, and what *ahead*, *behind* and *no difference* mean. `make report` measures what is due and writes this page; `e2e/bin/report UNIT` does so for one unit. Raw results: `e2e/report/results`.

    | Variant | Region server, all in the same container memory |
    | --- | --- |
    """
            .formatted(
                switch (set) {
                  case WHOLE -> "";
                  case QUICK ->
                      "**Indicative: three pairs of a few units, `make report SET=quick`.** ";
                  case SMOKE -> "**Not a measurement: it shows that the harness works.** ";
                })
        + variants;
  }

  private static String conditions(Unit unit) {
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

  private static String measured(Unit unit, Results results) {
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

  private static String words(Goal goal) {
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

  /** Three digits that count. */
  static String number(double value) {
    if (value == 0) {
      return "0";
    }
    int digits = (int) Math.floor(Math.log10(Math.abs(value))) + 1;
    return String.format(Locale.ROOT, "%,." + Math.max(0, 3 - digits) + "f", value);
  }

  private static String ratio(OptionalDouble ratio) {
    if (ratio.isEmpty()) {
      return "";
    }
    double value = ratio.getAsDouble();
    return Double.isInfinite(value) ? "∞" : String.format(Locale.ROOT, "%.2f", value);
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
        .map(plot -> "\n![%s](%s/%s)\n".formatted(plot.title(), PLOTS, plot.file()))
        .collect(Collectors.joining());
  }
}
