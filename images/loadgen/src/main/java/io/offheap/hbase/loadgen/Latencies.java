package io.offheap.hbase.loadgen;

import java.util.concurrent.atomic.AtomicLongArray;

/** How long operations took, counted in steps of 3 % or finer. Threads may add at any time. */
final class Latencies {
  private static final int STEP_BITS = 5;
  private static final int STEPS = 1 << STEP_BITS;

  private final AtomicLongArray counts = new AtomicLongArray((Long.SIZE - STEP_BITS) * STEPS);

  void add(long nanos) {
    counts.incrementAndGet(index(nanos / 1_000));
  }

  /** Returns the milliseconds that a share of the operations stayed below, 0 if there was none. */
  double millis(double share) {
    long all = 0;
    for (int i = 0; i < counts.length(); i++) {
      all += counts.get(i);
    }
    long rank = (long) Math.ceil(all * share);
    long seen = 0;
    for (int i = 0; i < counts.length() && rank > 0; i++) {
      seen += counts.get(i);
      if (seen >= rank) {
        return end(i) / 1e3;
      }
    }
    return 0;
  }

  /** Microseconds below two powers of two come in single steps, those above in {@link #STEPS}. */
  private static int index(long micros) {
    int shift = shift(micros);
    return shift * STEPS + (int) (micros >>> shift);
  }

  private static int shift(long micros) {
    return Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(micros) - STEP_BITS - 1);
  }

  /** The first number of microseconds that is counted further up. */
  private static long end(int index) {
    int shift = Math.max(0, index / STEPS - 1);
    return (index - (long) shift * STEPS + 1) << shift;
  }
}
