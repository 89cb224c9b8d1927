package io.offheap.hbase.operator.tune;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

/**
 * MetricValues in one array of numbers: a window has hundreds of readings of a cluster, and an
 * object for each number, with the references to it, takes several times as much.
 */
final class MetricValues extends AbstractMap<Metric, Double> {
  private static final Metric[] ALL = Metric.values();

  /** By {@link #index}; not a number where there is none. */
  private final double[] numbers = new double[ALL.length];

  private MetricValues(Map<Metric, Double> values) {
    Arrays.fill(numbers, Double.NaN);
    values.forEach((metric, number) -> numbers[index(metric)] = number);
  }

  /** A copy; what is not a number is left out. */
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

  /** Its place in the array, which never leaves the process. */
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
