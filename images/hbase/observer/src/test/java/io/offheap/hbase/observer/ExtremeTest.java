package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ExtremeTest {
  private final AtomicLong now = new AtomicLong(Duration.ofDays(-3).toNanos());
  private final Extreme largest = Extreme.largest(now::get);
  private final Extreme smallest = Extreme.smallest(now::get);

  private void add(long value) {
    largest.add(value);
    smallest.add(value);
  }

  private void pass(int seconds) {
    now.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void isUnknownWithoutValues() {
    assertThat(largest.value()).isEqualTo(ObserverMetrics.UNKNOWN);
    assertThat(smallest.value()).isEqualTo(ObserverMetrics.UNKNOWN);
  }

  @Test
  void isNotResetByReading() {
    add(3);
    add(7);

    assertThat(largest.value()).isEqualTo(7).isEqualTo(largest.value());
    assertThat(smallest.value()).isEqualTo(3).isEqualTo(smallest.value());
  }

  @Test
  void keepsAValueForAMinuteAndNotMuchLonger() {
    add(9);
    pass(60);
    add(5);
    assertThat(largest.value()).isEqualTo(9);
    assertThat(smallest.value()).isEqualTo(5);

    pass(10);
    assertThat(largest.value()).isEqualTo(5);

    pass(1_000_000);
    assertThat(largest.value()).isEqualTo(ObserverMetrics.UNKNOWN);
  }
}
