package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.TuningStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SightingsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final ResourceID ID = new ResourceID("hb", "ns");

  private final TestClock clock = TestClock.at(START);
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
  private final Set<ResourceID> there = new HashSet<>(Set.of(ID));
  private final Sightings sightings = new Sightings(clock, nanos::get, there::contains);

  @Test
  void aClusterIsNewForAMinute() {
    assertThat(sightings.isNew(cluster())).isTrue();
    nanos.addAndGet(Duration.ofSeconds(59).toNanos());
    assertThat(sightings.isNew(cluster())).isTrue();
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(sightings.isNew(cluster())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1})
  void aClockThatIsSetMakesAClusterNeitherNewNorOld(int hours) {
    assertThat(sightings.isNew(cluster())).isTrue();
    clock.advance(Duration.ofHours(hours));
    assertThat(sightings.isNew(cluster())).isTrue();
    nanos.addAndGet(Duration.ofSeconds(60).toNanos());
    assertThat(sightings.isNew(cluster())).isFalse();
  }

  @Test
  void theFirstSightStaysTheFirst() {
    var tuned = cluster();
    tuned.setStatus(
        HBaseClusterStatus.empty()
            .remembering(null, null, null, null, null, new TuningStatus(List.of())));
    assertThat(sightings.first(cluster()).isTuningUnchanged(cluster())).isTrue();
    clock.advance(Duration.ofHours(1));
    assertThat(sightings.first(tuned).at()).isEqualTo(START);
    assertThat(sightings.first(tuned).isTuningUnchanged(tuned)).isFalse();
  }

  @Test
  void watchedSinceTheFirstPassWithoutABreak() {
    assertThat(sightings.watched(ID, START)).isEqualTo(START);
    assertThat(sightings.watched(ID, START.plusSeconds(1))).isEqualTo(START);
    var jumped = START.plus(Duration.ofDays(1));
    assertThat(sightings.watched(ID, jumped)).isEqualTo(jumped);
  }

  @Test
  void aClusterOfTheSameNameIsSeenAnew() {
    sightings.first(cluster());
    sightings.watched(ID, START);
    there.remove(ID);
    sightings.forget(ID);
    there.add(ID);
    clock.advance(Duration.ofSeconds(2));
    assertThat(sightings.first(cluster()).at()).isEqualTo(START.plusSeconds(2));
    assertThat(sightings.watched(ID, START.plusSeconds(2))).isEqualTo(START.plusSeconds(2));
  }

  @Test
  void aPassThatEndsAfterItsClusterKeepsNothing() {
    sightings.first(cluster());
    there.remove(ID);
    sightings.forget(ID);

    assertThat(sightings.first(cluster()).at()).isEqualTo(START);
    assertThat(sightings.watched(ID, START)).isEqualTo(START);
    assertThat(sightings.size()).isZero();
  }

  private static HBaseCluster cluster() {
    var cluster = new HBaseCluster();
    cluster.setMetadata(new ObjectMetaBuilder().withName("hb").withNamespace("ns").build());
    return cluster;
  }
}
