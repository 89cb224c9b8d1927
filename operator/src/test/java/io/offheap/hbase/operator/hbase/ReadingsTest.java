package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import io.offheap.hbase.operator.tune.ServerWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which readings of region servers are kept. */
class ReadingsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final String SERVER = "hb-regionserver-0,16020,1";
  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final Duration DAY = Duration.ofDays(1);

  @Test
  void dropsReadingWithDecreasedCounterUntilProcessReports() {
    assertThat(isKept(reading(SERVER, 3, 99, 9))).isFalse();
    assertThat(isKept(reading(SERVER, 3, 100, 9))).isTrue();
    assertThat(isKept(reading(SERVER, 3, 100, 1))).as("a state may fall").isTrue();
    assertThat(isKept(reading("hb-regionserver-0,16020,2", 3, 1, 1)))
        .as("it has reported")
        .isTrue();
    assertThat(next(List.of(), reading(SERVER, 1, 1, 1), TEN_MINUTES, 3)).hasSize(1);
  }

  private static boolean isKept(Reading reading) {
    var before = List.of(reading(SERVER, 1, 50, 7), reading(SERVER, 2, 100, 9));
    return next(before, reading, TEN_MINUTES, 3).contains(reading);
  }

  @Test
  void keepsAllReadingsOfAnHour() {
    var hour = Duration.ofHours(1);
    var kept = List.<Reading>of();
    for (int second = 20; second <= 2 * hour.toSeconds(); second += 20) {
      kept = next(kept, reading(SERVER, second, second, 5), hour, second);
    }
    assertThat(kept).hasSize(180);
  }

  @Test
  void keepsExtremesOfADayInFewReadings() {
    var kept = List.<Reading>of();
    int seconds = (int) DAY.toSeconds() + 7200;
    for (int second = 20; second <= seconds; second += 20) {
      // A short peak and a short low each hour, never in the first or last reading of a part.
      int buffers = second % 3600 == 1000 ? 99 : second % 3600 == 1060 ? 1 : 50;
      kept = next(kept, reading(SERVER, second, second, buffers), DAY, second);
    }
    assertThat(kept).hasSizeLessThan(250).isSortedAccordingTo(ReadingsTest::compare);
    var window = new ServerWindow(kept);
    assertThat(window.length()).isGreaterThan(DAY.minusMinutes(30));
    assertThat(window.max(Metric.ALLOCATOR_BUFFERS_IN_USE)).hasValue(99);
    assertThat(window.min(Metric.ALLOCATOR_BUFFERS_IN_USE)).hasValue(1);
    assertThat(window.rates(Metric.ALLOCATOR_POOL_BYTES)).allMatch(it -> it == 1);
    assertThat(window.delta(Metric.ALLOCATOR_POOL_BYTES))
        .hasValue(window.length().toMillis() / 1000.0);
  }

  @Test
  void partHasReadingsOfOneServerOnly() {
    var other = "hb-regionserver-1,16020,1";
    var kept = List.<Reading>of();
    for (int second = 20; second <= 7200; second += 20) {
      kept =
          Readings.next(
              kept,
              List.of(reading(SERVER, second, second, 5), reading(other, second, 7, 9)),
              DAY,
              START.plusSeconds(second));
    }
    assertThat(kept.stream().filter(it -> it.server().equals(other)))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it.values()).containsEntry(Metric.ALLOCATOR_POOL_BYTES, 7.0));
  }

  @Test
  void dropsReadingsWithLaterTime() {
    var ahead = reading(SERVER, 3600, 10, 5);

    var kept = next(List.of(ahead), reading(SERVER, 20, 11, 5), TEN_MINUTES, 20);

    assertThat(kept).extracting(Reading::at).containsExactly(START.plusSeconds(20));
  }

  private static List<Reading> next(
      List<Reading> before, Reading now, Duration kept, long seconds) {
    return Readings.next(before, List.of(now), kept, START.plusSeconds(seconds));
  }

  private static int compare(Reading one, Reading other) {
    return one.at().compareTo(other.at());
  }

  private static Reading reading(String server, int second, double bytes, double buffers) {
    return new Reading(
        server.substring(0, server.indexOf(',')),
        server,
        START.plusSeconds(second),
        Map.of(Metric.ALLOCATOR_POOL_BYTES, bytes, Metric.ALLOCATOR_BUFFERS_IN_USE, buffers));
  }
}
