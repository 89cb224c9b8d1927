package io.offheap.hbase.operator.hbase;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the heap that responses of all clusters occupy while they are parsed. Small responses
 * share an eighth of the maximum heap, large ones a quarter, so that large responses never block
 * small ones; one response gets at most half of the large share. A reservation never waits, because
 * the thread that parses a response also serves other clusters.
 */
final class ResponseBudget {
  private static final int LARGE_SHARE = 4;
  private static final int SMALL_SHARE = 8;

  /** A response below this many bytes is small. */
  static final long LARGE = 1 << 20;

  /** The budget of this process. */
  static final ResponseBudget OF_PROCESS =
      new ResponseBudget(
          Runtime.getRuntime().maxMemory() / LARGE_SHARE,
          Runtime.getRuntime().maxMemory() / SMALL_SHARE);

  private final long most;
  private final AtomicLong large;
  private final AtomicLong small;

  /**
   * Creates a budget.
   *
   * @param large bytes of heap for large responses
   * @param small bytes of heap for small responses
   */
  ResponseBudget(long large, long small) {
    this.most = large / 2;
    this.large = new AtomicLong(large);
    this.small = new AtomicLong(small);
  }

  /** The most bytes that one response may reserve. */
  long most() {
    return most;
  }

  private AtomicLong of(long bytes) {
    return bytes < LARGE ? small : large;
  }

  /** Reserves bytes; false if that many are not free. */
  boolean take(long bytes) {
    var free = of(bytes);
    if (free.addAndGet(-bytes) < 0) {
      free.addAndGet(bytes);
      return false;
    }
    return true;
  }

  void giveBack(long bytes) {
    of(bytes).addAndGet(bytes);
  }

  /** Bytes that are not reserved. */
  long free() {
    return large.get() + small.get();
  }
}
