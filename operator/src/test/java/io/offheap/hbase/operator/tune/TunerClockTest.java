package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.SimulatedLoads.demand;
import static io.offheap.hbase.operator.tune.SimulatedLoads.leak;
import static io.offheap.hbase.operator.tune.SimulatedLoads.pool;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.APPLIED;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.KEPT;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.ROLLED_BACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.tune.TuningState.Phase;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trials while the operator is away, or its clock is set. */
class TunerClockTest {
  private static final Duration DAY = Duration.ofDays(1);

  private static SimulatedGroup watchesTrial(SimulatedGroup.Truth truth) {
    var group = pool(truth);
    while (group.state.trial().filter(it -> it.phase() == Phase.WATCHING).isEmpty()) {
      group.tick();
    }
    return group;
  }

  /** Four windows are an hour: a change that was not watched is neither kept nor rolled back. */
  @ParameterizedTest
  @ValueSource(ints = {1, 30, 59, 61, 300})
  void operatorsAbsenceIsNoTimeInWhichChangeWasWatched(int minutes) {
    var group = watchesTrial(leak(1000));
    group.away(Duration.ofMinutes(minutes));

    group.run(Group.WINDOW.minusMinutes(1));

    assertThat(group.kinds()).containsExactly(APPLIED);
    group.run(Group.WINDOW.multipliedBy(2));
    assertThat(group.kinds()).startsWith(APPLIED, ROLLED_BACK);

    var helped = watchesTrial(demand(2000));
    helped.away(Duration.ofMinutes(minutes));
    helped.run(Group.WINDOW.multipliedBy(3));
    assertThat(helped.kinds()).containsExactly(APPLIED, KEPT);
    assertThat(helped.state.history().get(1).text()).startsWith("helped");
  }

  @Test
  void clockThatIsSetForwardJudgesNoChange() {
    var group = watchesTrial(leak(1000));
    group.setClock(group.now.plus(Duration.ofHours(5)));

    group.tick();

    assertThat(group.kinds()).containsExactly(APPLIED);
  }

  /** The clock is corrected by a second or two, which is no break. */
  @Test
  void smallStepBackJudgesNoChange() {
    var group = watchesTrial(leak(1000));
    group.now = group.now.minusSeconds(62);

    group.tick();

    assertThat(group.kinds()).containsExactly(APPLIED);
    assertThat(group.state.trial().get().since()).isEqualTo(group.now);
  }

  /** The trial does not wait for the time of before. */
  @Test
  void clockThatIsSetBackHoldsNoTrialUp() {
    var group = watchesTrial(demand(2000));
    group.setClock(group.now.minus(DAY.multipliedBy(30)));

    group.run(Group.WINDOW.multipliedBy(6));

    assertThat(group.state.trial()).isEmpty();
  }

  /** A change of later than now cools down from the moment at which the clock was set back. */
  @Test
  void clockThatIsSetBackHoldsNoProposalUp() {
    var group = pool(demand(2000));
    var later = new TuningStateBuilder(TuningState.EMPTY, Group.START.plus(DAY.multipliedBy(30)));
    for (int i = 0; i < 4; i++) {
      later.restart();
    }
    group.state = later.build();

    group.run(Duration.ofMinutes(29));
    assertThat(group.last.message()).startsWith("cools down until 2026-01-05T00:31:00Z");
    group.run(Duration.ofHours(22));
    assertThat(group.last.message()).contains("4 restarts in 24 hours");
    group.run(Duration.ofHours(2));

    assertThat(group.kinds()).startsWith(APPLIED);
  }
}
