package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.Test;

/** Patch "Allocator: find leaks of buffers". */
class LeakDetectionTest {
  private static ByteBuffAllocator allocator(int sampling) {
    var conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 10_000);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 1024);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.LEAK_SAMPLING_KEY, sampling);
    return ByteBuffAllocator.create(conf, true);
  }

  private static void lose(ByteBuffAllocator allocator, int requests) {
    for (int request = 0; request < requests; request++) {
      allocator.allocate(2000);
    }
  }

  @Test
  void whatCanNeverComeBackIsCounted() {
    var allocator = allocator(1);
    lose(allocator, 3);
    allocator.allocate(2000).release();
    allocator.allocateOneBuffer().release();
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(allocator.getLeakCount()).isEqualTo(3);
            });
    assertThat(allocator.getOldestOutstanding(10)).isEmpty();
  }

  @Test
  void whatIsOutIsNamedWithThePlaceWhereItWasTaken() {
    var allocator = allocator(1);
    var buff = allocator.allocate(2000);
    ByteBuff part = buff.duplicate();
    System.gc();
    assertThat(allocator.getOldestOutstanding(10))
        .singleElement()
        .asString()
        .contains("whatIsOutIsNamedWithThePlaceWhereItWasTaken")
        .contains("by " + Thread.currentThread().getName());
    part.release();
    assertThat(allocator.getOldestOutstanding(10)).isEmpty();
    assertThat(allocator.getLeakCount()).isZero();
  }

  @Test
  void oneInSoManyIsLookedAt() {
    var allocator = allocator(10);
    lose(allocator, 2_000);
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(allocator.getLeakCount()).isBetween(100L, 300L);
            });
  }

  @Test
  void offMeansThatNothingIsRemembered() {
    var allocator = allocator(0);
    var buff = allocator.allocate(2000);
    assertThat(allocator.getOldestOutstanding(10)).isEmpty();
    buff.release();
    lose(allocator, 3);
    System.gc();
    assertThat(allocator.getLeakCount()).isZero();
  }
}
