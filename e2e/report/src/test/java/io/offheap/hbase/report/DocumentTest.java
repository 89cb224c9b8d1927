package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTest {
  private static final Machine MACHINE = new Machine("Some CPU", 2, 24, "17.0.15", "6.1");
  private static final Unit UNIT = RunPlanTest.unit(3, 1, new Unit.Minutes(2, 0, 1));
  private static final MemoryShape SHAPE = new MemoryShape("memory", "Lru", 1, 60, null, 2);
  private static final Units UNITS =
      new Units(List.of(), List.of(), 0, List.of(UNIT), List.of(), List.of(SHAPE));

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
    return new Round(arms.length == 2, "abc", "2026-01-01T00:00:00Z", List.of(arms));
  }

  private void measure(double e1, double e2, double e3) throws IOException {
    Results.none("unit", "key", MACHINE)
        .with(round(arm(Variant.E, 10, 9000), arm(Variant.E, 11, 9100)))
        .with(round(arm(Variant.A, 20, 71000), arm(Variant.C, 20, 9e4), arm(Variant.E, e1, 9000)))
        .with(round(arm(Variant.E, e2, 9000), arm(Variant.C, 20, 9e4), arm(Variant.A, 20, 71000)))
        .with(round(arm(Variant.A, 20, 71000), arm(Variant.C, 20, 9e4), arm(Variant.E, e3, 9000)))
        .write(folder.resolve("results"));
  }

  private String text(MeasuredSet set) throws IOException {
    return new Document(set).text(UNITS, folder.resolve("results"));
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
        .contains("Measured: 3 of 3 pairs, 1 of 1 pairs of equal variants (e). Some CPU, 2 cores")
        .contains("commit abc.");
  }

  @Test
  void missedGoalIsReportedAsMissed() throws IOException {
    measure(19, 20, 19);

    assertThat(text(MeasuredSet.WHOLE))
        .contains("| p99, ms: e ahead of a | 0.95 | 0.95 to 1.00 | 0.91 to 1.10 | **missed** |");
  }

  @Test
  void sweepHasThroughputByThreads() throws IOException {
    measure(30, 40, 30);

    assertThat(text(MeasuredSet.WHOLE))
        .contains("| Operations a second, threads | a | c | e | e / a | e / c | Seed,")
        .contains("| 5 | 200 | 200 | 300 | 1.50, ahead | 1.50, ahead |  |")
        .contains(
            "| 75 | 1,000 | 1,000 | 1,000 | 1.00, no difference | 1.00, no difference | 5.61 |");
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
        .contains("| Median | a | c | e | e / a | e / c | Seed, after / before |")
        .contains("| p99, ms | 20.0 | 20.0 | 30.0 | 1.50, **behind** | 1.50, **behind** | 0.89 |")
        .contains(
            "| heap, bytes an operation | 71,000 | 90,000 | 9,000 | 0.13, ahead | 0.10, ahead | "
                + " |");
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
        .contains("| peak resident memory, MiB |  | 1,100, **over the limit** | 1,000 |");
  }

  /** The unit with another name, and without rounds of equal variants. */
  private static Unit sharing(String name, String noiseOf) {
    return new Unit(
        name,
        name,
        5,
        1024,
        UNIT.table(),
        UNIT.cache(),
        UNIT.load(),
        UNIT.seconds(),
        UNIT.variants(),
        UNIT.noise(),
        new Unit.Rounds(3, 0),
        UNIT.minutes(),
        UNIT.goals(),
        null,
        null,
        null,
        noiseOf,
        null,
        null);
  }

  @Test
  void sharedNoiseDecidesAGoalAndIsNamed() throws IOException {
    measure(10, 12, 9);
    var all = Results.read(folder.resolve("results"), "unit").orElseThrow();
    var own = Results.none("other", "key", MACHINE);
    for (Round round : all.rounds()) {
      own = round.equal() ? own : own.with(round);
    }
    own.write(folder.resolve("results"));

    var units =
        new Units(
            List.of(), List.of(), 0, List.of(UNIT, sharing("other", "unit")), List.of(), List.of());
    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .contains("Measured: 3 of 3 pairs, 1 pairs of equal variants of unit `unit`.")
        .contains("| other | 1 | 0 | 0 |\n");

    var alone =
        new Units(List.of(), List.of(), 0, List.of(sharing("other", null)), List.of(), List.of());
    assertThat(new Document(MeasuredSet.WHOLE).text(alone, folder.resolve("results")))
        .contains("| other | 0 | 0 | 1 |\n");
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
            List.of(List.of(Figure.P99_MILLIS), List.of(Figure.HEAP_BYTES_PER_OPERATION)));
    var units = new Units(List.of(), List.of(), 0, List.of(UNIT), List.of(grid), List.of());
    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .doesNotContain("grid.png");

    measure(10, 12, 9);
    var docs = folder.resolve("docs");
    new Document(MeasuredSet.WHOLE).write(units, folder.resolve("results"), docs);

    assertThat(docs.resolve("benchmarks.md")).content().contains("![A grid](benchmarks/grid.png)");
    var image = ImageIO.read(docs.resolve("benchmarks/grid.png").toFile());
    assertThat(image.getWidth()).isEqualTo(3 * 400);
    assertThat(image.getHeight()).isEqualTo(2 * 240);
    var results = Results.read(folder.resolve("results"), "unit").orElseThrow();
    assertThat(Plots.grid(grid, Map.of(UNIT, results)))
        .extracting(chart -> chart.getTitle())
        .containsExactly("a", "c", "e", "a", "c", "e");
  }

  @Test
  void rolloutHasItsBoundAndThePlotOfItsSlowestOperations() throws IOException {
    var bound = new Goal(Figure.LONGEST_MILLIS, Variant.E, null, null, 3_000.0);
    var unit = bounded(bound);
    var arm =
        new Arm(
            Variant.E, Map.of(Figure.LONGEST_MILLIS, 3_001.0), null, null, List.of(2.0, 3_001.0));
    Results.none("unit", "key", MACHINE)
        .with(new Round(false, "abc", "2026-01-01T00:00:00Z", List.of(arm)))
        .write(folder.resolve("results"));
    var units = new Units(List.of(), List.of(), 0, List.of(unit), List.of(), List.of());

    assertThat(new Document(MeasuredSet.WHOLE).text(units, folder.resolve("results")))
        .contains("| slowest operation, ms: e at most 3,000, in each round | | | | **missed** |")
        .contains("](benchmarks/unit-slowest.png)")
        .contains("| A unit | 0 | 1 | 0 |");
  }

  private static Unit bounded(Goal goal) {
    return new Unit(
        "unit",
        "A unit",
        11,
        1024,
        UNIT.table(),
        UNIT.cache(),
        new Unit.Load(Unit.Load.Operation.rollout, 100, 1, 10, "uniform", null, null, null, null),
        UNIT.seconds(),
        List.of(Variant.E),
        Variant.E,
        new Unit.Rounds(1, 0),
        UNIT.minutes(),
        List.of(goal),
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private void measureMemory(long resident) throws IOException {
    var memory =
        new MemoryResult.Case(
            new MemoryResult.Part("container", 1_100 << 20, resident << 20),
            List.of(
                new MemoryResult.Part("heap", 900 << 20, 900 << 20),
                new MemoryResult.Part("offHeapReserve", 200 << 20, 100 << 20)));
    Store.write(
        folder.resolve("results"),
        "memory",
        new MemoryResult("memory", "key", MACHINE, "abc", "2026-01-01T00:00:00Z", memory));
  }

  @Test
  void memoryIsComparedWithoutTheUnusedReserve() throws IOException {
    assertThat(text(MeasuredSet.WHOLE))
        .contains("| `memory`: Lru, heap 1Gi | | | | | not measured");

    measureMemory(975);

    assertThat(text(MeasuredSet.WHOLE))
        .contains(
            "| `memory`: Lru, heap 1Gi | 1,100.0 | 1,000.0 | 975.0 | 1.026 | met | 2 cores, abc |")
        .contains("| offHeapReserve | 200.0 | 100.0 |");
  }

  @Test
  void memoryFarBelowOrAboveThePlanMissesTheGoal() throws IOException {
    measureMemory(960);
    assertThat(text(MeasuredSet.WHOLE)).contains("| 1.042 | **missed** |");

    measureMemory(1_101);
    assertThat(text(MeasuredSet.WHOLE)).contains("| 0.908 | **missed** |");
  }

  @Test
  void shorterSetsSayThatTheyAreNotForQuoting() throws IOException {
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
    assertThat(List.of(0.0, 0.012345, 1.2345, 12.345, 12345.6, -3.21))
        .extracting(Numbers::number)
        .containsExactly("0", "0.0123", "1.23", "12.3", "12,346", "-3.21");
  }
}
