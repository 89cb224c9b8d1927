package io.offheap.hbase.operator.tune;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * A map of metrics to numbers, in one array: the operator keeps hundreds of readings of each
 * server, and an object for each number takes several times as much memory.
 */
final class MetricValues extends AbstractMap<Metric, Double> {
  private static final Metric[] ALL = Metric.values();

  /** By {@link #index}; NaN where the metric is missing. */
  private final double[] numbers = new double[ALL.length];

  private MetricValues(Map<Metric, Double> values) {
    Arrays.fill(numbers, Double.NaN);
    values.forEach((metric, number) -> numbers[index(metric)] = number);
  }

  /** A copy without the metrics whose value is NaN. */
  static Map<Metric, Double> copyOf(Map<Metric, Double> values) {
    return values instanceof MetricValues ? values : new MetricValues(values);
  }

  @Override
  public Double get(Object key) {
    return key instanceof Metric metric && has(metric) ? numbers[index(metric)] : null;
  }

  @Override
  public boolean containsKey(Object key) {
    return key instanceof Metric metric && has(metric);
  }

  private boolean has(Metric metric) {
    return !Double.isNaN(numbers[index(metric)]);
  }

  /** The position in the array, which is neither stored nor sent. */
  @SuppressWarnings("EnumOrdinal")
  private static int index(Metric metric) {
    return metric.ordinal();
  }

  @Override
  public Set<Entry<Metric, Double>> entrySet() {
    var entries = new EnumMap<Metric, Double>(Metric.class);
    for (Metric metric : ALL) {
      if (has(metric)) {
        entries.put(metric, numbers[index(metric)]);
      }
    }
    return Collections.unmodifiableMap(entries).entrySet();
  }
}
