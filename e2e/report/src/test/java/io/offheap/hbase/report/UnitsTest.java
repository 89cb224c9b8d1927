package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
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
    return memory + RunPlan.minutes(runs(set));
  }

  private static List<RunPlan.Run> runs(MeasuredSet set) {
    var due = new LinkedHashMap<Unit, Results>();
    units.of(set).forEach(unit -> due.put(unit, Results.none(unit.name(), "key", MACHINE)));
    return RunPlan.of(due);
  }

  /** However the work is split: a unit alone writes its table itself. */
  @ParameterizedTest
  @EnumSource
  void noRunTakesOverTwentyMinutes(MeasuredSet set) {
    assertThat(runs(set))
        .allSatisfy(run -> assertThat(run.minutes()).isLessThanOrEqualTo(RunPlan.MOST_MINUTES));
    for (Unit unit : units.of(set)) {
      assertThat(RunPlan.of(unit, Results.none(unit.name(), "key", MACHINE)))
          .allSatisfy(run -> assertThat(run.minutes()).isLessThanOrEqualTo(RunPlan.MOST_MINUTES));
    }
  }

  /** For each variant and limit, over all of its servers. */
  @Test
  void loadOfPointTenIsHalfAnHour() {
    assertThat(units.units())
        .filteredOn(unit -> unit.point() == 10)
        .hasSize(3)
        .allSatisfy(
            unit -> {
              var seconds = unit.seconds();
              assertThat(
                      unit.rounds().pairs() * (seconds.warmUp() + seconds.rate() + seconds.full()))
                  .isGreaterThanOrEqualTo(30 * 60);
            });
  }

  @Test
  void sharedNoiseIsOfAUnitOfThePointThatMeasuresIt() {
    assertThat(units.units())
        .filteredOn(unit -> unit.noiseOf() != null)
        .isNotEmpty()
        .allSatisfy(
            unit ->
                assertThat(units.units())
                    .filteredOn(other -> other.name().equals(unit.noiseOf()))
                    .singleElement()
                    .satisfies(
                        other -> {
                          assertThat(other.rounds().noise()).isGreaterThanOrEqualTo(3);
                          assertThat(other.point()).isEqualTo(unit.point());
                          assertThat(other.load().threads()).isEqualTo(unit.load().threads());
                          assertThat(other.isSideBySide()).isEqualTo(unit.isSideBySide());
                        }));
  }

  @Test
  void sideBySideIsOfTwoVariants() {
    assertThat(units.units())
        .filteredOn(Unit::isSideBySide)
        .isNotEmpty()
        .allSatisfy(unit -> assertThat(unit.variants()).hasSize(2));
  }

  /** What is two thirds in the title is so by the server's own counters, or it is no result. */
  @Test
  void stateOfTheCacheIsCheckedWhereAUnitIsAboutIt() {
    assertThat(units.units())
        .filteredOn(
            unit ->
                unit.point() == 5 && unit.variants().contains(Variant.C) && !unit.isSideBySide())
        .hasSize(3)
        .allSatisfy(
            unit ->
                assertThat(unit.hits()).extracting(Unit.Hits::of).contains(Variant.C, Variant.E));
    assertThat(units.of(MeasuredSet.QUICK))
        .filteredOn(unit -> unit.name().contains("two-thirds"))
        .allSatisfy(unit -> assertThat(unit.hits()).extracting(Unit.Hits::of).contains(Variant.E))
        .isNotEmpty();
  }

  @Test
  void gridsAreOfUnitsThatHaveTheSameVariants() {
    assertThat(units.grids())
        .isNotEmpty()
        .allSatisfy(
            grid -> {
              var ofGrid =
                  units.units().stream().filter(it -> grid.units().contains(it.name())).toList();
              assertThat(ofGrid).hasSameSizeAs(grid.units()).hasSameSizeAs(grid.labels());
              assertThat(ofGrid).extracting(Unit::variants).containsOnly(ofGrid.get(0).variants());
              assertThat(grid.units()).contains(grid.after());
            });
  }

  @Test
  void wholeSetTakesAtMostTwelveHours() {
    assertThat(minutes(MeasuredSet.WHOLE)).isLessThanOrEqualTo(12 * 60);
  }

  @Test
  void quickSetTakesUnderTwentyMinutesWithItsBuildAndHasThreePairs() {
    assertThat(units.build() + minutes(MeasuredSet.QUICK)).isBetween(1.0, 20.0);
    assertThat(units.of(MeasuredSet.QUICK))
        .allSatisfy(unit -> assertThat(unit.rounds().pairs()).isEqualTo(3));
  }

  /** A plan refuses a smaller one. */
  @ParameterizedTest
  @EnumSource
  void bucketCachesHaveAtLeastThirtyTwoMebibytes(MeasuredSet set) {
    assertThat(units.of(set).stream().flatMap(unit -> Runner.settings(unit, "abc").stream()))
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
                assertThat(unit.variants()).containsAll(goal.than());
                assertThat(goal.isBound()).isEqualTo(goal.than().isEmpty());
                assertThat(goal.isBound()).isNotEqualTo(goal.want() != null);
                if (!goal.isBound()) {
                  assertThat(goal.figure().better()).isNotEqualTo(Figure.Better.NEITHER);
                }
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
    assertThat(Stream.concat(units.inputs().stream(), units.memoryInputs().stream()))
        .isNotEmpty()
        .allSatisfy(
            input -> {
              // What is built may not be there yet; its module is.
              int target = input.indexOf("/target/");
              var path = Path.of("../..").resolve(target < 0 ? input : input.substring(0, target));
              assertThat(target < 0 ? path : path.resolve("pom.xml")).exists();
            });
  }

  @Test
  void pointsFiveAndTenHaveTenPairsAndOthersAtLeastThree() {
    assertThat(units.units())
        .allSatisfy(
            unit -> {
              // Bytes of a Get repeat: three are enough for those without a patch.
              boolean isBytes = unit.name().equals("patches-left-out");
              int pairs = List.of(5, 10).contains(unit.point()) && !isBytes ? 10 : 3;
              assertThat(unit.rounds().pairs()).isGreaterThanOrEqualTo(pairs);
              // Bounds are not compared.
              if (unit.noiseOf() == null && unit.goals().stream().noneMatch(Goal::isBound)) {
                assertThat(unit.rounds().noise()).isGreaterThanOrEqualTo(3);
              }
            });
  }

  @Test
  void keyDependsOnWhatIsMeasuredAndNotOnGoals() throws IOException {
    var unit = RunPlanTest.unit(3, 1, new Unit.Minutes(2, 0, 1));
    var oftener = RunPlanTest.unit(10, 5, new Unit.Minutes(2, 0, 1));

    assertThat(Units.key(unit, "files"))
        .hasSize(16)
        .isEqualTo(Units.key(oftener, "files"))
        .isNotEqualTo(Units.key(unit, "other files"));
  }
}
