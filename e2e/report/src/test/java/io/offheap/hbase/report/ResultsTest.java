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
    assertThat(comparison.median()).hasValue(0.5);
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
  }

  @Test
  void comparesThroughputByThreads() {
    var five = Round.Value.ofThreads(5);

    assertThat(some().values(five, Variant.A)).containsExactly(400, 400, 600);
    assertThat(some().compare(Figure.Better.HIGHER, five, Variant.E, Variant.A).result())
        .isEqualTo(Comparison.Result.BEHIND);
    assertThat(some().values(Round.Value.ofThreads(6), Variant.A)).isEmpty();
  }

  @Test
  void valuesLeaveEqualPairsOut() {
    assertThat(some().values(Figure.P99_MILLIS, Variant.E)).containsExactly(10, 12, 9);
  }
}
