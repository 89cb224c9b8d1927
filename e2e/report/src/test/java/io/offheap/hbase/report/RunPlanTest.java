package io.offheap.hbase.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.report.Unit.Cache;
import io.offheap.hbase.report.Unit.Load;
import io.offheap.hbase.report.Unit.Minutes;
import io.offheap.hbase.report.Unit.Rounds;
import io.offheap.hbase.report.Unit.Seconds;
import io.offheap.hbase.report.Unit.Table;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunPlanTest {
  private static final Machine MACHINE = new Machine("p", 2, 4, "17", "6");

  static Unit unit(int pairs, int noise, Minutes minutes) {
    return new Unit(
        "unit",
        "A unit",
        5,
        1024,
        new Table(1000, 100, 1),
        new Cache(Cache.Kind.none, null, null),
        new Load(Load.Operation.get, 100, 2, 10, "uniform", List.of(5, 75), null, null, null, null),
        new Seconds(1, 2, 3, 1),
        List.of(Variant.A, Variant.C, Variant.E),
        new Rounds(pairs, noise),
        minutes,
        List.of(
            new Goal(
                Figure.P99_MILLIS, Variant.E, List.of(Variant.A), Goal.Want.ahead, null, null)),
        new Unit.SeedOf(Variant.E, Variant.C),
        Map.of(Figure.P99_MILLIS, 0.893),
        Map.of(75, 5.61),
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private static Round round(Variant... variants) {
    return new Round(
        false,
        "c",
        "t",
        Stream.of(variants).map(it -> new Arm(it, Map.of(), null, null, null)).toList());
  }

  private static List<RunPlan.Due> due(List<RunPlan.Run> runs) {
    return runs.stream().flatMap(run -> run.rounds().stream()).toList();
  }

  @Test
  void roundForTheNoiseBeginsWithTheVariantThatEndsIt() {
    var unit = unit(4, 2, new Minutes(2, 0, 1));

    assertThat(due(RunPlan.of(unit, Results.none("unit", "k", MACHINE))))
        .containsExactly(
            new RunPlan.Due(false, List.of(Variant.E, Variant.A, Variant.C, Variant.E)),
            new RunPlan.Due(false, List.of(Variant.A, Variant.E, Variant.C, Variant.A)),
            new RunPlan.Due(false, List.of(Variant.A, Variant.C, Variant.E)),
            new RunPlan.Due(false, List.of(Variant.E, Variant.C, Variant.A)));
  }

  @Test
  void onlyMissingRunsAreDueAndTheOrderContinues() {
    var unit = unit(2, 1, new Minutes(2, 0, 1));
    var results =
        Results.none("unit", "k", MACHINE).with(round(Variant.E, Variant.A, Variant.C, Variant.E));

    assertThat(due(RunPlan.of(unit, results)))
        .containsExactly(new RunPlan.Due(false, List.of(Variant.E, Variant.C, Variant.A)));
    assertThat(RunPlan.of(unit, results.with(round(Variant.E, Variant.C, Variant.A)))).isEmpty();
  }

  /** A run that lost its rounds may be followed by one that kept its own. */
  @Test
  void eachOrderIsAsOftenAsTheOtherWhicheverRoundsAreMissing() {
    var unit = unit(6, 0, new Minutes(2, 0, 1));
    var reversed = round(Variant.E, Variant.C, Variant.A);
    var results =
        Results.none("unit", "k", MACHINE)
            .with(reversed)
            .with(round(Variant.E, Variant.A, Variant.C, Variant.E))
            .with(reversed);

    assertThat(due(RunPlan.of(unit, results)))
        .extracting(due -> due.order().get(0))
        .containsExactly(Variant.A, Variant.A, Variant.E);
  }

  @Test
  void noRunTakesOverTwentyMinutes() {
    // Rounds of 6 min after 3 min, two of them with 2 min more: two in each run.
    var runs = RunPlan.of(unit(5, 2, new Minutes(3, 0, 2)), Results.none("unit", "k", MACHINE));

    assertThat(runs).extracting(RunPlan.Run::minutes).containsExactly(19.0, 15.0, 9.0);
    assertThat(RunPlan.minutes(runs)).isEqualTo(43);
    // 5 min more, and two more rounds.
    assertThat(runs.get(0).mostMinutes()).isEqualTo(40.0);
  }

  @Test
  void refusesRoundThatFitsNoRun() {
    var unit = unit(1, 0, new Minutes(3, 0, 6));
    var none = Results.none("unit", "k", MACHINE);

    assertThatThrownBy(() -> RunPlan.of(unit, none))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unit: a start and a round take 21.0 min");
  }

  /** What was measured for half an hour is not lost with the server after it. */
  @Test
  void eachServerWithoutABreakIsARunOfItsOwn() {
    var unit = UnitBuilder.builder(unit(1, 0, new Minutes(2, 1, 31))).unbroken(true).build();
    var results = Results.none("unit", "k", MACHINE);

    assertThat(RunPlan.of(unit, results))
        .extracting(RunPlan.Run::minutes)
        .containsExactly(34.0, 33.0, 33.0);
    assertThat(due(RunPlan.of(unit, results.with(round(Variant.C)))))
        .containsExactly(
            new RunPlan.Due(false, List.of(Variant.A)), new RunPlan.Due(false, List.of(Variant.E)));
  }

  @Test
  void tableIsWrittenByTheFirstRunThatNeedsIt() {
    var unit = unit(5, 2, new Minutes(2, 1, 2));
    var due = new LinkedHashMap<Unit, Results>();
    due.put(unit, Results.none("unit", "k", MACHINE));
    due.put(unit(1, 0, new Minutes(2, 1, 2)), Results.none("unit", "k", MACHINE));

    assertThat(RunPlan.of(due)).extracting(RunPlan.Run::minutes).containsExactly(19.0, 20.0, 8.0);
  }

  @Test
  void serversSideBySideTakeTheTimeOfOne() {
    var unit = sideBySide(unit(3, 3, new Minutes(2, 1, 2)));

    var runs = RunPlan.of(unit, Results.none("unit", "k", MACHINE));

    assertThat(runs).extracting(RunPlan.Run::minutes).containsExactly(15.0);
    assertThat(due(runs))
        .startsWith(
            new RunPlan.Due(true, List.of(Variant.E, Variant.E)),
            new RunPlan.Due(true, List.of(Variant.C, Variant.C)),
            new RunPlan.Due(true, List.of(Variant.E, Variant.E)),
            new RunPlan.Due(false, List.of(Variant.C, Variant.E)));
  }

  private static Unit sideBySide(Unit unit) {
    return UnitBuilder.builder(unit)
        .variants(List.of(Variant.C, Variant.E))
        .placement(Unit.Placement.sideBySide)
        .build();
  }
}
