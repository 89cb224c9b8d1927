package io.offheap.hbase.report.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

class ExportedLatenciesTest {
  private final Measurements measurements = measurements("50,95,99,99.9");

  private static Measurements measurements(String percentiles) {
    var properties = new Properties();
    properties.setProperty("measurementtype", "hdrhistogram");
    properties.setProperty("measurement.interval", "both");
    properties.setProperty("hdrhistogram.percentiles", percentiles);
    return new Measurements(properties);
  }

  private static void read(Measurements measurements) {
    // From 1 ms to 1 s after the intended start, and each for 10 us.
    for (int i = 1; i <= 1_000; i++) {
      measurements.measure("READ", 10);
      measurements.measureIntended("READ", i * 1_000);
      measurements.reportStatus("READ", Status.OK);
    }
  }

  @Test
  void countFromTheIntendedStart() throws IOException {
    read(measurements);

    var latencies = ExportedLatencies.of(measurements);

    assertThat(latencies.p50Millis()).isCloseTo(500, within(1.0));
    assertThat(latencies.p95Millis()).isCloseTo(950, within(1.0));
    assertThat(latencies.p99Millis()).isCloseTo(990, within(1.0));
    assertThat(latencies.p999Millis()).isCloseTo(999, within(1.0));
    latencies.requireNoFailure();
  }

  @Test
  void missingRowIsAFailure() throws IOException {
    read(measurements);
    measurements.reportStatus("READ", Status.NOT_FOUND);

    var latencies = ExportedLatencies.of(measurements);

    assertThatThrownBy(latencies::requireNoFailure)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("READ Return=NOT_FOUND=1.0");
  }

  @Test
  void missingPercentileIsNamed() {
    var fewer = measurements("50,95,99");
    read(fewer);

    assertThatThrownBy(() -> ExportedLatencies.of(fewer))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no percentile 99.9 of reads");
  }
}
