package io.offheap.hbase.observer;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * The heap's share of the bytes that an allocator handed out over the last minute, 0 to 1.
 *
 * <p>HBase's own {@code ByteBuffAllocatorHeapAllocationRatio} covers the time since its last read
 * by any reader. This share is sampled by the observer alone, so reading changes nothing.
 */
final class HeapShare {
  private static final long WINDOW_NANOS = 60_000_000_000L;

  private final LongSupplier heapBytes;
  private final LongSupplier poolBytes;
  private final LongSupplier nanoTime;
  private final Deque<Sample> samples = new ArrayDeque<>();
  private volatile double value;

  HeapShare(LongSupplier heapBytes, LongSupplier poolBytes, LongSupplier nanoTime) {
    this.heapBytes = heapBytes;
    this.poolBytes = poolBytes;
    this.nanoTime = nanoTime;
  }

  /** Called in each period, on one thread. */
  void sample() {
    var now = new Sample(nanoTime.getAsLong(), heapBytes.getAsLong(), poolBytes.getAsLong());
    samples.addLast(now);
    while (samples.size() > 2 && now.nanos - second().nanos >= WINDOW_NANOS) {
      samples.removeFirst();
    }
    var then = samples.peekFirst();
    var heap = now.heapBytes - then.heapBytes;
    var all = heap + now.poolBytes - then.poolBytes;
    value = all == 0 ? 0 : (double) heap / all;
  }

  private Sample second() {
    var all = samples.iterator();
    all.next();
    return all.next();
  }

  /** As of the last sample; 0 if nothing was allocated. */
  double value() {
    return value;
  }

  private record Sample(long nanos, long heapBytes, long poolBytes) {}
}
