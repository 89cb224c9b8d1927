package io.offheap.hbase.observer;

import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;

/** HBase's own registry, apart from the global ones, and what it holds. */
final class TestRegistry {
  private final MetricRegistry registry = new MetricRegistryImpl(Observer.REGISTRY);

  ObserverMetrics metrics() {
    return new ObserverMetrics(registry);
  }

  Iterable<String> names() {
    return registry.getMetrics().keySet();
  }

  Metric get(String name) {
    return registry.get(name).orElseThrow(() -> new AssertionError("no metric " + name));
  }

  long value(String name) {
    var metric = get(name);
    return metric instanceof Counter counter ? counter.getCount() : number(metric).longValue();
  }

  double share(String name) {
    return number(get(name)).doubleValue();
  }

  private static Number number(Metric metric) {
    return (Number) ((Gauge<?>) metric).getValue();
  }
}
