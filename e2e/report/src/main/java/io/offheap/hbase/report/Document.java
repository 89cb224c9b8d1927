package io.offheap.hbase.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes {@code benchmarks.md} from the results, and from nothing else. */
final class Document {
  static final String FILE = "benchmarks.md";
  static final String PLOTS = "benchmarks";

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
      var present = Results.read(results, unit.name());
      if (present.isPresent()) {
        Plots.write(unit, present.get(), docs.resolve(PLOTS));
      }
    }
    var summary = SummaryPlot.of(compared(units, results));
    if (summary.isPresent()) {
      SummaryPlot.write(summary.get(), docs.resolve(PLOTS));
    }
    for (Grid grid : units.grids()) {
      var present = ofGrid(units, grid, results);
      if (isWhole(grid, present) && isOfOneMachine(present)) {
        Plots.write(grid, present, docs.resolve(PLOTS));
      }
    }
  }

  /** The results of all units whose servers have processors of their own, by title. */
  private Map<String, Results> compared(Units units, Path results) throws IOException {
    var compared = new LinkedHashMap<String, Results>();
    for (Unit unit : units.of(set)) {
      var present = Results.read(results, unit.name()).filter(of -> of.count(false) > 0);
      if (present.isPresent() && !unit.isSideBySide()) {
        compared.put(unit.title() + mark(unit, present.get(), results), present.get());
      }
    }
    return compared;
  }

  /** The results of the units of a grid that have some, in their order. */
  private Map<Unit, Results> ofGrid(Units units, Grid grid, Path results) throws IOException {
    var present = new LinkedHashMap<Unit, Results>();
    for (String name : grid.units()) {
      for (Unit unit : units.of(set)) {
        if (unit.name().equals(name)) {
          Results.read(results, unit.name())
              .filter(of -> of.count(false) > 0)
              .ifPresent(of -> present.put(unit, of));
        }
      }
    }
    return present;
  }

  private static boolean isWhole(Grid grid, Map<Unit, Results> present) {
    return present.size() == grid.units().size();
  }

  /** Values of two machines on one scale would be compared. */
  private static boolean isOfOneMachine(Map<Unit, Results> present) {
    return present.values().stream().map(Results::machine).distinct().count() == 1;
  }

  private static String plot(Grid grid, Map<Unit, Results> present) {
    if (!isWhole(grid, present)) {
      return "";
    }
    return isOfOneMachine(present)
        ? ("\n![%s](%s/%s.png)\n\nThe points of a line are of units that were measured at other times:"
                + " compare the variants at a load, not a variant at two loads.\n")
            .formatted(grid.title(), PLOTS, grid.name())
        : "\nNo plot of all units beside each other: they were measured on different machines.\n";
  }

  String text(Units units, Path results) throws IOException {
    var text = new StringBuilder(head());
    if (set == MeasuredSet.WHOLE) {
      text.append(seeds(units, results));
    }
    text.append(summary(units, results));
    for (Unit unit : units.of(set)) {
      var present = Results.read(results, unit.name());
      text.append("\n## %s\n\n".formatted(unit.title()));
      text.append(UnitSection.conditions(unit));
      if (present.isEmpty() || present.get().count(false) == 0) {
        text.append(
            "\nNot measured yet%s. Goals, written down before:\n\n"
                .formatted(
                    unit.isOnRequest()
                        ? "; only `e2e/bin/report %s` does".formatted(unit.name())
                        : ""));
        unit.goals().forEach(goal -> text.append("- %s\n".formatted(UnitSection.words(goal))));
        present.map(UnitSection::failures).ifPresent(text::append);
      } else {
        text.append(
            UnitSection.measured(unit, present.get(), isStale(unit, present.get(), results)));
      }
      for (Grid grid : units.grids()) {
        if (grid.after().equals(unit.name())) {
          text.append(plot(grid, ofGrid(units, grid, results)));
        }
      }
    }
    text.append(MemorySection.text(units.memoryOf(set), results));
    return text.toString();
  }

  /** What others reported beside what is measured here. */
  private static String seeds(Units units, Path results) throws IOException {
    if (units.seeds().isEmpty()) {
      return "";
    }
    var text =
        new StringBuilder(
            """

            What others reported, of their own machines and versions, and here:

            | Source | It reports | Compared here | Its ratio | The ratio here |
            | --- | --- | --- | ---: | --- |
            """);
    for (SeedClaim seed : units.seeds()) {
      var unit =
          units.units().stream()
              .filter(it -> it.name().equals(seed.unit()))
              .findFirst()
              .orElseThrow(() -> new IOException("seeds: no unit " + seed.unit()));
      var present = Results.read(results, unit.name()).filter(of -> of.count(false) > 0);
      text.append(
          seed.row(
              unit,
              present.isEmpty()
                  ? "not measured yet"
                  : seed.here(present.get()) + mark(unit, present.get(), results)));
    }
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
      var present = Results.read(results, unit.name());
      var mark = present.isPresent() ? mark(unit, present.get(), results) : "";
      text.append("| %s%s |".formatted(unit.title(), mark));
      if (present.isEmpty() || present.get().count(false) == 0) {
        text.append(" | | not measured yet |\n");
        continue;
      }
      for (Goal.Outcome outcome : Goal.Outcome.values()) {
        text.append(
            " %d |"
                .formatted(
                    Collections.frequency(UnitSection.outcomes(unit, present.get()), outcome)));
      }
      text.append('\n');
    }
    if (SummaryPlot.of(compared(units, results)).isPresent()) {
      text.append(
          """

          ![%s](%s/%s)

          Lower is better, but for operations a second. A comparison that is undecided, or within the noise, has no bar. Bars rest on as many pairs as the section of their unit states, most of them on three.
          """
              .formatted(SummaryPlot.TITLE, PLOTS, SummaryPlot.FILE));
    }
    return text.append(missed(units, results)).append(variants()).toString();
  }

  private String missed(Units units, Path results) throws IOException {
    var text = new StringBuilder();
    for (Unit unit : units.of(set)) {
      var present = Results.read(results, unit.name());
      if (present.isPresent()) {
        for (String goal : UnitSection.missed(unit, present.get())) {
          text.append(
              "- %s%s, %s\n".formatted(unit.title(), mark(unit, present.get(), results), goal));
        }
      }
    }
    return text.isEmpty() ? "" : "\nGoals that are missed, with their ratios:\n\n" + text;
  }

  /** What stands behind a result of other inputs than today's. */
  private static String mark(Unit unit, Results present, Path results) throws IOException {
    return isStale(unit, present, results) ? ", stale" : "";
  }

  private static boolean isStale(Unit unit, Results present, Path results) throws IOException {
    var now = Inputs.read(results);
    return now.isPresent() && !Units.key(unit, now.get().files()).equals(present.inputs());
  }

  private static String variants() {
    return Arrays.stream(Variant.values())
        .map(variant -> "| %s | %s |\n".formatted(variant.letter(), variant.meaning()))
        .collect(
            Collectors.joining(
                "",
                """

                ## Variants

                | Variant | Region server, all in the same container memory |
                | --- | --- |
                """,
                ""));
  }

  private String head() {
    return """
    # Benchmarks

    <!-- Written by make report from e2e/report; do not edit. -->

    %sThe [method](benchmarks-method.md) states how each figure is measured, and what *ahead*, *behind* and *no difference* mean. `make report` measures what is due and writes this page; `e2e/bin/report UNIT` does so for one unit. Raw results: `e2e/report/results`.

    | In the tables | Means |
    | --- | --- |
    | a letter | a [variant](#variants) of the region server; *e* is our image with our plan |
    | e / a | what e has of what a has, in pairs of the same round. Of pauses, collections and the p99 in the server it is the ratio of the sums over all rounds, of other figures the median of the pairs' ratios; neither is the ratio of the two medians beside it |
    | noise | what equal servers differed by |
    | no difference | within the noise, or the interval includes 1 |
    | undecided | too little was measured to claim even that |
    """
        .formatted(
            switch (set) {
              case WHOLE -> "";
              case QUICK -> "**Indicative: three pairs of one unit, `make report SET=quick`.** ";
              case SMOKE -> "**Not a measurement: it shows that the harness works.** ";
            });
  }
}
