package io.offheap.hbase.observer;

import java.util.Arrays;
import java.util.function.LongBinaryOperator;
import java.util.function.LongSupplier;

/**
 * The largest or smallest value of the last minute. Reading does not reset it, so all readers see
 * the same value; a reader that reads at least once a minute misses none.
 */
final class Extreme {
  private static final long SLICE_NANOS = 10_000_000_000L;
  private static final int SLICES = 7;

  private final LongBinaryOperator worse;
  private final LongSupplier nanoTime;
  private final long[] values = new long[SLICES];
  private long newest;

  private Extreme(LongBinaryOperator worse, LongSupplier nanoTime) {
    this.worse = worse;
    this.nanoTime = nanoTime;
    Arrays.fill(values, ObserverMetrics.UNKNOWN);
    this.newest = slice();
  }

  static Extreme largest(LongSupplier nanoTime) {
    return new Extreme(Math::max, nanoTime);
  }

  static Extreme smallest(LongSupplier nanoTime) {
    return new Extreme(Math::min, nanoTime);
  }

  synchronized void add(long value) {
    advance();
    var index = (int) Math.floorMod(newest, (long) SLICES);
    values[index] = worseOf(values[index], value);
  }

  /**
   * The extreme of the current slice of ten seconds and the six before it; {@link
   * ObserverMetrics#UNKNOWN} if there was no value.
   */
  synchronized long value() {
    advance();
    var result = ObserverMetrics.UNKNOWN;
    for (var value : values) {
      result = value == ObserverMetrics.UNKNOWN ? result : worseOf(result, value);
    }
    return result;
  }

  private long worseOf(long known, long value) {
    return known == ObserverMetrics.UNKNOWN ? value : worse.applyAsLong(known, value);
  }

  private void advance() {
    var now = slice();
    for (var next = Math.max(newest + 1, now - SLICES + 1); next <= now; next++) {
      values[(int) Math.floorMod(next, (long) SLICES)] = ObserverMetrics.UNKNOWN;
    }
    newest = Math.max(newest, now);
  }

  private long slice() {
    return Math.floorDiv(nanoTime.getAsLong(), SLICE_NANOS);
  }
}
