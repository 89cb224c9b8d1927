package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingSourceTest {
  private static final String P99 = "TotalCallTime_99th_percentile";

  @ParameterizedTest
  @CsvSource({"10, 10", "60, 10", "300, 10", "450, 15", "600, 20", "86400, 20"})
  void readsServerThirtyTimesInAWindow(long window, long seconds) {
    assertThat(ReadingSource.period(Duration.ofSeconds(window)))
        .isEqualTo(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource({"10m, 600", "24h, 86400", "999999999h, 86400", "never, 10"})
  void keepsAtMostOneDay(String window, long seconds) {
    var spec =
        new HBaseClusterSpec(
            null, null, null, null, null, null, null, tuning(window), null, null, null);
    var cluster = new HBaseCluster();
    cluster.setSpec(spec);
    assertThat(ReadingSource.window(cluster)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void readingHasTheMetricsOfBothBeans() throws IOException {
    var reading = reading("{AllocatorPoolBytes: 7, GcFullCount: -1}", "{%s: 12.5}".formatted(P99));

    assertThat(reading.orElseThrow().values())
        .isEqualTo(Map.of(Metric.ALLOCATOR_POOL_BYTES, 7.0, Metric.CALL_P99_MILLIS, 12.5));
    assertThat(reading.orElseThrow().at()).isEqualTo(Instant.EPOCH);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{%s: NaN}", "{%s: -1}", "{%s: much}", "{AllocatorHeapBytes: 1}"})
  void readingIsWithoutCallsThatTheServerDoesNotReport(String calls) throws IOException {
    var reading = reading("{AllocatorPoolBytes: 7}", calls.formatted(P99));

    assertThat(reading.orElseThrow().values()).isEqualTo(Map.of(Metric.ALLOCATOR_POOL_BYTES, 7.0));
  }

  @Test
  void serverWithoutAnObserverHasNoReading() throws IOException {
    assertThat(reading("{}", "{%s: 12.5}".formatted(P99))).isEmpty();
  }

  private static Optional<Reading> reading(String observer, String calls) throws IOException {
    var yaml = new YAMLMapper();
    return ReadingSource.reading(
        "pod", "pod,1,1", Instant.EPOCH, yaml.readTree(observer), yaml.readTree(calls));
  }

  private static TuningSpec tuning(String window) {
    return new TuningSpec(null, window, null, null, null, null, null);
  }
}
