package io.offheap.hbase.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.rollout.PodStarts;
import io.offheap.hbase.operator.rollout.ServerPod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObservationTimesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ResourceID ID = new ResourceID("hb", "ns");

  private final TestClock clock = TestClock.at(START);
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final Set<ResourceID> there = new HashSet<>(Set.of(ID));
  private final ObservationTimes times = new ObservationTimes(clock, nanos::get, there::contains);

  @Test
  void aClusterIsNewForAMinute() {
    assertThat(times.isNew(cluster())).isTrue();
    nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(times.isNew(cluster())).isTrue();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(times.isNew(cluster())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void aClockThatIsSetMakesAClusterNeitherNewNorOld(int hours) {
    assertThat(times.isNew(cluster())).isTrue();
    clock.advance(Duration.ofHours(hours));
    assertThat(times.isNew(cluster())).isTrue();
    nanos.addAndGet(Duration.ofSeconds(60).toNanos());
    assertThat(times.isNew(cluster())).isFalse();
  }

  @Test
  void theFirstSightStaysTheFirst() {
    var tuned = cluster();
    tuned.setStatus(
        HBaseClusterStatus.empty()
            .remembering(null, null, null, null, null, new TuningStatus(List.of())));
    assertThat(times.first(cluster()).isTuningUnchanged(cluster())).isTrue();
    clock.advance(Duration.ofHours(1));
    assertThat(times.first(tuned).at()).isEqualTo(START);
    assertThat(times.first(tuned).isTuningUnchanged(tuned)).isFalse();
  }

  @Test
  void watchedSinceTheFirstPassWithoutABreak() {
    assertThat(times.watched(ID, START)).isEqualTo(START);
    assertThat(times.watched(ID, START.plusSeconds(1))).isEqualTo(START);
    var jumped = START.plus(Duration.ofDays(1));
    assertThat(times.watched(ID, jumped)).isEqualTo(jumped);
  }

  @Test
  void watchedByTuningWithPassesThatAreMinutesApart() {
    assertThat(times.watchedByTuning(ID, START)).isEqualTo(START);
    var later = START.plusSeconds(350);
    nanos.addAndGet(Duration.ofSeconds(350).toNanos());
    assertThat(times.watchedByTuning(ID, later)).isEqualTo(START);
    assertThat(times.watched(ID, later)).as("a watch of its own").isEqualTo(later);

    var afterBreak = later.plusSeconds(361);
    nanos.addAndGet(Duration.ofSeconds(361).toNanos());
    assertThat(times.watchedByTuning(ID, afterBreak)).isEqualTo(afterBreak);
    var jumped = afterBreak.minusSeconds(3600);
    assertThat(times.watchedByTuning(ID, jumped)).isEqualTo(jumped);
  }

  @Test
  void timeOfAnOutageIsNoPartOfAStart() {
    lasted(true);
    nanos.addAndGet(Duration.ofSeconds(30).toNanos());
    assertThat(lasted(true)).hasSeconds(30);
    nanos.addAndGet(Duration.ofSeconds(30).toNanos());
    assertThat(lasted(false)).hasSeconds(30);
    nanos.addAndGet(Duration.ofSeconds(30).toNanos());
    assertThat(lasted(true)).hasSeconds(30);
  }

  @Test
  void aClusterOfTheSameNameIsSeenAnew() {
    times.first(cluster());
    times.watched(ID, START);
    times.watchedByTuning(ID, START);
    there.remove(ID);
    times.forget(ID);
    there.add(ID);
    clock.advance(Duration.ofSeconds(2));
    assertThat(times.first(cluster()).at()).isEqualTo(START.plusSeconds(2));
    assertThat(times.watched(ID, START.plusSeconds(2))).isEqualTo(START.plusSeconds(2));
  }

  @Test
  void aPassThatEndsAfterItsClusterKeepsNothing() {
    times.first(cluster());
    there.remove(ID);
    times.forget(ID);

    assertThat(times.first(cluster()).at()).isEqualTo(START);
    assertThat(times.watched(ID, START)).isEqualTo(START);
    assertThat(times.seen(ID, List.of())).isEmpty();
    assertThat(times.starts(ID, List.of(), Set.of(), true).starts()).isEmpty();
    assertThat(times.size()).isZero();
  }

  private Duration lasted(boolean mayStart) {
    var pod =
        new ServerPod(
            "hb-rs-0", "a", "", 0, false, false, false, false, false, 0, false, Optional.empty());
    return times.starts(ID, List.of(pod), Set.of("hb-rs-0"), mayStart).starts().values().stream()
        .map(PodStarts.Start::lasted)
        .findFirst()
        .orElseThrow();
  }

  private static HBaseCluster cluster() {
    var cluster = new HBaseCluster();
    cluster.setMetadata(new ObjectMetaBuilder().withName("hb").withNamespace("ns").build());
    return cluster;
  }
}
