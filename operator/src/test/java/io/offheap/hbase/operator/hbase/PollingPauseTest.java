package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a source waits for the next round. */
class PollingPauseTest {
  @ParameterizedTest
  @CsvSource({
    "5, 0, 5",
    "5, 1, 5",
    "5, 2, 10",
    "5, 4, 40",
    "5, 5, 60",
    "5, 1000000, 60",
    "30, 3, 60",
    "90, 7, 90"
  })
  void pauseGrowsWithRoundsWithoutResponse(long period, int silentRounds, long seconds) {
    assertThat(PollingSource.pause(Duration.ofSeconds(period), silentRounds))
        .isEqualTo(Duration.ofSeconds(seconds));
  }
}
