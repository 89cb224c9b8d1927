package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  private static final Machine MACHINE = new Machine("p", 2, 4, "17", "6");

  @TempDir Path folder;

  static Arm arm(Variant variant, double p99) {
    return new Arm(
        variant,
        Map.of(Figure.P99_MILLIS, p99),
        Map.of(5, 20 * p99),
        List.of(new Arm.Point(1, 2)),
        null);
  }

  private static Round round(Arm... arms) {
    return new Round(
        arms[0].variant() == arms[1].variant(), "c", "2026-01-01T00:00:00Z", List.of(arms));
  }

  private static Results some() {
    return Results.none("unit", "key", MACHINE)
        .with(round(arm(Variant.E, 10), arm(Variant.E, 11)))
        .with(round(arm(Variant.A, 20), arm(Variant.E, 10)))
        .with(round(arm(Variant.E, 12), arm(Variant.A, 20)))
        .with(round(arm(Variant.A, 30), arm(Variant.E, 9)));
  }

  @Test
  void readsWhatItWrote() throws IOException {
    some().write(folder);

    assertThat(Results.read(folder, "unit")).hasValue(some());
    assertThat(Results.read(folder, "other")).isEmpty();
    assertThat(folder).isDirectoryContaining("glob:**unit.json").isNotEmptyDirectory();
    assertThat(folder.toFile().list()).hasSize(1);
  }

  @Test
  void comparesWithinRoundsWhateverTheirOrder() {
    var comparison = some().compare(Figure.P99_MILLIS, Variant.E, Variant.A);

    assertThat(comparison.pairs()).isEqualTo(3);
    assertThat(comparison.ratio()).hasValue(0.5);
    assertThat(comparison.noise()).hasValue(1.1);
    assertThat(comparison.result()).isEqualTo(Comparison.Result.AHEAD);
  }

  @Test
  void figureThatAServerLacksIsNoPair() {
    var comparison = some().compare(Figure.P50_MILLIS, Variant.E, Variant.A);

    assertThat(comparison.pairs()).isZero();
    assertThat(comparison.result()).isEqualTo(Comparison.Result.UNDECIDED);
  }

  @Test
  void keepsEdenOfTheFirstRoundOfAllVariantsAlone() {
    assertThat(some().rounds())
        .extracting(round -> round.arms().get(0).eden() != null)
        .containsExactly(false, true, false, false);
    assertThat(rounds(1, arm(Variant.E, 1), arm(Variant.A, 1), arm(Variant.E, 1)).rounds().get(0))
        .satisfies(
            round ->
                assertThat(round.arms())
                    .extracting(arm -> arm.eden() != null)
                    .containsExactly(false, true, true));
  }

  @Test
  void comparesThroughputByThreads() {
    var five = Round.Value.ofThreads(5);

    assertThat(some().values(five, Variant.A)).containsExactly(400, 400, 600);
    assertThat(some().compare(5, Variant.E, Variant.A).result())
        .isEqualTo(Comparison.Result.BEHIND);
    assertThat(some().values(Round.Value.ofThreads(6), Variant.A)).isEmpty();
  }

  @Test
  void valuesLeaveEqualPairsOut() {
    assertThat(some().values(Figure.P99_MILLIS, Variant.E)).containsExactly(10, 12, 9);
  }

  private static Arm arm(Variant variant, Map<Figure, Double> figures) {
    return new Arm(variant, figures, null, null, null);
  }

  private static Results rounds(int count, Arm... arms) {
    var results = Results.none("unit", "key", MACHINE);
    for (int i = 0; i < count; i++) {
      results = results.with(new Round(false, "c", "t", List.of(arms)));
    }
    return results;
  }

  @Test
  void serverForTheNoiseIsInNoPairOfTwoVariants() {
    var results = rounds(3, arm(Variant.E, 100), arm(Variant.A, 20), arm(Variant.E, 10));

    assertThat(results.values(Figure.P99_MILLIS, Variant.E)).containsExactly(10, 10, 10);
    assertThat(results.compare(Figure.P99_MILLIS, Variant.E, Variant.A).ratio()).hasValue(0.5);
    assertThat(results.compare(Figure.P99_MILLIS, Variant.E, Variant.A).noise()).hasValue(10);
    assertThat(results.equalPairs()).isEqualTo(3);
  }

  /** As many quiet rounds as decide, and one in which a server of the variant ended. */
  private static Results ended(Variant variant) {
    var dead = arm(variant, Map.of(Figure.OUT_OF_MEMORY, 1.0));
    var e = arm(Variant.E, 10);
    var a = arm(Variant.A, 20);
    var results = rounds(3, e, a, e);
    for (int i = 0; i < 5; i++) {
      results =
          results.with(
              new Round(
                  false,
                  "c",
                  "t",
                  variant == Variant.E ? List.of(a, dead) : List.of(dead, arm(Variant.E, 30))));
    }
    return results;
  }

  @Test
  void serverThatEndedIsBehindAndNotLeftOut() {
    var comparison = ended(Variant.E).compare(Figure.P99_MILLIS, Variant.E, Variant.A);

    assertThat(comparison.pairs()).isEqualTo(8);
    assertThat(comparison.result()).isEqualTo(Comparison.Result.BEHIND);
    // One is enough, whatever the others show.
    var once =
        rounds(9, arm(Variant.E, 10), arm(Variant.A, 20), arm(Variant.E, 10))
            .with(
                new Round(
                    false,
                    "c",
                    "t",
                    List.of(
                        arm(Variant.A, 20),
                        new Arm(Variant.E, Map.of(), null, null, null, "status 137", null))));
    assertThat(once.compare(Figure.P99_MILLIS, Variant.E, Variant.A).result())
        .isEqualTo(Comparison.Result.BEHIND);
  }

  @Test
  void pairWithAnOtherServerThatEndedIsWon() {
    var results = ended(Variant.A);
    var comparison = results.compare(Figure.P99_MILLIS, Variant.E, Variant.A);

    assertThat(comparison.pairs()).isEqualTo(8);
    assertThat(comparison.ratio()).hasValue(0);
    assertThat(comparison.result()).isEqualTo(Comparison.Result.AHEAD);
  }

  private static Map<Figure, Double> pauses(double seconds, double collections) {
    return Map.of(Figure.PAUSE_SECONDS_PER_MILLION, seconds, Figure.COLLECTIONS, collections);
  }

  @Test
  void pausesOfFewCollectionsDecideNothing() {
    var few =
        rounds(
            3,
            arm(Variant.E, pauses(1, 1)),
            arm(Variant.A, pauses(5, 5)),
            arm(Variant.E, pauses(1, 1)));
    var enough =
        rounds(
            3,
            arm(Variant.E, pauses(1, 2)),
            arm(Variant.A, pauses(5, 5)),
            arm(Variant.E, pauses(1, 2)));

    var undecided = few.compare(Figure.PAUSE_SECONDS_PER_MILLION, Variant.E, Variant.A);
    assertThat(undecided.result()).isEqualTo(Comparison.Result.UNDECIDED);
    assertThat(undecided.reason()).isEqualTo("18 collections");
    assertThat(enough.compare(Figure.PAUSE_SECONDS_PER_MILLION, Variant.E, Variant.A).result())
        .isEqualTo(Comparison.Result.AHEAD);
  }

  @Test
  void latenciesOfASaturatedServerDecideNothing() {
    var full = Map.of(Figure.P99_MILLIS, 10.0, Figure.RATE_REACHED, 1.0);
    var less = Map.of(Figure.P99_MILLIS, 900.0, Figure.RATE_REACHED, 0.97);
    var results =
        rounds(2, arm(Variant.E, full), arm(Variant.A, full), arm(Variant.E, full))
            .with(new Round(false, "c", "t", List.of(arm(Variant.A, less), arm(Variant.E, full))));

    var comparison = results.compare(Figure.P99_MILLIS, Variant.E, Variant.A);
    assertThat(comparison.result()).isEqualTo(Comparison.Result.UNDECIDED);
    assertThat(comparison.reason()).isEqualTo("a is saturated");
  }
}
