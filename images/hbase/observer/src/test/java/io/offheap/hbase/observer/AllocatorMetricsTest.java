package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.metrics.Counter;
import org.junit.jupiter.api.Test;

/** HBase's own allocator with a pool of two buffers of 1000 bytes. */
class AllocatorMetricsTest {
  private final TestRegistry registry = new TestRegistry();

  private static Configuration configuration() {
    var configuration = new Configuration(false);
    configuration.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 2);
    configuration.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 1_000);
    configuration.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 100);
    return configuration;
  }

  @Test
  void countsBytesOfPoolAndHeapSeparately() {
    var allocator = ByteBuffAllocator.create(configuration(), true);
    var reading = AllocatorMetrics.publish(registry.metrics(), allocator);
    reading.run();

    allocator.allocate(2_050);
    allocator.allocate(950);
    reading.run();

    assertThat(registry.value("allocatorPoolBytes")).isEqualTo(2_000);
    assertThat(registry.value("allocatorHeapBytes")).isEqualTo(1_000);
    assertThat(registry.share("allocatorHeapShareLastMinute")).isEqualTo(1_000 / 3_000.0);
    assertThat(registry.value("allocatorTotalBuffers")).isEqualTo(2);
    assertThat(registry.value("allocatorCreatedBuffers")).isEqualTo(2);
    assertThat(registry.value("allocatorBufferSizeBytes")).isEqualTo(1_000);
    assertThat(registry.value("allocatorPoolDirectBytes")).isEqualTo(2_000);
  }

  @Test
  void leavesOutMetricsThatHBaseDoesNotReport() {
    AllocatorMetrics.publish(registry.metrics(), ByteBuffAllocator.create(configuration(), true));

    assertThat(registry.names())
        .doesNotContain(
            "allocatorBuffersInUse", "allocatorPoolEmptyCount", "allocatorMultiBufferCount");
  }

  @Test
  void publishesMetricsOfPatchedHBase() {
    var configuration = configuration();
    configuration.setClass(
        ByteBuffAllocator.BYTEBUFF_ALLOCATOR_CLASS, Patched.class, ByteBuffAllocator.class);
    AllocatorMetrics.publish(registry.metrics(), ByteBuffAllocator.create(configuration, true));

    assertThat(registry.value("allocatorBuffersInUse")).isEqualTo(1);
    assertThat(registry.value("allocatorPoolEmptyCount")).isEqualTo(2);
    assertThat(registry.value("allocatorMultiBufferCount")).isEqualTo(3);
    assertThat(registry.get("allocatorPoolEmptyCount")).isInstanceOf(Counter.class);
  }

  @Test
  void countsAllAsHeapWithoutAPool() {
    AllocatorMetrics.publish(registry.metrics(), ByteBuffAllocator.create(configuration(), false));
    var before = registry.value("allocatorHeapBytes");

    ByteBuffAllocator.HEAP.allocate(500);

    assertThat(registry.value("allocatorHeapBytes")).isEqualTo(before + 500);
    assertThat(registry.value("allocatorHeapOnlyBytes")).isEqualTo(before + 500);
    assertThat(registry.value("allocatorPoolDirectBytes")).isZero();
  }

  /** The methods that the image's patch adds. */
  public static final class Patched extends ByteBuffAllocator {
    /** As HBase makes it, by reflection. */
    public Patched(boolean pooled, int maxBufCount, int bufSize, int minSizeForReservoirUse) {
      super(pooled, maxBufCount, bufSize, minSizeForReservoirUse);
    }

    /** {@code int}, as in the patch. */
    public int getBuffersInUse() {
      return 1;
    }

    /** {@code long}, as in the patch. */
    public long getPoolEmptyCount() {
      return 2;
    }

    /** {@code long}, as in the patch. */
    public long getMultiBufferCount() {
      return 3;
    }
  }
}
