package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;

/**
 * Since when this process has watched a cluster without a break.
 *
 * <p>A deadline has passed only if an operator has observed the cluster for that time. So a
 * deadline that began earlier counts from here: while no operator ran, nothing was observed, and a
 * clock's jump is no elapsed time. A watch is not stored: the next process begins its own.
 *
 * @param since the time of the first reconciliation after the last break
 * @param last the time of the last reconciliation
 * @param nanos the same by the monotonic clock
 */
public record Watch(Instant since, Instant last, long nanos) {
  /** During a rollout there is a reconciliation each second. */
  private static final Duration BREAK = Duration.ofMinutes(1);

  /** A larger difference between the clocks is a jump. */
  static final Duration JUMP = Duration.ofSeconds(5);

  /** The first reconciliation of this process. */
  public static Watch begin(Instant now, long nanos) {
    return new Watch(now, now, nanos);
  }

  /** Whether no reconciliation was for too long a time. */
  static boolean isBreak(Duration between) {
    return between.compareTo(BREAK) > 0;
  }

  /** Another reconciliation, where one a minute is enough. */
  public Watch next(Instant now, long newNanos) {
    return next(now, newNanos, BREAK);
  }

  /**
   * Another reconciliation.
   *
   * @param longest time between two reconciliations that is no break
   */
  public Watch next(Instant now, long newNanos, Duration longest) {
    var passed = Duration.ofNanos(newNanos - nanos);
    var shown = Duration.between(last, now);
    boolean isBroken =
        passed.compareTo(longest) > 0 || shown.minus(passed).abs().compareTo(JUMP) > 0;
    return new Watch(isBroken ? now : since, now, newNanos);
  }
}
