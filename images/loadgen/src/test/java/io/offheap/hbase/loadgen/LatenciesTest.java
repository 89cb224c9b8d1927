package io.offheap.hbase.loadgen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenciesTest {
  private final Latencies latencies = new Latencies();

  @Test
  void nothingTakesNoTime() {
    assertThat(latencies.millis(0.99)).isZero();
  }

  @Test
  void sharesAreOfAllThatWasAdded() {
    for (int millis = 1; millis <= 1_000; millis++) {
      latencies.add(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    assertThat(latencies.millis(0.5)).isCloseTo(500, withinPercentage(4));
    assertThat(latencies.millis(0.99)).isCloseTo(990, withinPercentage(4));
    assertThat(latencies.millis(1)).isCloseTo(1_000, withinPercentage(4));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 31, 32, 63, 64, 65, 1_000, 123_456, 1_200_000_000, 1L << 50})
  void eachIsCountedJustBelowItsEnd(long micros) {
    latencies.add(micros * 1_000);

    assertThat(latencies.millis(0.5) * 1e3)
        .isGreaterThan((double) micros)
        .isLessThanOrEqualTo(micros * 1.032 + 1);
  }
}
