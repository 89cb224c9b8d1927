package io.offheap.hbase.operator.hbase;

import java.util.OptionalDouble;

/**
 * The hit ratio of a region server's data blocks, for advice: by half hours, and without the first
 * one of a process that has reads, in which its cache may fill. It changes by {@link #STEP} at
 * least, so that an advice does not change with each reading. A half hour with few reads changes
 * nothing.
 *
 * <p>Not thread-safe: {@link ServerHistory} is.
 */
final class SteadyHitRatio {
  /** Half an hour. */
  static final long SLOTS = ServerSlots.SLOTS / 2;

  /** Reads of data blocks in half an hour, below which a ratio says nothing. */
  static final long FEWEST_READS = 10_000;

  /** The least change. */
  static final double STEP = 0.05;

  private long from = Long.MIN_VALUE;
  private long hits;
  private long misses;
  private boolean isFilling = true;
  private double ratio = Double.NaN;

  /** Another process reports. */
  void restarted(long slot, ServerCounters now) {
    isFilling = true;
    ratio = Double.NaN;
    begin(slot, now);
  }

  /** The process has reported again. */
  void reported(long slot, ServerCounters now) {
    long found = now.dataHits() - hits;
    long missed = now.dataMisses() - misses;
    if (slot < from || found < 0 || missed < 0) {
      // A clock was set back, or the counts began anew.
      begin(slot, now);
      return;
    }
    if (slot - from < SLOTS) {
      return;
    }
    if (found + missed >= FEWEST_READS) {
      double late = (double) found / (found + missed);
      if (!isFilling && (Double.isNaN(ratio) || Math.abs(late - ratio) >= STEP)) {
        ratio = Math.rint(late / STEP) * STEP;
      }
      isFilling = false;
    }
    begin(slot, now);
  }

  private void begin(long slot, ServerCounters now) {
    from = slot;
    hits = now.dataHits();
    misses = now.dataMisses();
  }

  /** The ratio, 0 to 1, as HBase counts; empty before a process had reads for an hour. */
  OptionalDouble value() {
    return Double.isNaN(ratio) ? OptionalDouble.empty() : OptionalDouble.of(ratio);
  }
}
