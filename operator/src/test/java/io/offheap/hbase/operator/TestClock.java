package io.offheap.hbase.operator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that a test sets. */
public final class TestClock extends Clock {
  private final Duration tick;
  private final AtomicReference<Instant> now;

  private TestClock(Instant now, Duration tick) {
    this.now = new AtomicReference<>(now);
    this.tick = tick;
  }

  /** Stands still until it is advanced. */
  public static TestClock at(Instant now) {
    return new TestClock(now, Duration.ZERO);
  }

  /** Is a second later at each reading. */
  public static TestClock ticking() {
    return new TestClock(Instant.EPOCH, Duration.ofSeconds(1));
  }

  /** Sets it forward, or back. */
  public void advance(Duration time) {
    now.updateAndGet(it -> it.plus(time));
  }

  @Override
  public Instant instant() {
    return now.updateAndGet(it -> it.plus(tick));
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  /** The same clock: only its instants are read. */
  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
