package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.TuningState.EventKind.APPLIED;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.DROPPED;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.KEPT;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.ROLLED_BACK;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.STOPPED;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.Phase;
import io.offheap.hbase.operator.tune.TuningState.Recommendation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trials of changes, over simulated days. */
class TunerTest {
  private static final double RATE = 200 * Group.MIB;
  private static final Duration DAY = Duration.ofDays(1);

  /** Reads that hold this many buffers at a time. */
  private static SimulatedGroup.Truth demand(double buffers) {
    return (server, plan, age, time) -> {
      double count = plan.planned(TunedKey.BUFFER_COUNT);
      allocate(server, plan, Math.min(1, count / buffers), RATE);
    };
  }

  private static void allocate(
      SimulatedGroup.Counters server, Evidence plan, double fromPool, double rate) {
    double bytes = rate * 60;
    double count = plan.planned(TunedKey.BUFFER_COUNT);
    server
        .add(Metric.ALLOCATOR_POOL_BYTES, bytes * fromPool)
        .add(Metric.ALLOCATOR_HEAP_BYTES, bytes * (1 - fromPool))
        .add(
            Metric.ALLOCATOR_POOL_EMPTY_COUNT,
            Math.ceil(bytes * (1 - fromPool) / plan.planned(TunedKey.BUFFER_SIZE)))
        .set(Metric.ALLOCATOR_TOTAL_BUFFERS, count)
        .set(Metric.ALLOCATOR_CREATED_BUFFERS, count)
        .add(Metric.GC_NORMAL_PAUSE_MICROS, 600_000);
  }

  /** Buffers that are not returned; of an exhausted pool, the rest serves a third of the reads. */
  private static SimulatedGroup.Truth leak(double buffersPerMinute) {
    return (server, plan, age, time) -> {
      double left = plan.planned(TunedKey.BUFFER_COUNT) - buffersPerMinute * age.toMinutes();
      allocate(server, plan, left > 0 ? 1 : 0.3, RATE);
    };
  }

  private static SimulatedGroup pool(SimulatedGroup.Truth truth) {
    return new SimulatedGroup(Group.talk().handlers(1).mayShrinkCache(), 3, truth);
  }

  @Property(tries = 10)
  void oneChangeCorrectsPoolUpToAHundredTimesTooSmall(
      @ForAll @DoubleRange(min = 1.5, max = 100) double times) {
    var group = pool(demand(384 * times));

    group.run(Duration.ofHours(4));

    assertThat(group.kinds()).containsExactly(APPLIED, KEPT);
    assertThat(group.symptom(PoolTooSmall.NAME)).isZero();
    assertThat(group.value(TunedKey.BUFFER_COUNT).doubleValue())
        .isBetween(384 * times, 384 * times * 1.21 + 1);
    assertThat(group.last.suspicions()).isEmpty();
  }

  @Property(tries = 5)
  void suspectsLeakAfterTwoChangesWithoutEffect(
      @ForAll @IntRange(min = 50, max = 1000) int leaked) {
    var group = pool(leak(leaked));

    group.run(DAY.multipliedBy(2));

    // The effect of slower leaks disappears for some time.
    assertThat(group.kinds()).filteredOn(APPLIED::equals).hasSize(2);
    assertThat(group.kinds()).endsWith(ROLLED_BACK, STOPPED);
    assertThat(group.state.values()).isEmpty();
    assertThat(group.last.suspicions())
        .singleElement()
        .asString()
        .startsWith("PoolTooSmall: 2 changes one after the other did not help; buffers leak");
    assertThat(group.last.suspicions().get(0).rule()).isEqualTo(PoolTooSmall.NAME);
  }

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

  @Test
  void suspectsSlowLeakAlthoughEachChangeHelpedForSomeTime() {
    // 384 buffers in 96 minutes, four times as many in 6.4 hours, 16 times in a day
    var group = pool(leak(4));

    group.run(DAY.multipliedBy(4));

    assertThat(group.kinds()).containsExactly(APPLIED, KEPT, APPLIED, KEPT, ROLLED_BACK, STOPPED);
    assertThat(group.state.values()).isEmpty();
  }

