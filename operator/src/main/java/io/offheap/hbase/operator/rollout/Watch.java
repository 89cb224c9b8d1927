package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;

/**
 * Since when this process has watched a cluster without a break.
 *
 * <p>A deadline means that something has not happened although an operator observed the cluster all
 * the time. So it counts from here where it would begin earlier: an operator that was away has not
 * seen what a server did meanwhile, and a clock that has jumped has not seen time go by. It is not
 * written: the next process has not watched either.
 *
 * @param since the time of the first pass after the last break
 * @param last the time of the last pass
 * @param nanos the same by a clock that nobody sets
 */
public record Watch(Instant since, Instant last, long nanos) {
  /** While something is to be watched, a pass comes each second. */
  private static final Duration BREAK = Duration.ofMinutes(1);

  /** By more, no clock is corrected without a jump. */
  static final Duration JUMP = Duration.ofSeconds(5);

  /** The first pass of this process. */
  public static Watch begin(Instant now, long nanos) {
    return new Watch(now, now, nanos);
  }

  /** Another pass. */
  public Watch next(Instant now, long newNanos) {
    var passed = Duration.ofNanos(newNanos - nanos);
    var shown = Duration.between(last, now);
    boolean isBroken = passed.compareTo(BREAK) > 0 || shown.minus(passed).abs().compareTo(JUMP) > 0;
    return new Watch(isBroken ? now : since, now, newNanos);
  }
}
