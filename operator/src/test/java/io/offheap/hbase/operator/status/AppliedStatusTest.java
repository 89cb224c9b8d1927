package io.offheap.hbase.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatusGroupBuilder;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningStep;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What status has of tuning. */
class AppliedStatusTest {
  private static final TuningStatus.Value POOL =
      new TuningStatus.Value("hbase.server.allocator.max.buffer.count", "3348", "PoolTooSmall");

  private static TuningStatus.Group group(String name, Activity activity) {
    return TuningStatuses.of(
        name, new TuningStep(TuningState.EMPTY, activity, "for people", List.of(), List.of()));
  }

  private static TuningStatus waiting(UnaryOperator<TuningStatusGroupBuilder> change) {
    var group = TuningStatusGroupBuilder.builder(group("", Activity.WAITING_FOR_ROLLOUT));
    return new TuningStatus(List.of(change.apply(group).build()));
  }

  private static void assertShown(TuningStatus tuning) {
    assertThat(AppliedStatus.shown(tuning)).isSameAs(tuning);
  }

  @ParameterizedTest
  @EnumSource(
      value = Activity.class,
      names = {"WAITING_FOR_ROLLOUT", "WAITING_FOR_SPEC"})
  void hasNoTuningThatWaitsAndHasDoneNothing(Activity activity) {
    assertThat(AppliedStatus.shown(new TuningStatus(List.of(group("", activity))))).isNull();
    assertThat(AppliedStatus.shown(new TuningStatus(null))).isNull();
  }

  @ParameterizedTest
  @EnumSource(
      value = Activity.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"WAITING_FOR_ROLLOUT", "WAITING_FOR_SPEC"})
  void hasTuningOfEveryOtherActivity(Activity activity) {
    assertShown(new TuningStatus(List.of(group("", activity))));
  }

  @Test
  void hasAllGroupsIfOneDoesNotWait() {
    assertShown(
        new TuningStatus(
            List.of(group("", Activity.WAITING_FOR_ROLLOUT), group("big", Activity.GATHERING))));
  }

  @Test
  void hasTuningThatHasDoneSomething() {
    assertShown(waiting(it -> it.trials(1)));
    assertShown(waiting(it -> it.values(List.of(POOL))));
    assertShown(waiting(it -> it.suspected(List.of(new TuningStatus.Suspicion("Rule", "why")))));
  }

  /** As an older version of the operator has written it. */
  @Test
  void hasTuningWithoutReason() {
    assertShown(waiting(it -> it.reason(null)));
  }
}
