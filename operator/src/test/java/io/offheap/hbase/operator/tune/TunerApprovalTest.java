package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.SimulatedLoads.demand;
import static io.offheap.hbase.operator.tune.SimulatedLoads.leak;
import static io.offheap.hbase.operator.tune.SimulatedLoads.longMixed;
import static io.offheap.hbase.operator.tune.SimulatedLoads.pool;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.APPLIED;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.KEPT;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.ROLLED_BACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.TuningState.Recommendation;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Recommendations: approved, dismissed, of rules that are not proven. */
class TunerApprovalTest {
  @Test
  void recommendationWaitsForApprovalOfItsId() {
    var group = pool(demand(800));
    group.settings = SimulatedGroup.settings(TuningMode.RECOMMEND);
    group.approved = Optional.of("another");

    group.run(Duration.ofHours(3));

    assertAppliedOnceApproved(group, PoolTooSmall.NAME);
  }

  private static void assertAppliedOnceApproved(SimulatedGroup group, String rule) {
    var waiting = group.state.recommendation().orElseThrow();
    assertThat(waiting.proposal().rule()).isEqualTo(rule);
    assertThat(group.kinds()).isEmpty();
    assertThat(group.last.message()).endsWith("; waits for approval of " + waiting.id());

    group.approved = Optional.of(waiting.id());
    group.run(Duration.ofHours(2));

    assertThat(group.kinds()).containsExactly(APPLIED, KEPT);
    assertThat(group.state.values()).isEqualTo(waiting.proposal().values());
  }

  @Test
  void unprovenRuleRecommendsInAuto() {
    var group = pool(longMixed(demand(384)));

    group.run(Duration.ofHours(3));

    assertAppliedOnceApproved(group, MixedTooLong.NAME);
  }

  /** The rule is proven where marking begins too early. */
  @Test
  void lateMarkingRecommendsInAuto() {
    var group =
        pool(
            (server, plan, age, time) -> {
              demand(384).live(server, plan, age, time);
              boolean isLate = plan.planned(TunedKey.IHOP) > 60;
              server
                  .set(Metric.OLD_AFTER_GC_BYTES, 12 * Group.GIB)
                  .set(Metric.MARKING_START_OLD_BYTES, 5 * Group.GIB)
                  .set(Metric.YOUNG_TARGET_BYTES, Group.GIB)
                  .add(Metric.GC_CONCURRENT_START_COUNT, 0.5)
                  .add(Metric.EVACUATION_FAILED_COUNT, isLate ? 1 : 0)
                  .add(Metric.GC_FULL_PAUSE_MICROS, isLate ? 3_000_000 : 0);
            });

    group.run(Duration.ofHours(3));

    assertAppliedOnceApproved(group, MarkingTooEarlyOrLate.NAME);
  }

  @Test
  void recommendationDoesNotDelayProvenRule() {
    // Index blocks without a cache, of which no change was seen to help, and early marking.
    var group =
        new SimulatedGroup(
            Group.talk()
                .mode(CacheMode.DISABLED)
                .with(TunedKey.BUFFER_SIZE, 66_560)
                .with(TunedKey.IHOP, 30),
            3,
            SimulatedLoads.earlyMarking());

    group.run(Duration.ofHours(3));

    assertThat(group.events()).extracting(it -> it.rule()).contains(MarkingTooEarlyOrLate.NAME);
    assertThat(group.state.recommendation().orElseThrow().proposal().rule())
        .isEqualTo(MetaBlocksSpill.NAME);
  }

  /** The rule was right about its counter: there is nothing to suspect. */
  @Test
  void changeThatClientsDoNotFeelIsRolledBackAndNotProposedAgain() {
    var group = pool(promoting(1_200_000));
    group.run(Duration.ofHours(1));
    group.approved = group.state.recommendation().map(Recommendation::id);

    group.run(Duration.ofHours(2));

    assertThat(group.kinds()).containsExactly(APPLIED, ROLLED_BACK);
    assertThat(group.events().get(1).text())
        .startsWith("clients feel nothing of it: 0.00 %, before 40.00 %; collections take 2.00 %");
    assertThat(group.state.values()).isEmpty();
    assertThat(group.state.records())
        .singleElement()
        .satisfies(it -> assertThat(it.dismissed()).isPresent())
        .satisfies(it -> assertThat(it.withoutGain()).isZero());

    group.run(Duration.ofHours(24));

    assertThat(group.kinds()).hasSize(2);
    assertThat(group.state.recommendation()).isEmpty();
    assertThat(group.last.suspicions()).isEmpty();
    assertThat(group.last.message())
        .isEqualTo(
            "PrematurePromotion: its change was rolled back, as clients felt nothing of it; finds"
                + " no other");
  }

