package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class UnitsTest {
  private static final Machine MACHINE = new Machine("p", 2, 4, "17", "6");
  private static Units units;

  @BeforeAll
  static void read() throws IOException {
    units = Units.read(Path.of("units.yaml"));
  }

  private static double minutes(MeasuredSet set) {
    double memory = units.memoryOf(set).stream().mapToDouble(MemoryShape::minutes).sum();
    return memory
        + units.of(set).stream()
            .mapToDouble(
                unit ->
                    RunPlan.minutes(RunPlan.of(unit, Results.none(unit.name(), "key", MACHINE))))
            .sum();
  }

  @Test
  void wholeSetTakesAtMostTwelveHours() {
    assertThat(minutes(MeasuredSet.WHOLE)).isLessThanOrEqualTo(12 * 60);
  }

  @Test
  void quickSetTakesUnderTwentyMinutesWithThreePairs() {
    assertThat(minutes(MeasuredSet.QUICK)).isBetween(1.0, 20.0);
    assertThat(units.of(MeasuredSet.QUICK))
        .allSatisfy(unit -> assertThat(unit.rounds().pairs()).isEqualTo(3));
  }

  /** A plan refuses a smaller one. */
  @ParameterizedTest
  @EnumSource
  void bucketCachesHaveAtLeastThirtyTwoMebibytes(MeasuredSet set) {
    assertThat(units.of(set).stream().flatMap(unit -> Runner.settings(unit).stream()))
        .filteredOn(setting -> setting.startsWith("bucketCacheMib="))
        .allMatch(setting -> Integer.parseInt(setting.substring(15)) >= 32);
  }

  @ParameterizedTest
  @EnumSource
  void goalsAreOfVariantsAndFiguresThatAreCompared(MeasuredSet set) {
    assertThat(units.of(set))
        .allSatisfy(
            unit -> {
              assertThat(unit.goals()).isNotEmpty();
              for (Goal goal : unit.goals()) {
                assertThat(unit.variants()).contains(goal.of());
                assertThat(goal.figure().better()).isNotEqualTo(Figure.Better.NEITHER);
              }
            });
  }

  @Test
  void namesAreDifferent() {
    assertThat(
            Stream.concat(
                units.units().stream().map(Unit::name),
                units.memory().stream().map(MemoryShape::name)))
        .doesNotHaveDuplicates();
  }

  @Test
  void refusesNameOfNoUnitAndNoShape() throws IOException {
    units.requireNames(Set.of("multi-gets", "memory-lru-1"));

    assertThatThrownBy(() -> units.requireNames(Set.of("multi-gets", "multi-get")))
        .isInstanceOf(IOException.class)
        .hasMessage("no unit and no shape: multi-get");
  }

  @Test
  void noShapeTakesOverTwentyMinutes() {
    assertThat(units.memory())
        .hasSize(6)
        .allSatisfy(shape -> assertThat(shape.minutes()).isLessThanOrEqualTo(RunPlan.MOST_MINUTES));
  }

  @Test
  void inputsArePathsOfTheProject() {
    assertThat(units.inputs())
        .allSatisfy(input -> assertThat(Path.of("../..").resolve(input)).exists());
  }

  @Test
  void pointsFiveAndTenHaveTenPairsAndOthersAtLeastThree() {
    assertThat(units.units())
        .allSatisfy(
            unit -> {
              int pairs = List.of(5, 10).contains(unit.point()) ? 10 : 3;
              assertThat(unit.rounds().pairs()).isGreaterThanOrEqualTo(pairs);
              assertThat(unit.rounds().noise()).isGreaterThanOrEqualTo(3);
            });
  }

  @Test
  void keyDependsOnWhatIsMeasuredAndNotOnGoals() throws IOException {
    var unit = RunPlanTest.unit(3, 1, new Unit.Minutes(2, 1));
    var oftener = RunPlanTest.unit(10, 5, new Unit.Minutes(2, 1));

    assertThat(Units.key(unit, "files"))
        .hasSize(16)
        .isEqualTo(Units.key(oftener, "files"))
        .isNotEqualTo(Units.key(unit, "other files"));
  }
}
