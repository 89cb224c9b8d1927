package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.SimulatedLoads.RATE;
import static io.offheap.hbase.operator.tune.SimulatedLoads.allocate;
import static io.offheap.hbase.operator.tune.SimulatedLoads.demand;
import static io.offheap.hbase.operator.tune.SimulatedLoads.leak;
import static io.offheap.hbase.operator.tune.SimulatedLoads.pool;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.APPLIED;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.DROPPED;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.KEPT;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.ROLLED_BACK;
import static io.offheap.hbase.operator.tune.TuningState.EventKind.STOPPED;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.Recommendation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Trials of changes, over simulated days. */
class TunerTest {
  private static final Duration DAY = Duration.ofDays(1);

  @Property(tries = 10)
  @Slow
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
  @Slow
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

  @Test
  @Slow
  void suspectsSlowLeakAlthoughEachChangeHelpedForSomeTime() {
    // 384 buffers in 96 minutes, four times as many in 6.4 hours, 16 times in a day
    var group = pool(leak(4));

    group.run(DAY.multipliedBy(4));

    assertThat(group.kinds()).containsExactly(APPLIED, KEPT, APPLIED, KEPT, ROLLED_BACK, STOPPED);
    assertThat(group.state.values()).isEmpty();
  }

  @Test
  @Slow
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
  @Slow
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
  void messageNamesWhyServersDoNotRunThePlan() {
    assertThat(message(new TuningInput.Rollout.InProgress()))
        .isEqualTo("waits until every server runs the plan");
    assertThat(message(new TuningInput.Rollout.RolledBack("CanaryWorse", List.of())))
        .isEqualTo("waits for another spec, since the declared change was rolled back");
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
  @Slow
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
