package io.offheap.hbase.operator.api;

import com.fasterxml.jackson.databind.util.StdConverter;
import io.offheap.hbase.operator.api.TuningStatus.Baseline;
import java.util.Map;

/**
 * Reads a baseline, also with the floating-point numbers of the form before, which a status or the
 * config map {@code NAME-remembered} may still have.
 */
final class BaselineReader extends StdConverter<Map<String, Double>, Baseline> {
  private static final int MILLION = 1_000_000;

  @Override
  public Baseline convert(Map<String, Double> fields) {
    return new Baseline(
        value(fields, "symptomPerMillion", "symptom", MILLION),
        value(fields, "peersPerMillion", "peers", MILLION),
        value(fields, "trafficBytesPerSecond", "traffic", 1),
        value(fields, "pausesPerMillion", "pauses", MILLION));
  }

  private static Long value(Map<String, Double> fields, String name, String former, int unit) {
    var value = fields.get(name);
    if (value != null) {
      return Math.round(value);
    }
    var before = fields.get(former);
    return before == null ? null : Long.valueOf(Math.round(before * unit));
  }
}
