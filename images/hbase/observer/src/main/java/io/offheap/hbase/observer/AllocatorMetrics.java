package io.offheap.hbase.observer;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Metrics of the allocator of the region server's RPC server, which provides the buffers of blocks
 * and responses.
 *
 * <p>The allocator's own byte totals are reported separately from those of {@link
 * ByteBuffAllocator#HEAP}. HBase adds up the two, which counts index and bloom blocks on their way
 * into the on-heap cache as if the pool had been too small for them.
 */
final class AllocatorMetrics {
  private static final Logger LOG = LoggerFactory.getLogger(AllocatorMetrics.class);

  private AllocatorMetrics() {}

  /** Registers the metrics and returns the sampling that the last minute's share needs. */
  static Runnable publish(ObserverMetrics metrics, ByteBuffAllocator allocator) {
    metrics.counter("allocatorPoolBytes", allocator::getPoolAllocationBytes);
    metrics.counter("allocatorHeapBytes", allocator::getHeapAllocationBytes);
    metrics.counter("allocatorHeapOnlyBytes", ByteBuffAllocator.HEAP::getHeapAllocationBytes);
    metrics.gauge("allocatorBufferSizeBytes", allocator::getBufferSize);
    metrics.gauge("allocatorTotalBuffers", allocator::getTotalBufferCount);
    metrics.gauge("allocatorCreatedBuffers", allocator::getUsedBufferCount);
    metrics.gauge("allocatorPoolDirectBytes", () -> poolDirectBytes(allocator));
    var share =
        new HeapShare(
            allocator::getHeapAllocationBytes, allocator::getPoolAllocationBytes, System::nanoTime);
    metrics.share("allocatorHeapShareLastMinute", share::value);
    publishPatched(metrics, allocator);
    return share::sample;
  }

  /**
   * Direct memory that the pool holds, in bytes: buffers are allocated when first needed and never
   * freed, and HBase's "used" count is the count of allocated buffers.
   */
  static long poolDirectBytes(ByteBuffAllocator allocator) {
    return (long) allocator.getUsedBufferCount() * allocator.getBufferSize();
  }

  private static void publishPatched(ObserverMetrics metrics, ByteBuffAllocator allocator) {
    var inUse = patched(allocator, "getBuffersInUse", int.class);
    var poolEmpty = patched(allocator, "getPoolEmptyCount", long.class);
    var multiBuffer = patched(allocator, "getMultiBufferCount", long.class);
    inUse.ifPresent(value -> metrics.gauge("allocatorBuffersInUse", value));
    poolEmpty.ifPresent(value -> metrics.counter("allocatorPoolEmptyCount", value));
    multiBuffer.ifPresent(value -> metrics.counter("allocatorMultiBufferCount", value));
    if (inUse.isEmpty() || poolEmpty.isEmpty() || multiBuffer.isEmpty()) {
      LOG.info(
          "This HBase's allocator does not report buffers in use, pool empty or multi-buffers");
    }
  }

  /** A method that only the patched HBase has. */
  private static Optional<LongSupplier> patched(
      ByteBuffAllocator allocator, String method, Class<?> type) {
    try {
      var handle =
          MethodHandles.publicLookup()
              .findVirtual(allocator.getClass(), method, MethodType.methodType(type))
              .bindTo(allocator)
              .asType(MethodType.methodType(long.class));
      return Optional.of(() -> call(handle));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return Optional.empty();
    }
  }

  // A method handle may throw anything, so this must be Throwable.
  private static long call(MethodHandle handle) {
    try {
      return (long) handle.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
