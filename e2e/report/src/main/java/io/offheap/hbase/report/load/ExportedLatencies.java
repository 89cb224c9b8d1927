package io.offheap.hbase.report.load;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import site.ycsb.measurements.Measurements;
import site.ycsb.measurements.exporter.MeasurementsExporter;

/**
 * YCSB's measurements of reads and of updates, in milliseconds. A percentile with fewer than ten
 * operations beyond it is null: it would be about the slowest one alone.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ExportedLatencies(
    Double p50Millis,
    Double p95Millis,
    Double p99Millis,
    Double p999Millis,
    Double updateP99Millis,
    Double updateP999Millis,
    Map<String, Double> failures) {
  private static final String READ = "Intended-READ ";
  private static final String UPDATE = "Intended-UPDATE ";
  private static final double MICROS_A_MILLI = 1e3;
  private static final double FEWEST_BEYOND = 10;

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

    /**
     * Returns a percentile.
     *
     * @param name YCSB's
     * @param beyond the part of the operations that is beyond it
     */
    private Double millis(String operation, String name, double beyond) throws IOException {
      double operations = values.getOrDefault(operation + "Operations", 0.0);
      if (Math.round(operations * beyond) < FEWEST_BEYOND) {
        return null;
      }
      var value = values.get(operation + name + "PercentileLatency(us)");
      if (value == null) {
        throw new IOException(
            "YCSB has no percentile " + name + " of " + operation + ", but " + values.keySet());
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
        all.millis(READ, "50th", 0.5),
        all.millis(READ, "95th", 0.05),
        all.millis(READ, "99th", 0.01),
        all.millis(READ, "99.9", 0.001),
        all.millis(UPDATE, "99th", 0.01),
        all.millis(UPDATE, "99.9", 0.001),
        failures);
  }

  /** Fails where an operation did: its time is not that of its work. */
  void requireNoFailure() throws IOException {
    if (!failures.isEmpty()) {
      throw new IOException("operations failed: " + failures);
    }
  }
}
