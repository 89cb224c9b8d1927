package io.offheap.hbase.loadgen;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/** What became of one kind of operation. Threads may add at any time. */
final class Operations {
  private final LongAdder done = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Latencies latencies = new Latencies();
  private final AtomicReference<Slowest> slowest = new AtomicReference<>(Slowest.NONE);
  private final AtomicLong slowestLately = new AtomicLong();

  /** One operation: how long it took, since when, and on which row. */
  record Slowest(long nanos, Instant at, long row) {
    static final Slowest NONE = new Slowest(0, Instant.EPOCH, -1);
  }

  /** Counts one that has succeeded. */
  void add(long nanos, long row) {
    done.increment();
    latencies.add(nanos);
    slowestLately.accumulateAndGet(nanos, Math::max);
    if (nanos > slowest.get().nanos()) {
      var one = new Slowest(nanos, Instant.now().minusNanos(nanos), row);
      slowest.accumulateAndGet(one, (old, now) -> now.nanos() > old.nanos() ? now : old);
    }
  }

  /** Counts one whose exception reached the caller. */
  void addFailed() {
    failed.increment();
  }

  long done() {
    return done.sum();
  }

  long failed() {
    return failed.sum();
  }

  /** The slowest since the last call, in nanoseconds. */
  long takeSlowestLately() {
    return slowestLately.getAndSet(0);
  }

  LoadReport.Figures figures() {
    var worst = slowest.get();
    return new LoadReport.Figures(
        done(),
        failed(),
        latencies.millis(0.5),
        latencies.millis(0.99),
        latencies.millis(0.999),
        worst.nanos() / 1e6,
        worst.at(),
        worst.row());
  }
}
