package io.offheap.hbase.operator.hbase;

import java.util.concurrent.Semaphore;

/**
 * The heap that answers of all clusters may take together while they are read: a quarter of all. An
 * answer has come whole when it is weighed, so whoever holds a share computes and waits for no
 * server; shares are given in the order in which they are asked for, and a wait is as long as the
 * answers before take to be read.
 */
final class AnswerBudget {
  private static final int SHARE = 4;
  private static final int UNIT = 1024;

  /** For all that is read in this process. */
  static final AnswerBudget OF_PROCESS = new AnswerBudget(Runtime.getRuntime().maxMemory() / SHARE);

  private final long most;
  private final Semaphore units;

  /**
   * With a bound.
   *
   * @param most bytes of heap
   */
  AnswerBudget(long most) {
    this.most = most;
    this.units = new Semaphore(units(most), true);
  }

  private static int units(long bytes) {
    return Math.toIntExact(Math.min(Integer.MAX_VALUE, bytes / UNIT));
  }

  /** What one answer may take at most: all of it. */
  long most() {
    return most;
  }

  /** Takes a share, once there is one. */
  void take(long bytes) {
    units.acquireUninterruptibly(units(bytes));
  }

  void giveBack(long bytes) {
    units.release(units(bytes));
  }

  /** Bytes that are free now. */
  long free() {
    return (long) units.availablePermits() * UNIT;
  }
}
