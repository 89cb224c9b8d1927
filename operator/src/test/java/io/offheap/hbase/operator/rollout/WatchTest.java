package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Since when a process has watched. */
class WatchTest {
  private static final Instant START = Instant.parse("2025-11-01T02:00:00Z");

  private Watch watch = Watch.begin(START, 0);
  private Instant shown = START;
  private long nanos;

  @Test
  void reconciliationsInTimeAreOneWatch() {
    pass(Duration.ofSeconds(1), Duration.ofSeconds(1));
    pass(Duration.ofSeconds(60), Duration.ofSeconds(60));
    pass(Duration.ofSeconds(6), Duration.ofSeconds(2));

    assertThat(watch.since()).isEqualTo(START);
  }

  @Test
  void minuteWithoutReconciliationBreaksWatch() {
    pass(Duration.ofSeconds(61), Duration.ofSeconds(61));

    assertThat(watch.since()).isEqualTo(START.plusSeconds(61));
  }

  @Test
  void clockJumpBreaksWatch() {
    pass(Duration.ofHours(5), Duration.ofSeconds(1));
    assertThat(watch.since()).isEqualTo(START.plus(Duration.ofHours(5)));

    pass(Duration.ofHours(-9), Duration.ofSeconds(1));
    assertThat(watch.since()).isEqualTo(START.minus(Duration.ofHours(4)));
  }

  private void pass(Duration clock, Duration time) {
    shown = shown.plus(clock);
    nanos += time.toNanos();
    watch = watch.next(shown, nanos);
  }
}
