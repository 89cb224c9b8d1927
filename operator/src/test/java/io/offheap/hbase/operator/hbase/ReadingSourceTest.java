package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingSourceTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String SERVER = "hb-regionserver-0,16020,1";

  @ParameterizedTest
  @CsvSource({"10, 10", "60, 10", "300, 10", "450, 15", "600, 20", "86400, 20"})
  void aServerIsAskedThirtyTimesAWindow(long window, long seconds) {
    assertThat(ReadingSource.period(Duration.ofSeconds(window)))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void aReadingWhoseCounterFellIsOfAProcessThatHasNotReportedYet() {
    var before = List.of(reading(SERVER, 1, 50, 7), reading(SERVER, 2, 100, 9));

    assertThat(ReadingSource.isOfItsServer(reading(SERVER, 3, 99, 9), before)).isFalse();
    assertThat(ReadingSource.isOfItsServer(reading(SERVER, 3, 100, 9), before)).isTrue();
    assertThat(ReadingSource.isOfItsServer(reading(SERVER, 3, 100, 1), before))
        .as("a state may fall")
        .isTrue();
    assertThat(ReadingSource.isOfItsServer(reading("hb-regionserver-0,16020,2", 3, 1, 1), before))
        .as("it has reported")
        .isTrue();
    assertThat(ReadingSource.isOfItsServer(reading(SERVER, 1, 1, 1), List.of())).isTrue();
  }

  private static Reading reading(String server, int second, double bytes, double buffers) {
    return new Reading(
        "hb-regionserver-0",
        server,
        START.plusSeconds(second),
        Map.of(Metric.ALLOCATOR_POOL_BYTES, bytes, Metric.ALLOCATOR_BUFFERS_IN_USE, buffers));
  }
}
