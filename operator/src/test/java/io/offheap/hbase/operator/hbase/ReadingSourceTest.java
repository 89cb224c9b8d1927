package io.offheap.hbase.operator.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.TuningSpec;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadingSourceTest {
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

  private static TuningSpec tuning(String window) {
    return new TuningSpec(null, window, null, null, null, null, null);
  }
}