  @Test
  void suspectsNoLeakWhereTrafficGrows() {
    SimulatedGroup.Truth growing =
        (server, plan, age, time) -> {
          long months = Duration.between(Group.START, time).toHours() / 12;
          double times = Math.pow(2, (double) months);
          double count = plan.planned(TunedKey.BUFFER_COUNT);
          allocate(server, plan, Math.min(1, count / (800 * times)), RATE * times);
        };
    var group = pool(growing);

    group.run(DAY.multipliedBy(2));

    assertThat(group.last.suspicions()).isEmpty();
    assertThat(group.kinds()).doesNotContain(ROLLED_BACK, STOPPED);
    assertThat(group.kinds()).filteredOn(KEPT::equals).hasSizeBetween(3, 5);
  }

  @Test
  void rollsBackEffectiveChangeWithLongerPauses() {
    SimulatedGroup.Truth harmful =
        (server, plan, age, time) -> {
          demand(800).live(server, plan, age, time);
          if (plan.planned(TunedKey.BUFFER_COUNT) > 384) {
            server.add(Metric.GC_NORMAL_PAUSE_MICROS, 6_000_000);
          }
        };
    var group = pool(harmful);

    group.run(Duration.ofMinutes(70));

    assertThat(group.kinds()).containsExactly(APPLIED, ROLLED_BACK);
    assertThat(group.events().get(1).text())
        .contains("collections take 11.00 % of the time, before 1.00 %");
    assertThat(group.state.values()).isEmpty();
  }

  @Test
  void rollsBackChangeWithWorseCanary() {
    var group = pool(demand(800)).badCanary(values -> !values.isEmpty());

    group.run(Duration.ofHours(12));

    assertThat(group.kinds()).containsExactly(APPLIED, ROLLED_BACK, APPLIED, ROLLED_BACK, STOPPED);
    assertThat(group.events().get(1).text()).isEqualTo("by its rollout: CanaryWorse");
    assertThat(group.events().get(1).evidence()).containsExactly("worse");
    assertThat(group.state.values()).isEmpty();
  }

  @Test
  void rollsBackChangeWherePeersImprovedEqually() {
    var before = new Baseline(of(0.4), of(0.4), of(100), of(0.02));

    assertThat(Comparison.compare(before, new Baseline(of(0.2), of(0.2), of(100), of(0.02))).kind())
        .isEqualTo(Comparison.Kind.NO_GAIN);
    assertThat(Comparison.compare(before, new Baseline(of(0.2), of(0.4), of(100), of(0.02))).kind())
        .isEqualTo(Comparison.Kind.GAIN);
    assertThat(Comparison.compare(before, new Baseline(of(0.2), of(0.4), of(40), of(0.02))).kind())
        .isEqualTo(Comparison.Kind.UNKNOWN);
  }

  private static OptionalDouble of(double value) {
    return OptionalDouble.of(value);
  }

  @Test
  void ignoresReadingsOfWarmUp() {
    // just after its start a server misses the pool always, later never
    SimulatedGroup.Truth cold =
        (server, plan, age, time) ->
            allocate(server, plan, age.compareTo(Group.WARM_UP) < 0 ? 0.1 : 1, RATE);
    var group = pool(cold);

    group.run(Duration.ofHours(3));

    assertThat(group.kinds()).isEmpty();
  }

  @Test
  void acceptsThreeQuartersOfWindow() {
    // One reading a minute for as long as a window
    var group = Group.talk().server(Collections.nCopies(16, Group.metrics()));
    var end = Group.START.plus(Duration.ofHours(1)).plus(Group.WINDOW);

    assertThat(message(group, end.plus(Duration.ofMinutes(3))))
        .isEqualTo("finds nothing to change");
    assertThat(message(group, end.plus(Duration.ofMinutes(4))))
        .isEqualTo("gathers evidence of 15 min");
  }

  private static String message(Group group, Instant now) {
    return message(group, new TuningInput.Rollout.Complete(), now);
  }

  private static String message(TuningInput.Rollout rollout) {
    return message(Group.talk(), rollout, Group.START);
  }

  private static String message(Group group, TuningInput.Rollout rollout, Instant now) {
    var input =
        new TuningInput(
            SimulatedGroup.settings(TuningMode.AUTO),
            TuningState.EMPTY,
            Optional.of(group.evidence()),
            rollout,
            Optional.empty(),
            Optional.empty(),
            Group.START,
            now);
    return new Tuner(Rules.all()).step(input).message();
  }

