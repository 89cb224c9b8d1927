package io.offheap.hbase.report.load;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/** YCSB's measurements of reads, in milliseconds. */
record ExportedLatencies(
    double p50Millis,
    double p95Millis,
    double p99Millis,
    double p999Millis,
    Map<String, Double> failures) {
  private static final String READ = "Intended-READ ";
  private static final double MICROS_A_MILLI = 1e3;

  /** Whatever YCSB exports, by metric and measurement. */
  private static final class All implements MeasurementsExporter {
    private final Map<String, Double> values = new HashMap<>();

    @Override
    public void write(String metric, String measurement, int value) {
      write(metric, measurement, (double) value);
    }

    @Override
    public void write(String metric, String measurement, long value) {
      write(metric, measurement, (double) value);
    }

    @Override
    public void write(String metric, String measurement, double value) {
      values.put(metric + " " + measurement, value);
    }

    @Override
    public void close() {}

    private double millis(String percentile) throws IOException {
      var value = values.get(READ + percentile + "PercentileLatency(us)");
      if (value == null) {
        throw new IOException(
            "YCSB has no percentile " + percentile + " of reads, but " + values.keySet());
      }
      return value / MICROS_A_MILLI;
    }
  }

  static ExportedLatencies of(Measurements measurements) throws IOException {
    var all = new All();
    measurements.exportMeasurements(all);
    var failures = new HashMap<String, Double>();
    all.values.forEach(
        (name, value) -> {
          if (name.contains("Return=") && !name.endsWith("Return=OK")) {
            failures.put(name, value);
          }
        });
    return new ExportedLatencies(
        all.millis("50th"), all.millis("95th"), all.millis("99th"), all.millis("99.9"), failures);
  }

  /** Fails where an operation did: its time is not that of its work. */
  void requireNoFailure() throws IOException {
    if (!failures.isEmpty()) {
      throw new IOException("operations failed: " + failures);
    }
  }
}