  /** A heap that was just restarted is empty, so that its pauses are short. */
  @Test
  void changeOfACounterIsKeptByTheSecondWindowAlone() {
    var group = pool(promoting(600_000));
    group.run(Duration.ofHours(1));
    group.approved = group.state.recommendation().map(Recommendation::id);
    group.tick();
    var applied = group.now;

    group.run(Duration.ofHours(2));

    assertThat(group.kinds()).containsExactly(APPLIED, KEPT);
    assertThat(group.events().get(1).at())
        .isAfter(applied.plus(Group.WARM_UP).plus(Group.WINDOW.multipliedBy(2)));
  }

  private static SimulatedGroup.Truth promoting(double pauseMicrosAfter) {
    return (server, plan, age, time) -> {
      boolean isSmall = plan.planned(TunedKey.SURVIVOR_RATIO) >= 8;
      server
          .add(Metric.GC_NORMAL_COUNT, 100)
          .add(Metric.GC_NORMAL_PAUSE_MICROS, isSmall ? 1_200_000 : pauseMicrosAfter)
          .add(Metric.SURVIVOR_OVERFLOW_COUNT, isSmall ? 40 : 0)
          .set(Metric.SURVIVOR_BYTES_AGE_1, 100 * Group.MIB)
          .set(Metric.YOUNG_TARGET_BYTES, Group.GIB);
    };
  }

  @Test
  void dismissedChangeIsNotProposedAgainOnTheSameMetrics() {
    var group = pool(demand(800));
    group.settings = SimulatedGroup.settings(TuningMode.RECOMMEND);
    group.run(Duration.ofHours(1));
    var shown = group.state.recommendation().orElseThrow();

    group.dismissed = Optional.of("another");
    group.tick();
    assertThat(group.state.recommendation()).contains(shown);

    group.dismissed = Optional.of(shown.id());
    group.tick();
    assertThat(group.state.recommendation()).isEmpty();
    // The annotation may be deleted: the state has it.
    group.dismissed = Optional.empty();
    group.run(Duration.ofHours(3));

    assertThat(group.state.recommendation()).isEmpty();
    assertThat(group.kinds()).isEmpty();
    assertThat(group.last.message())
        .isEqualTo("PoolTooSmall: its change was dismissed; finds no other");
    group.settings = SimulatedGroup.settings(TuningMode.AUTO);
    group.run(Duration.ofHours(1));
    assertThat(group.kinds()).as("nor is it made without approval").isEmpty();
  }

  @Test
  void dismissalEndsWithItsInputs() {
    var load = new AtomicReference<>(demand(800));
    var group = pool((server, plan, age, time) -> load.get().live(server, plan, age, time));
    group.settings = SimulatedGroup.settings(TuningMode.RECOMMEND);
    group.run(Duration.ofHours(1));
    var shown = group.state.recommendation().orElseThrow();
    group.dismissed = Optional.of(shown.id());
    group.run(Duration.ofHours(1));
    assertThat(group.state.recommendation()).isEmpty();

    load.set(demand(1600));
    group.run(Duration.ofHours(1));

    var other = group.state.recommendation().orElseThrow();
    assertThat(other.id()).isNotEqualTo(shown.id());
    assertThat(other.proposal().values()).isNotEqualTo(shown.proposal().values());
    assertThat(group.state.records()).allMatch(it -> it.dismissed().isEmpty());
  }

  @Test
  void offEndsADismissal() {
    var group = pool(demand(800));
    group.settings = SimulatedGroup.settings(TuningMode.RECOMMEND);
    group.run(Duration.ofHours(1));
    group.dismissed = group.state.recommendation().map(Recommendation::id);
    group.tick();
    group.dismissed = Optional.empty();

    group.settings = SimulatedGroup.settings(TuningMode.DISABLED);
    group.tick();
    group.settings = SimulatedGroup.settings(TuningMode.RECOMMEND);
    group.run(Duration.ofHours(1));

    assertThat(group.state.recommendation()).isPresent();
  }

  @Test
  void approvalCountsOnce() {
    var group = pool(leak(1000));
    group.settings = SimulatedGroup.settings(TuningMode.RECOMMEND);
    group.run(Duration.ofHours(1));
    group.approved = group.state.recommendation().map(Recommendation::id);

    group.run(Duration.ofHours(5));

    assertThat(group.kinds()).containsExactly(APPLIED, ROLLED_BACK);
    assertThat(group.state.recommendation()).isPresent();
  }
}