  @Test
  void appliesNoMoreChangesThanDailyLimit() {
    var group = pool(leak(1000));
    group.settings =
        new TuningSettings(
            TuningMode.AUTO, Group.WINDOW, Group.WARM_UP, Duration.ofMinutes(30), 1, Set.of());

    group.run(Duration.ofHours(20));

    assertThat(group.kinds()).containsExactly(APPLIED, ROLLED_BACK);
    assertThat(group.last.message()).contains("waits until ", ": 2 restarts in 24 hours");

    group.run(Duration.ofHours(8));

    assertThat(group.kinds()).containsExactly(APPLIED, ROLLED_BACK, APPLIED, ROLLED_BACK, STOPPED);
  }

  @Test
  void doesNotEvaluateDisabledRule() {
    var group = pool(demand(800));
    group.settings =
        new TuningSettings(
            TuningMode.AUTO,
            Group.WINDOW,
            Group.WARM_UP,
            Duration.ZERO,
            4,
            Set.of(PoolTooSmall.NAME));

    group.run(Duration.ofHours(3));

    assertThat(group.kinds()).isEmpty();
  }

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

  /** Half of the mixed collections are too long, until old regions are divided into more. */
  private static SimulatedGroup.Truth longMixed(SimulatedGroup.Truth other) {
    return (server, plan, age, time) -> {
      other.live(server, plan, age, time);
      boolean isLong = plan.planned(TunedKey.MIXED_COUNT_TARGET) <= 32;
      server
          .add(Metric.GC_MIXED_COUNT, 10)
          .add(Metric.GC_MIXED_OVER_TARGET_COUNT, isLong ? 5 : 0)
          .add(Metric.MIXED_REGIONS_FREED_COUNT, 10)
          .set(Metric.GC_MIXED_PAUSE_MAX_MICROS, isLong ? 180_000 : 60_000);
    };
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
    SimulatedGroup.Truth promoted =
        (server, plan, age, time) -> {
          boolean isSmall = plan.planned(TunedKey.SURVIVOR_RATIO) > 4;
          server
              .add(Metric.GC_NORMAL_COUNT, 100)
              .add(Metric.SURVIVOR_OVERFLOW_COUNT, isSmall ? 40 : 0)
              .set(Metric.SURVIVOR_BYTES_AGE_1, 100 * Group.MIB)
              .set(Metric.YOUNG_TARGET_BYTES, Group.GIB);
        };
    var group = pool(longMixed(promoted));

    group.run(Duration.ofHours(3));

    assertThat(group.events()).extracting(it -> it.rule()).contains(PrematurePromotion.NAME);
    assertThat(group.state.recommendation().orElseThrow().proposal().rule())
        .isEqualTo(MixedTooLong.NAME);
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
  void messageNamesWhyServersDoNotRunThePlan() {
    assertThat(message(new TuningInput.Rollout.InProgress()))
        .isEqualTo("waits until every server runs the plan");
    assertThat(message(new TuningInput.Rollout.RolledBack("CanaryWorse", List.of())))
        .isEqualTo("waits for another spec, since the declared change was rolled back");
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

  @Test
  void offRestoresDeclaredPlanAndClearsSuspicions() {
    var group = pool(demand(800)).run(Duration.ofHours(3));
    assertThat(group.state.values()).isNotEmpty();

    group.settings = SimulatedGroup.settings(TuningMode.DISABLED);
    group.tick();

    assertThat(group.state.values()).isEmpty();
    assertThat(group.state.records()).isEmpty();
    assertThat(group.kinds()).containsExactly(APPLIED, KEPT, DROPPED);
  }

  @Test
  void dropsTunedValueOnceDeclared() {
    var declared = Group.talk().handlers(1).mayShrinkCache();
    var group = new SimulatedGroup(declared, 3, demand(800)).run(Duration.ofHours(3));
    assertThat(group.value(TunedKey.BUFFER_COUNT)).isNotNull();

    declared.declared(TunedKey.BUFFER_COUNT);
    group.run(Duration.ofHours(3));

    assertThat(group.state.values()).isEmpty();
    assertThat(group.kinds()).containsExactly(APPLIED, KEPT, DROPPED);
  }

  @Test
  void halvesStepAfterChangeOfDirection() {
    SimulatedGroup.Truth heap =
        (server, plan, age, time) -> {
          boolean isFilled = Duration.between(Group.START, time).compareTo(Duration.ofHours(3)) > 0;
          long ihop = plan.planned(TunedKey.IHOP);
          boolean isEarly = ihop < 60;
          boolean isLate = isFilled && ihop > 63;
          server
              .add(Metric.GC_CONCURRENT_START_COUNT, isEarly ? 5 : 0.3)
              .add(Metric.GC_MIXED_PAUSE_MICROS, isEarly || isLate ? 3_000_000 : 600_000)
              .add(Metric.EVACUATION_FAILED_COUNT, isLate ? 1 : 0)
              .set(
                  Metric.OLD_AFTER_GC_BYTES,
                  (isLate && age.toMinutes() % 2 == 0 ? 27 : 16.4) * Group.GIB)
              .set(Metric.MARKING_START_OLD_BYTES, 20 * Group.GIB)
              .set(Metric.YOUNG_TARGET_BYTES, Group.GIB);
        };
    var group = new SimulatedGroup(Group.talk().with(TunedKey.IHOP, 30), 3, heap);

    group.run(Duration.ofHours(2));
    assertThat(group.value(TunedKey.IHOP)).isEqualTo(65);

    // 60 would suffice, 5 over the 55 % of long-lived data; half of the step is 2
    group.run(Duration.ofHours(4));
    group.approved = Optional.of(group.state.recommendation().orElseThrow().id());
    group.run(Duration.ofHours(2));
    assertThat(group.value(TunedKey.IHOP)).isEqualTo(63);
  }

  @Test
  void dropsValuesOfRuleThatThisVersionLacks() {
    var group = pool(demand(800)).run(Duration.ofMinutes(20));
    assertThat(group.kinds()).containsExactly(APPLIED);
    var others = new Tuner(new Rules(List.of(new MixedTooLong())));

    var next = others.step(group.input()).next();

    assertThat(next.values()).isEmpty();
    assertThat(next.trial()).isEmpty();
    assertThat(next.records()).isEmpty();
    assertThat(next.history()).extracting(Event::kind).containsExactly(APPLIED, DROPPED);
  }

  /** Random metrics, switches and approvals, and rollouts that fail. */
  @Property(tries = 8)
  void keepsLimitsForRandomMetrics(@ForAll long seed) {
    var random = new Random(seed);
    SimulatedGroup.Truth anything =
        (server, plan, age, time) -> {
          for (Metric figure : Metric.values()) {
            if (random.nextInt(20) > 0) {
              randomMetrics(server, figure, random);
            }
          }
        };
    var group =
        new SimulatedGroup(Group.talk().handlers(1).mayShrinkCache(), 2, anything)
            .badCanary(values -> TunedKey.texts(values).hashCode() % 3 == 0);
    for (int hour = 0; hour < 36; hour++) {
      group.settings = SimulatedGroup.settings(mode(random));
      group.approved =
          group.state.recommendation().map(Recommendation::id).filter(it -> random.nextBoolean());
      group.run(Duration.ofHours(1));
    }
  }

  private static TuningMode mode(Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> TuningMode.DISABLED;
      case 1, 2, 3 -> TuningMode.RECOMMEND;
      default -> TuningMode.AUTO;
    };
  }

  private static void randomMetrics(SimulatedGroup.Counters server, Metric figure, Random random) {
    double most =
        switch (figure) {
          case ALLOCATOR_POOL_BYTES, ALLOCATOR_HEAP_BYTES -> 10_000 * Group.MIB;
          case OLD_AFTER_GC_BYTES, MARKING_START_OLD_BYTES -> 24 * Group.GIB;
          case YOUNG_TARGET_BYTES -> 2 * Group.GIB;
          case SURVIVOR_BYTES_AGE_1 -> 100 * Group.MIB;
          case EVACUATION_FAILED_COUNT, GC_FULL_COUNT -> random.nextInt(50) == 0 ? 1 : 0;
          case ALLOCATOR_TOTAL_BUFFERS, ALLOCATOR_CREATED_BUFFERS, ALLOCATOR_BUFFERS_IN_USE -> 2;
          case GC_MIXED_PAUSE_MAX_MICROS -> 500_000;
          default -> 2000;
        };
    if (figure.kind() == Metric.Kind.COUNTER) {
      server.add(figure, random.nextDouble() * most);
    } else {
      server.set(figure, most == 2 ? 384 : random.nextDouble() * most);
    }
  }
}
