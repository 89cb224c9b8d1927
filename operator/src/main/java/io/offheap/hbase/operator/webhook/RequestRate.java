package io.offheap.hbase.operator.webhook;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** A token bucket: a number of requests a minute, all of which may come at once. */
final class RequestRate {
  private final int most;
  private final Clock clock;
  private double left;
  private Instant asOf;

  RequestRate(int mostPerMinute, Clock clock) {
    this.most = mostPerMinute;
    this.clock = clock;
    this.left = mostPerMinute;
    this.asOf = clock.instant();
  }

  /**
   * Takes one request from the bucket. Returns zero, or how long to wait if the bucket is empty.
   */
  synchronized Duration take() {
    var now = clock.instant();
    // A clock that is set back changes nothing.
    double minutes = Math.max(0, Duration.between(asOf, now).toMillis()) / 60_000.0;
    left = Math.min(most, left + minutes * most);
    asOf = now;
    if (left >= 1) {
      left--;
      return Duration.ZERO;
    }
    return Duration.ofMillis((long) Math.ceil((1 - left) * 60_000 / most));
  }
}
