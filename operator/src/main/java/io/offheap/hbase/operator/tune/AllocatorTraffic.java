package io.offheap.hbase.operator.tune;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * What one server's allocator handed out in a window.
 *
 * @param server the window
 * @param missedPerSecond bytes a second that requests took from the heap because the pool was
 *     empty; at most the bytes from the heap, which count small requests too, and at most the
 *     requests that found the pool empty times the largest request
 * @param poolPerSecond bytes a second from the pool
 * @param emptyPerSecond requests a second that found the pool empty
 * @param created buffers that the pool has created
 * @param total buffers that the pool may create
 */
record AllocatorTraffic(
    ServerWindow server,
    double missedPerSecond,
    double poolPerSecond,
    double emptyPerSecond,
    double created,
    double total) {
  /** With fewer bytes in a window, single requests decide the result. */
  private static final double FEWEST_BYTES = 16 << 20;

  /** The traffic; empty where a metric is missing or too few bytes were handed out. */
  static Optional<AllocatorTraffic> of(ServerWindow server, long largestRequestBytes) {
    var heap = server.perSecond(Metric.ALLOCATOR_HEAP_BYTES);
    var pool = server.perSecond(Metric.ALLOCATOR_POOL_BYTES);
    var empty = server.perSecond(Metric.ALLOCATOR_POOL_EMPTY_COUNT);
    var created = server.last(Metric.ALLOCATOR_CREATED_BUFFERS);
    var total = server.last(Metric.ALLOCATOR_TOTAL_BUFFERS);
    if (heap.isEmpty()
        || pool.isEmpty()
        || empty.isEmpty()
        || created.isEmpty()
        || total.isEmpty()) {
      return Optional.empty();
    }
    double bytes = (heap.getAsDouble() + pool.getAsDouble()) * server.length().toSeconds();
    if (bytes < FEWEST_BYTES || total.getAsDouble() < 1) {
      return Optional.empty();
    }
    return Optional.of(
        new AllocatorTraffic(
            server,
            Math.min(heap.getAsDouble(), empty.getAsDouble() * largestRequestBytes),
            pool.getAsDouble(),
            empty.getAsDouble(),
            created.getAsDouble(),
            total.getAsDouble()));
  }

  /** Share of the bytes that missed the pool, 0 to 1. */
  double missedShare() {
    return missedPerSecond == 0 ? 0 : missedPerSecond / (missedPerSecond + poolPerSecond);
  }

  /** The smallest number of buffers in use in the window; empty where no reading has it. */
  OptionalDouble leastInUse() {
    return server.min(Metric.ALLOCATOR_BUFFERS_IN_USE);
  }

  /** The highest rate from one reading to the next, in bytes a second. */
  double busiestPerSecond() {
    return bytesPerSecond().max().orElse(0);
  }

  /** The lowest rate from one reading to the next, in bytes a second. */
  double quietestPerSecond() {
    return bytesPerSecond().min().orElse(0);
  }

  private DoubleStream bytesPerSecond() {
    var heap = server.rates(Metric.ALLOCATOR_HEAP_BYTES).toArray();
    var pool = server.rates(Metric.ALLOCATOR_POOL_BYTES).toArray();
    return IntStream.range(0, Math.min(heap.length, pool.length))
        .mapToDouble(it -> heap[it] + pool[it]);
  }
}
