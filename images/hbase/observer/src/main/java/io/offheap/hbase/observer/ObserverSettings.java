package io.offheap.hbase.observer;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;

/**
 * Settings of the observer, from the region server's configuration.
 *
 * @param enabled whether the observer runs
 * @param period time between two samples
 * @param jfrMaxBytes most bytes of complete JFR chunks on disk; the current chunk is not counted
 */
record ObserverSettings(boolean enabled, Duration period, long jfrMaxBytes) {
  static final String ENABLED = "hbase.offheap.observer.enabled";
  static final String PERIOD = "hbase.offheap.observer.period";
  static final String JFR_MAX_SIZE = "hbase.offheap.observer.jfr.maxsize";

  private static final long DEFAULT_PERIOD_MILLIS = 10_000;
  private static final long MIN_PERIOD_MILLIS = 1_000;
  private static final long DEFAULT_JFR_MAX_BYTES = 16L << 20;
  private static final long MIN_JFR_MAX_BYTES = 1L << 20;

  /** Reads the three keys; a value below the minimum is raised to it. */
  static ObserverSettings from(Configuration configuration) {
    return new ObserverSettings(
        configuration.getBoolean(ENABLED, true),
        Duration.ofMillis(
            Math.max(MIN_PERIOD_MILLIS, configuration.getLong(PERIOD, DEFAULT_PERIOD_MILLIS))),
        Math.max(
            MIN_JFR_MAX_BYTES, configuration.getLongBytes(JFR_MAX_SIZE, DEFAULT_JFR_MAX_BYTES)));
  }
}
