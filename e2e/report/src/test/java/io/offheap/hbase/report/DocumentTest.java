package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTest {
  private static final Machine MACHINE = new Machine("Some CPU", 2, 24, "17.0.15", "6.1");
  private static final Unit UNIT = RunPlanTest.unit(3, 1, new Unit.Minutes(2, 0, 1));
  private static final MemoryShape SHAPE =
      new MemoryShape("memory", "Lru", 1, 60, null, null, 2, "A note.");
  private static final Units UNITS =
      new Units(
          List.of(), List.of(), List.of(), 0, List.of(UNIT), List.of(), List.of(SHAPE), List.of());

  @TempDir Path folder;

  private static Arm arm(Variant variant, double p99, double bytes) {
    return new Arm(
        variant,
        Map.of(Figure.P99_MILLIS, p99, Figure.HEAP_BYTES_PER_OPERATION, bytes),
        Map.of(5, 10 * p99, 75, 1_000.0),
        List.of(new Arm.Point(1, 64), new Arm.Point(2, 32)),
        null);
  }

  private static Round round(Arm... arms) {
    return new Round(false, "abc", "2026-01-01T00:00:00Z", List.of(arms));
  }

  private void measure(double e1, double e2, double e3) throws IOException {
    results(UNIT, e1, e2, e3).write(folder.resolve("results"));
  }

  /** Three rounds, the first of which begins with a server for the noise. */
  private static Results results(Unit unit, double e1, double e2, double e3) throws IOException {
    var a = arm(Variant.A, 20, 71000);
    var c = arm(Variant.C, 20, 9e4);
    return Results.none(unit.name(), Units.key(unit, "files"), MACHINE)
        .with(round(arm(Variant.E, 1.1 * e1, 9100), a, c, arm(Variant.E, e1, 9000)))
        .with(round(arm(Variant.E, e2, 9000), c, a))
        .with(round(a, c, arm(Variant.E, e3, 9000)));
  }

  private String text(MeasuredSet set) throws IOException {
    return new Document(set).text(UNITS, folder.resolve("results"));
  }

  /** A run that was too short for a figure, where the harness is tried. */
  @Test
  void variantsWithDifferentFiguresArePlotted() throws IOException {
    var figures = Map.of(Figure.P50_MILLIS, 1.0, Figure.P99_MILLIS, 2.0);
    var results =
        Results.none(UNIT.name(), Units.key(UNIT, "files"), MACHINE)
            .with(
                round(
                    new Arm(Variant.A, figures, Map.of(), List.of(), null),
                    arm(Variant.E, 3, 9000)));

    Plots.write(UNIT, results, folder);

    assertThat(folder.resolve(UNIT.name() + "-latency.png")).isNotEmptyFile();
  }

  @Test
  void committedPageIsWhatTheResultsGive() throws IOException {
    var units = Units.read(Path.of("units.yaml"));

    assertThat(Path.of("../../docs/benchmarks.md"))
        .hasContent(new Document(MeasuredSet.WHOLE).text(units, Path.of("results")));
  }

  @Test
  void unitWithoutResultsHasItsGoals() throws IOException {
    assertThat(text(MeasuredSet.WHOLE))
        .contains("Not measured yet", "- p99, ms: e ahead of a\n")
        .doesNotContain("Indicative");
  }

  @Test
  void reachedGoalHasRatioIntervalAndNoise() throws IOException {
    measure(10, 12, 9);

    assertThat(text(MeasuredSet.WHOLE))
        .contains("| p99, ms: e ahead of a | 0.50 | 0.45 to 0.60 | 0.91 to 1.10 | met |\n")
        .contains("| Goal | Ratio | Interval, 75 % | Noise | Outcome |")
        .contains("Measured: 3 of 3 pairs, 1 of 1 pairs of equal variants. Some CPU, 2 cores")
        .contains("commit abc.");
  }

  @Test
  void missedGoalIsReportedAsMissed() throws IOException {
    measure(19, 20, 19);

    assertThat(text(MeasuredSet.WHOLE))
        .contains("| p99, ms: e ahead of a | 0.95 | 0.95 to 1.00 | 0.91 to 1.10 | **missed** |")
        .contains("\nGoals that are missed, with their ratios:\n\n")
        .contains("\n- A unit, p99, ms: e ahead of a: 0.95\n");
  }

  @Test
  void eachMissedGoalAndEachFigureThatIsBehindHasANote() throws IOException {
    for (Unit unit : Units.read(Path.of("units.yaml")).units()) {
      var results = Results.read(Path.of("results"), unit.name());
      if (results.isPresent() && new UnitTables(unit, results.get()).needsNote()) {
        assertThat(unit.notes()).as("notes of %s in units.yaml", unit.name()).isNotEmpty();
      }
    }
  }

  @Test
  void eachUnitOfASeedThatReportsMoreHasANote() throws IOException {
    var units = Units.read(Path.of("units.yaml"));
    for (SeedClaim seed : units.seeds()) {
      var results = Results.read(Path.of("results"), seed.unit());
      if (results.isPresent() && seed.here(results.get()).contains("**here worse**")) {
        assertThat(units.units())
            .filteredOn(unit -> unit.name().equals(seed.unit()))
            .allSatisfy(unit -> assertThat(unit.notes()).as(unit.name()).isNotEmpty());
      }
    }
  }

  @Test
  void notesFollowTheGoals() throws IOException {
    var unit = UnitBuilder.builder(UNIT).notes(List.of("one reason", "another")).build();
    results(unit, 19, 20, 19).write(folder.resolve("results"));
    var units =
        new Units(
            List.of(), List.of(), List.of(), 0, List.of(unit), List.of(), List.of(), List.of());

    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .contains("**missed** |\n\nNotes:\n\n- one reason\n- another\n\n| Median |");
    assertThat(new Document(MeasuredSet.SMOKE).text(units, folder.resolve("results")))
        .doesNotContain("one reason");
  }

  @Test
  void noteIsNeededWhereAGoalIsMissedOrAFigureIsBehindOrTheSeedHasMore() throws IOException {
    var load =
        new Unit.Load(Unit.Load.Operation.get, 100, 2, 10, "uniform", null, null, null, null, null);
    var unit = UnitBuilder.builder(UNIT).load(load).sweepSeed(null).build();
    assertThat(new UnitTables(unit, results(unit, 5, 6, 5)).needsNote()).as("good").isFalse();
    assertThat(new UnitTables(unit, results(unit, 30, 40, 30)).needsNote()).as("behind").isTrue();
    assertThat(new UnitTables(unit, results(unit, 19, 20, 19)).needsNote()).as("missed").isTrue();
    var sweep = UnitBuilder.builder(UNIT).sweepSeed(null).build();
    assertThat(new UnitTables(sweep, results(unit, 5, 6, 5)).needsNote()).as("sweep").isTrue();
    var seed = UnitBuilder.builder(unit).seed(Map.of(Figure.P99_MILLIS, 0.1)).build();
    assertThat(new UnitTables(seed, results(unit, 5, 6, 5)).needsNote()).as("seed").isTrue();
  }

  @Test
  void sweepHasThroughputByThreads() throws IOException {
    measure(30, 40, 30);

    assertThat(text(MeasuredSet.WHOLE))
        .contains("| Operations a second, threads | a | c | e | e / a | e / c | The seed's e / c |")
        .contains("| 5 | 200 | 200 | 300 | 1.50, ahead | 1.50, ahead |  |")
        .contains(
            "| 75 | 1,000 | 1,000 | 1,000 | 1.00, no difference | 1.00, no difference | 5.61,"
                + " **here worse** |");
  }

  @Test
  void summaryCountsOutcomes() throws IOException {
    assertThat(text(MeasuredSet.WHOLE)).contains("| A unit | | | not measured yet |\n");

    measure(10, 12, 9);
    assertThat(text(MeasuredSet.WHOLE)).contains("| A unit | 1 | 0 | 0 |\n");

    measure(19, 20, 19);
    assertThat(text(MeasuredSet.WHOLE)).contains("| A unit | 0 | 1 | 0 |\n");
  }

  @Test
  void figuresHaveMediansRatiosAndTheSeeds() throws IOException {
    measure(30, 40, 30);

    assertThat(text(MeasuredSet.WHOLE))
        .contains("| Median | a | c | e | e / a | e / c | The seed's e / c |")
        .contains(
            "| p99, ms | 20.0 | 20.0 | 30.0 | 1.50, **behind** | 1.50, **behind** | 0.89, **here"
                + " worse** |")
        .contains(
            "| heap, bytes an operation | 71,000 | 90,000 | 9,000 | 0.13, ahead | 0.10, ahead | "
                + " |")
        .doesNotContain("slowest operation", "p99 of updates")
        .contains("\nToo few operations, since ten must be beyond it: p50, ms; p95, ms; p99.9, ms;")
        .containsPattern("No server has a value of: .*; data blocks found in a cache\\.");
  }

  @Test
  void whatTheSeedChangedIsAColumnWhereItWasMeasured() throws IOException {
    var unit =
        UnitBuilder.builder(UNIT)
            .variants(List.of(Variant.A, Variant.C, Variant.D, Variant.E))
            .seedOf(new Unit.SeedOf(Variant.D, Variant.C))
            .build();
    var results = Results.none("unit", "key", MACHINE);
    for (int i = 0; i < 3; i++) {
      results =
          results.with(
              round(
                  arm(Variant.E, 10, 9000),
                  arm(Variant.A, 20, 71000),
                  arm(Variant.C, 20, 9e4),
                  arm(Variant.D, 15, 45000),
                  arm(Variant.E, 10, 9000)));
    }
    results.write(folder.resolve("results"));
    var units =
        new Units(
            List.of(), List.of(), List.of(), 0, List.of(unit), List.of(), List.of(), List.of());

    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .contains("| Median | a | c | d | e | e / a | e / c | e / d | d / c | The seed's d / c |")
        .contains("| 9,000 | 0.13, ahead | 0.10, ahead | 0.20, ahead | 0.50, ahead |  |");
  }

  @Test
  void countsServersThatRanOutOfMemoryAndNamesThoseOverTheLimit() throws IOException {
    var out = new Arm(Variant.A, Map.of(Figure.OUT_OF_MEMORY, 1.0), null, null, null);
    var over = Map.of(Figure.OUT_OF_MEMORY, 0.0, Figure.PEAK_RESIDENT_MIB, 1100.0);
    var within = Map.of(Figure.OUT_OF_MEMORY, 0.0, Figure.PEAK_RESIDENT_MIB, 1000.0);
    Results.none("unit", "key", MACHINE)
        .with(
            round(
                out,
                new Arm(Variant.C, over, null, null, null),
                new Arm(Variant.E, within, null, null, null)))
        .write(folder.resolve("results"));

    assertThat(text(MeasuredSet.WHOLE))
        .contains("| servers that ran out of memory | 1 of 1 | 0 of 1 | 0 of 1 |")
        .contains("| peak resident memory, MiB |  | 1,100, **over the limit in 1 of 1** | 1,000 |");
  }

  @Test
  void serverThatEndedMissesTheGoalAndIsListed() throws IOException {
    var dead =
        new Arm(Variant.E, Map.of(Figure.OUT_OF_MEMORY, 1.0), null, null, null, "status 137", null);
    results(UNIT, 10, 12, 9)
        .with(round(arm(Variant.A, 20, 71000), arm(Variant.C, 20, 9e4), dead))
        .with(new Results.Failure("2026-01-01T00:00:00Z", "abc", Variant.C, "no state"))
        .with(new Results.RunTime("2026-01-01T00:00:00Z", 3, 12.4, 14.2))
        .write(folder.resolve("results"));

    assertThat(text(MeasuredSet.WHOLE))
        .contains("| p99, ms: e ahead of a | 0.55 | 0.45 to ∞ | 0.91 to 1.10 | **missed** |")
        .contains("- Round 4, variant e: the server ended: status 137\n")
        .contains("- A run failed at variant c, 2026-01-01T00:00:00Z, commit abc: no state\n")
        .contains(" It took 14 min in 1 runs; 12 min were stated.");
  }

  @Test
  void showsTheConditionsOfTheServers() throws IOException {
    var results = Results.none("unit", "key", MACHINE);
    for (boolean quiet : List.of(true, false)) {
      var conditions =
          new Arm.Conditions(quiet ? 0.5 : 2.5, 0.2, 3, 1, 20, quiet, 900, "Rule: key 65");
      results =
          results.with(round(new Arm(Variant.E, Map.of(), null, null, null, null, conditions)));
    }
    results.write(folder.resolve("results"));

    assertThat(text(MeasuredSet.WHOLE))
        .contains(
            " Other processes took at most 2.5 % of the processors' time, the hypervisor 0.2 %;"
                + " of 2 servers, the compilers of 1 were not quiet yet.",
            "\nThe operator's own changes:\n\n- e: Rule: key 65\n");
  }

  @Test
  void failuresOfAUnitWithoutARoundAreListed() throws IOException {
    Results.none("unit", "key", MACHINE)
        .with(new Results.Failure("2026-01-01T00:00:00Z", "abc", Variant.C, "no state"))
        .write(folder.resolve("results"));

    assertThat(text(MeasuredSet.WHOLE)).contains("Not measured yet.", "at variant c", "no state");
  }

  @Test
  void resultsOfOtherInputsAreStale() throws IOException {
    measure(10, 12, 9);
    measureMemory(975);
    new Inputs("files").write(folder.resolve("results"));
    assertThat(text(MeasuredSet.WHOLE)).contains("| A unit | 1 |").doesNotContain("**Stale");

    new Inputs("others").write(folder.resolve("results"));
    assertThat(text(MeasuredSet.WHOLE))
        .contains("| A unit, stale | 1 | 0 | 0 |")
        .contains("**Stale: measured with other inputs or conditions than today's. It is due again")
        .contains("| `memory`: Lru, heap 1Gi, **stale** |");
  }

  @Test
  void latencyAndThroughputAreNotComparedSideBySide() throws IOException {
    var unit = UnitBuilder.builder(UNIT).placement(Unit.Placement.sideBySide).build();
    results(unit, 10, 12, 9).write(folder.resolve("results"));
    var units =
        new Units(
            List.of(), List.of(), List.of(), 0, List.of(unit), List.of(), List.of(), List.of());

    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .contains("| p99, ms | 20.0 | 20.0 | 10.0 |  |  | 0.89 |")
        .contains("| 71,000 | 90,000 | 9,000 | 0.13, ahead |");
  }

  @Test
  void whatOthersReportedIsBesideWhatIsMeasured() throws IOException {
    var unit = UnitBuilder.builder(UNIT).title("Reads, it's a title").build();
    var p99 =
        new SeedClaim(
            "A talk", "half of it", "unit", Figure.P99_MILLIS, null, Variant.E, Variant.A, 0.4);
    var threads =
        new SeedClaim("An issue", "ten times", "unit", null, 5, Variant.E, Variant.A, 0.5);
    var units =
        new Units(
            List.of(),
            List.of(),
            List.of(),
            0,
            List.of(unit),
            List.of(),
            List.of(),
            List.of(p99, threads));
    var row = "| A talk | half of it | [Reads, it's a title](#reads-its-a-title): p99, ms, e / a |";

    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .contains(row + " 0.40 | not measured yet |");

    measure(10, 12, 9);

    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .contains(row + " 0.40 | 0.50, ahead, **here worse** |")
        .contains(": operations a second of 5 threads, e / a | 0.50 | 0.50, **behind** |");
    assertThat(new Document(MeasuredSet.QUICK).text(units, folder.resolve("results")))
        .doesNotContain("half of it");
  }

  @Test
  void latencyOfASaturatedServerIsMarked() throws IOException {
    var full = Map.of(Figure.P99_MILLIS, 10.0, Figure.RATE_REACHED, 1.0);
    var less = Map.of(Figure.P99_MILLIS, 900.0, Figure.RATE_REACHED, 0.9);
    var e = new Arm(Variant.E, full, null, null, null);
    var results = Results.none("unit", "key", MACHINE);
    for (int i = 0; i < 3; i++) {
      results = results.with(round(e, new Arm(Variant.A, less, null, null, null), e));
    }
    results.write(folder.resolve("results"));

    assertThat(text(MeasuredSet.WHOLE))
        .contains("| p99, ms | 900, **saturated** |  | 10.0 | 0.01, undecided (a is saturated) |")
        .contains("| undecided (a is saturated) |");
  }

  @Test
  void gridHasAColumnForEachVariantAndIsShownWhenAllUnitsAreMeasured() throws IOException {
    var grid =
        new Grid(
            "grid",
            "A grid",
            "unit",
            List.of("unit"),
            List.of("one load"),
            List.of(
                List.of(Figure.P99_MILLIS),
                List.of(Figure.HEAP_BYTES_PER_OPERATION),
                List.of(Figure.HIT_SHARE)));
    var units =
        new Units(
            List.of(), List.of(), List.of(), 0, List.of(UNIT), List.of(grid), List.of(), List.of());
    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .doesNotContain("grid.png");

    measure(10, 12, 9);
    var docs = folder.resolve("docs");
    new Document(MeasuredSet.WHOLE).write(units, folder.resolve("results"), docs);

    assertThat(docs.resolve("benchmarks.md")).content().contains("![A grid](benchmarks/grid.png)");
    var image = ImageIO.read(docs.resolve("benchmarks/grid.png").toFile());
    assertThat(image.getWidth()).isEqualTo(3 * 400);
    assertThat(image.getHeight()).isEqualTo(3 * 240);
    var results = Results.read(folder.resolve("results"), "unit").orElseThrow();
    assertThat(Plots.grid(grid, Map.of(UNIT, results)))
        .extracting(chart -> chart.getTitle())
        .containsExactly("a", "c", "e", "a", "c", "e", "a", "c", "e");
    // No server has a share of hits.
    assertThat(Plots.grid(grid, Map.of(UNIT, results)))
        .allSatisfy(chart -> assertThat(chart.getSeriesMap()).isNotEmpty());
  }

  @Test
  void rolloutHasItsBoundAndThePlotOfItsSlowestOperations() throws IOException {
    var bound = new Goal(Figure.LONGEST_MILLIS, Variant.E, null, null, null, 3_000.0);
    var unit = bounded(bound);
    var arm =
        new Arm(
            Variant.E, Map.of(Figure.LONGEST_MILLIS, 3_001.0), null, null, List.of(2.0, 3_001.0));
    Results.none("unit", "key", MACHINE)
        .with(new Round(false, "abc", "2026-01-01T00:00:00Z", List.of(arm)))
        .write(folder.resolve("results"));
    var units =
        new Units(
            List.of(), List.of(), List.of(), 0, List.of(unit), List.of(), List.of(), List.of());

    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .contains("| slowest operation, ms: e at most 3,000, in each round | | | | **missed** |")
        .contains("](benchmarks/unit-slowest.png)")
        .contains("| A unit | 0 | 1 | 0 |");
  }

  private static Unit bounded(Goal goal) {
    return UnitBuilder.builder(UNIT)
        .load(
            new Unit.Load(
                Unit.Load.Operation.rollout, 100, 1, 10, "uniform", null, null, null, null, null))
        .variants(List.of(Variant.E))
        .rounds(new Unit.Rounds(1, 0))
        .goals(List.of(goal))
        .seedOf(null)
        .seed(null)
        .sweepSeed(null)
        .build();
  }

  private void measureMemory(long resident) throws IOException {
    var memory =
        new MemoryResult.Case(
            new MemoryResult.Part("container", 1_100 << 20, resident << 20),
            List.of(
                new MemoryResult.Part("heap", 900 << 20, 909 << 20),
                new MemoryResult.Part("offHeapReserve", 200 << 20, 100 << 20)));
    Store.write(
        folder.resolve("results"),
        "memory",
        new MemoryResult(
            "memory",
            MemoryBench.key(SHAPE, "files"),
            MACHINE,
            "abc",
            "2026-01-01T00:00:00Z",
            2,
            memory));
  }

  @Test
  void memoryIsComparedWithoutTheUnusedReserve() throws IOException {
    assertThat(text(MeasuredSet.WHOLE))
        .contains("| `memory`: Lru, heap 1Gi | | | | | not measured");

    measureMemory(975);

    assertThat(text(MeasuredSet.WHOLE))
        .contains(
            "| `memory`: Lru, heap 1Gi | 1,100.0 | 1,000.0 | 975.0 | 1.026 | met | 2 cores, abc |")
        .contains("| offHeapReserve | 200.0 | 100.0 |")
        .contains("| heap | 900.0 | 909.0, **1.0 % over** |")
        .endsWith("| 100.0 |\n\nA note.\n");
  }

  @Test
  void memoryFarBelowOrAboveThePlanMissesTheGoal() throws IOException {
    measureMemory(960);
    assertThat(text(MeasuredSet.WHOLE)).contains("| 1.042 | **missed** |");

    measureMemory(1_101);
    assertThat(text(MeasuredSet.WHOLE)).contains("| 0.908 | **missed** |");
  }

  @Test
  void marksShorterSetsAsNotForQuoting() throws IOException {
    measure(10, 12, 9);

    assertThat(text(MeasuredSet.SMOKE)).contains("**Not a measurement:");
    assertThat(new Document(MeasuredSet.QUICK).text(UNITS, folder)).contains("**Indicative:");
  }

  @Test
  void writesPageWithItsPlots() throws IOException {
    measure(10, 12, 9);
    var docs = folder.resolve("docs");

    new Document(MeasuredSet.WHOLE).write(UNITS, folder.resolve("results"), docs);

    assertThat(docs.resolve("benchmarks.md"))
        .content()
        .contains(
            "](benchmarks/unit-latency.png)",
            "](benchmarks/unit-sweep.png)",
            "](benchmarks/unit-eden.png)");
    for (String plot : List.of("unit-latency.png", "unit-sweep.png", "unit-eden.png")) {
      var file = docs.resolve("benchmarks").resolve(plot);
      assertThat(ImageIO.read(file.toFile()).getWidth()).isEqualTo(800);
      assertThat(Files.size(file)).isLessThan(60_000);
    }
  }

  @Test
  void numbersHaveThreeDigitsThatCount() {
    assertThat(List.of(0.0, 7e-10, 0.012345, 1.2345, 12.345, 12345.6, -3.21))
        .extracting(Numbers::number)
        .containsExactly("0", "< 0.0001", "0.0123", "1.23", "12.3", "12,346", "-3.21");
  }

  @Test
  void summaryPlotHasWhatIsDecided() throws IOException {
    assertThat(text(MeasuredSet.WHOLE)).doesNotContain(SummaryPlot.FILE);
    assertThat(SummaryPlot.of(Map.of("none", Results.none("none", "key", MACHINE)))).isEmpty();

    measure(10, 12, 9);

    var docs = folder.resolve("docs");
    new Document(MeasuredSet.WHOLE).write(UNITS, folder.resolve("results"), docs);
    assertThat(docs.resolve("benchmarks.md")).content().contains("](benchmarks/summary.png)");
    assertThat(ImageIO.read(docs.resolve("benchmarks/summary.png").toFile()).getWidth())
        .isEqualTo(900);
    var bars =
        SummaryPlot.of(Map.of("A unit", results(UNIT, 10, 12, 9)))
            .orElseThrow()
            .getSeriesMap()
            .get("A unit: e / a");
    assertThat(bars.getXData()).asString().startsWith("[heap an operation, pauses an operation, ");
    var shown = new ArrayList<Number>(bars.getYData());
    // 9,000 of 71,000 bytes; no pauses, no processor time; 10 of 20 ms; no throughput.
    assertThat(shown.get(0).doubleValue()).isBetween(12.6, 12.7);
    assertThat(shown.get(1)).isNull();
    assertThat(shown.get(2)).isNull();
    assertThat(shown.get(3).doubleValue()).isEqualTo(50);
    assertThat(shown.get(4)).isNull();
  }
}
