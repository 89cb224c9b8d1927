package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
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
    // Shapes at once take the time of one.
    double memory =
        units.memoryOf(set).stream()
            .collect(
                Collectors.toMap(
                    it -> it.together() == null ? it.name() : it.together(),
                    MemoryShape::minutes,
                    Math::max))
            .values()
            .stream()
            .mapToDouble(it -> it)
            .sum();
    return memory + RunPlan.minutes(runs(set));
  }

  private static List<RunPlan.Run> runs(MeasuredSet set) {
    var due = new LinkedHashMap<Unit, Results>();
    units.of(set).stream()
        .filter(unit -> Report.isWanted(unit, Set.of()))
        .forEach(unit -> due.put(unit, Results.none(unit.name(), "key", MACHINE)));
    return RunPlan.of(due);
  }

  /** However the work is split: a unit alone writes its table itself. */
  @ParameterizedTest
  @EnumSource
  void noRunTakesOverTwentyMinutesUnlessItIsWithoutABreak(MeasuredSet set) {
    assertNoneTooLong(runs(set));
    for (Unit unit : units.of(set)) {
      assertNoneTooLong(RunPlan.of(unit, Results.none(unit.name(), "key", MACHINE)));
    }
    assertThat(units.of(set))
        .filteredOn(unit -> RunPlan.most(unit, true) > RunPlan.MOST_MINUTES)
        .extracting(Unit::name)
        .allMatch(name -> name.contains("half-an-hour") || name.equals("operator-steps"));
  }

  private static void assertNoneTooLong(List<RunPlan.Run> runs) {
    var begun = new HashSet<Unit>();
    for (RunPlan.Run run : runs) {
      assertThat(run.minutes())
          .as(run.unit().name())
          .isLessThanOrEqualTo(RunPlan.most(run.unit(), begun.add(run.unit())));
    }
  }

  /** Half an hour under load, without a restart. */
  @Test
  void unbrokenUnitsLoadEachServerForHalfAnHour() {
    assertThat(units.units())
        .filteredOn(Unit::isUnbroken)
        .hasSize(3)
        .allSatisfy(
            unit -> {
              assertThat(unit.seconds().rate() + unit.seconds().full()).isEqualTo(30 * 60);
              // Nothing is compared of one server each.
              assertThat(unit.goals()).allMatch(Goal::isBound);
            });
  }

  @Test
  void eachComparisonHasNoiseOfItsOwnUnit() {
    assertThat(units.units())
        .filteredOn(unit -> unit.goals().stream().noneMatch(Goal::isBound))
        .allSatisfy(unit -> assertThat(unit.rounds().noise()).isBetween(3, unit.rounds().pairs()));
  }

  @Test
  void whatOthersReportedIsComparedInAUnitThatHasIt() {
    assertThat(units.seeds())
        .isNotEmpty()
        .allSatisfy(
            seed -> {
              var unit =
                  units.units().stream()
                      .filter(it -> it.name().equals(seed.unit()))
                      .findFirst()
                      .orElseThrow();
              assertThat(unit.variants()).contains(seed.of(), seed.than());
              if (seed.threads() == null) {
                assertThat(seed.figure().better()).isNotEqualTo(Figure.Better.NEITHER);
              } else {
                assertThat(seed.figure()).isNull();
                assertThat(unit.load().sweep()).contains(seed.threads());
              }
            });
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
  void stateOfTheCacheIsCheckedOfEachVariantWhereAUnitIsAboutIt() {
    assertThat(units.units())
        .filteredOn(unit -> unit.cache().kind() != Unit.Cache.Kind.own)
        .hasSize(15)
        .allSatisfy(
            unit ->
                assertThat(unit.hits())
                    .extracting(Unit.Hits::of)
                    .containsExactlyInAnyOrderElementsOf(unit.variants()));
    assertThat(units.of(MeasuredSet.QUICK))
        .filteredOn(unit -> unit.name().contains("two-thirds"))
        .allSatisfy(unit -> assertThat(unit.hits()).extracting(Unit.Hits::of).contains(Variant.E))
        .isNotEmpty();
  }

  /** A table that is read ahead, or no cache, is in its state at once. */
  @Test
  void smokeChecksTheStateThatNeedsNoTime() {
    assertThat(units.of(MeasuredSet.SMOKE))
        .filteredOn(unit -> unit.hits() != null)
        .extracting(unit -> unit.cache().kind())
        .contains(Unit.Cache.Kind.none, Unit.Cache.Kind.all)
        .doesNotContain(Unit.Cache.Kind.share, Unit.Cache.Kind.same);
  }

  @Test
  void goalNotBehindHasAMargin() {
    assertThat(units.units().stream().flatMap(unit -> unit.goals().stream()))
        .allSatisfy(
            goal -> {
              if (goal.want() == Goal.Want.notBehind) {
                assertThat(goal.margin()).isBetween(0.05, 0.2);
              } else {
                assertThat(goal.margin()).isNull();
              }
            });
  }

  @Test
  void goalOfAPercentileHasTenOperationsBeyondIt() {
    var beyond =
        Map.of(
            Figure.P95_MILLIS,
            0.05,
            Figure.P99_MILLIS,
            0.01,
            Figure.P999_MILLIS,
            0.001,
            Figure.UPDATE_P99_MILLIS,
            0.01);
    assertThat(units.units())
        .allSatisfy(
            unit -> {
              for (Goal goal : unit.goals()) {
                if (goal.figure().isLatency() && goal.figure() != Figure.SERVER_P99_MILLIS) {
                  boolean isUpdate = goal.figure() == Figure.UPDATE_P99_MILLIS;
                  double share = isUpdate ? 100 - unit.load().read() : unit.load().read();
                  double operations = unit.load().rate() * unit.seconds().rate() * share / 100;
                  assertThat(operations * beyond.get(goal.figure())).isGreaterThan(10);
                }
              }
            });
  }

  @Test
  void sideBySideHasGoalsOfWhatIsComparedThere() {
    assertThat(units.units())
        .filteredOn(Unit::isSideBySide)
        .flatExtracting(Unit::goals)
        .extracting(Goal::figure)
        .allMatch(Figure::isComparedSideBySide);
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
  void wholeSetTakesAtMostTwelveHoursWithHalfAnHourKeptFree() {
    assertThat(minutes(MeasuredSet.WHOLE)).isLessThanOrEqualTo(12 * 60 - 30);
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
  void noShapeTakesOverTwentyMinutesUnlessItIsLoadedForAnHour() {
    assertThat(units.memory())
        .hasSize(6)
        .allSatisfy(
            shape ->
                assertThat(shape.minutes())
                    .isBetween(
                        shape.seconds() / 60.0, shape.seconds() / 60.0 + RunPlan.MOST_MINUTES));
    assertThat(units.memory())
        .filteredOn(shape -> shape.together() != null)
        .hasSize(3)
        .allSatisfy(shape -> assertThat(shape.seconds()).isEqualTo(3600));
  }

  @Test
  void inputsArePathsOfTheProject() {
    assertThat(
            Stream.of(units.inputs(), units.memoryInputs(), units.stepsInputs())
                .flatMap(List::stream))
        .isNotEmpty()
        .map(input -> input.replaceFirst("^!", ""))
        .allSatisfy(
            input -> {
              // What is built may not be there yet; its module is.
              int target = input.indexOf("/target/");
              var path = Path.of("../..").resolve(target < 0 ? input : input.substring(0, target));
              assertThat(target < 0 ? path : path.resolve("pom.xml")).exists();
            });
  }

  /** From six pairs on, an interval can cover 95 %. */
  @Test
  void pairsAreThoseOfTheMethod() {
    assertThat(units.units())
        .allSatisfy(
            unit -> {
              boolean isWhole =
                  List.of("block-reads-nothing-cached", "block-reads-two-thirds-cached")
                      .contains(unit.name());
              int pairs = isWhole ? 6 : unit.isUnbroken() ? 1 : 3;
              assertThat(unit.rounds().pairs()).isEqualTo(pairs);
            });
  }

  @Test
  void unitOnRequestIsMeasuredWhereItIsNamedAndInTheSmokeSet() {
    assertThat(units.units())
        .filteredOn(Unit::isOnRequest)
        .extracting(Unit::name)
        .containsExactly(
            "patches-left-out",
            "instead-1536-half-an-hour",
            "instead-3072-half-an-hour",
            "ram-buffer-uniform",
            "collector-steps");
    assertThat(runs(MeasuredSet.WHOLE))
        .extracting(run -> run.unit().name())
        .contains("rollout")
        .doesNotContain("patches-left-out");
    assertThat(runs(MeasuredSet.SMOKE))
        .extracting(run -> run.unit().name())
        .contains("patches-left-out");
    var named = Set.of("patches-left-out");
    assertThat(units.units().stream().filter(unit -> Report.isWanted(unit, named)))
        .extracting(Unit::name)
        .containsExactly("patches-left-out");
  }

  /** What a server takes beside its load, on two idle cores. */
  @Test
  void statedMinutesOfAServerHaveRoomForItsStartAndItsWarmUp() {
    assertThat(units.units())
        .filteredOn(unit -> unit.load().operation() != Unit.Load.Operation.rollout)
        .allSatisfy(
            unit -> {
              var seconds = unit.seconds();
              int steps = unit.load().sweep() == null ? 0 : unit.load().sweep().size();
              double load =
                  Math.max(seconds.warmUp() + 5, 23)
                      + seconds.rate()
                      + seconds.full()
                      + (steps == 0 ? 0 : steps * seconds.sweep())
                      + (unit.load().read() == 100 ? 0 : 20);
              assertThat(60 * unit.minutes().variant()).isGreaterThanOrEqualTo(load + 29.5);
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
