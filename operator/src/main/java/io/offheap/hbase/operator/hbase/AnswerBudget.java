package io.offheap.hbase.operator.hbase;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that answers of all clusters may take together while they are read. Small answers have
 * an eighth of all for themselves, so that large ones, which have a quarter, do not keep them out;
 * one answer takes half of that at most. Nobody waits for a share, as whoever reads answers reads
 * those of other clusters as well.
 */
final class AnswerBudget {
  private static final int LARGE_SHARE = 4;
  private static final int SMALL_SHARE = 8;

  /** Under this an answer is small. */
  static final long LARGE = 1 << 20;

  /** For all that is read in this process. */
  static final AnswerBudget OF_PROCESS =
      new AnswerBudget(
          Runtime.getRuntime().maxMemory() / LARGE_SHARE,
          Runtime.getRuntime().maxMemory() / SMALL_SHARE);

  private final long most;
  private final AtomicLong large;
  private final AtomicLong small;

  /**
   * With bounds.
   *
   * @param large bytes of heap for large answers
   * @param small for small ones
   */
  AnswerBudget(long large, long small) {
    this.most = large / 2;
    this.large = new AtomicLong(large);
    this.small = new AtomicLong(small);
  }

  /** What one answer may take at most. */
  long most() {
    return most;
  }

  private AtomicLong of(long bytes) {
    return bytes < LARGE ? small : large;
  }

  /** Takes a share; false where there is none now. */
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

  /** Bytes that are free now. */
  long free() {
    return large.get() + small.get();
  }
}
