package io.offheap.hbase.observer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes metrics in HBase's registry. A metric whose value is unavailable shows {@link #UNKNOWN}
 * instead of failing the whole bean.
 *
 * <p>HBase's histograms and timers are not used: each read resets them, so that two readers would
 * get different values.
 */
final class ObserverMetrics {
  /** The value of a gauge without a value (yet). No metric here can be negative otherwise. */
  static final long UNKNOWN = -1;

  private static final Logger LOG = LoggerFactory.getLogger(ObserverMetrics.class);

  private final MetricRegistry registry;
  private final Set<String> failed = ConcurrentHashMap.newKeySet();

  ObserverMetrics(MetricRegistry registry) {
    this.registry = registry;
  }

  /** A value that rises and falls. */
  void gauge(String name, LongSupplier value) {
    Gauge<Long> gauge = () -> guarded(name, value);
    registry.register(name, gauge);
  }

  /** A share from 0 to 1. */
  void share(String name, DoubleSupplier value) {
    Gauge<Double> gauge =
        () -> {
          try {
            return value.getAsDouble();
          } catch (RuntimeException | LinkageError e) {
            report(name, e);
            return (double) UNKNOWN;
          }
        };
    registry.register(name, gauge);
  }

  /** A count that the observer keeps. */
  Counter counter(String name) {
    return registry.counter(name);
  }

  /** A count that another object keeps. */
  void counter(String name, LongSupplier total) {
    registry.register(name, new ReadCounter(() -> guarded(name, total)));
  }

  private long guarded(String name, LongSupplier value) {
    try {
      return value.getAsLong();
    } catch (RuntimeException | LinkageError e) {
      report(name, e);
      return UNKNOWN;
    }
  }

  private void report(String name, Throwable cause) {
    if (failed.add(name)) {
      LOG.warn("No value for {}; logged once", name, cause);
    }
  }

  /** Makes HBase export a total as a counter, so that readers know that it only rises. */
  private record ReadCounter(LongSupplier total) implements Counter {
    @Override
    public long getCount() {
      return total.getAsLong();
    }

    @Override
    public void increment() {
      increment(1);
    }

    @Override
    public void increment(long n) {
      throw new UnsupportedOperationException("counted elsewhere");
    }

    @Override
    public void decrement() {
      increment(-1);
    }

    @Override
    public void decrement(long n) {
      increment(-n);
    }
  }
}
