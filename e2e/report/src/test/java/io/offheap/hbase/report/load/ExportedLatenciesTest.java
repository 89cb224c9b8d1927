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
    for (int i = 1; i <= 10_000; i++) {
      measurements.measure("READ", 10);
      measurements.measureIntended("READ", i * 100);
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
  void percentileWithFewerThanTenOperationsBeyondItIsLeftOut() throws IOException {
    for (int i = 1; i <= 999; i++) {
      measurements.measureIntended("READ", i * 1_000);
    }
    assertThat(ExportedLatencies.of(measurements).p99Millis()).isCloseTo(990, within(1.0));
    assertThat(ExportedLatencies.of(measurements).p999Millis()).isNull();

    var fewer = measurements("50,95,99,99.9");
    for (int i = 1; i <= 940; i++) {
      fewer.measureIntended("READ", i * 1_000);
    }
    assertThat(ExportedLatencies.of(fewer).p95Millis()).isCloseTo(893, within(1.0));
    assertThat(ExportedLatencies.of(fewer).p99Millis()).isNull();
  }

  @Test
  void updatesHaveTheirOwnPercentiles() throws IOException {
    read(measurements);
    assertThat(ExportedLatencies.of(measurements).updateP99Millis()).isNull();

    for (int i = 1; i <= 2_000; i++) {
      measurements.measureIntended("UPDATE", i * 1_000);
    }
    var latencies = ExportedLatencies.of(measurements);
    assertThat(latencies.updateP99Millis()).isCloseTo(1_980, within(2.0));
    assertThat(latencies.updateP999Millis()).isNull();
    assertThat(latencies.p99Millis()).isCloseTo(990, within(1.0));
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
        .hasMessageContaining("no percentile 99.9 of Intended-READ");
  }
}
