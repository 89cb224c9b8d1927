package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patch 0001. */
class ByteBuffAllocatorTest {
  private static final int BUFFER = 4096;

  private final Configuration conf = new Configuration(false);

  private ByteBuffAllocator allocator(int buffers, int minimum) {
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, buffers);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, BUFFER);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, minimum);
    return ByteBuffAllocator.create(conf, true);
  }

  @FailsOnStock
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void wholeMultiplesTakeNoBufferMoreThanTheyFill(int buffers) {
    var allocator = allocator(10, 0);
    var block = allocator.allocate(buffers * BUFFER);
    assertThat(block.nioByteBuffers()).hasSize(buffers);
    assertThat(allocator.getUsedBufferCount()).isEqualTo(buffers);
    block.release();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void theExtraBufferIsOneSettingAway(int buffers) {
    conf.setBoolean(ByteBuffAllocator.EXACT_MULTIPLES_KEY, false);
    assertThat(allocator(10, 0).allocate(buffers * BUFFER).nioByteBuffers()).hasSize(buffers + 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, BUFFER - 1, BUFFER, BUFFER + 1, 3 * BUFFER, 3 * BUFFER + 5})
  void whatIsHandedOutHoldsWhatWasAskedFor(int size) {
    for (int minimum : new int[] {-1, 0, 1, BUFFER / 6, BUFFER}) {
      var allocator = allocator(10, minimum);
      var block = allocator.allocate(size);
      assertThat(block.limit()).isEqualTo(size);
      assertThat(block.capacity()).isGreaterThanOrEqualTo(size);
      block.release();
      assertThat(allocator.getBuffersInUse()).isZero();
    }
  }

  @Test
  void buffersInUseRiseAndFall() {
    var allocator = allocator(10, 1);
    List<ByteBuff> blocks = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      blocks.add(allocator.allocate(BUFFER));
      assertThat(allocator.getBuffersInUse()).isEqualTo(i);
    }
    var one = allocator.allocateOneBuffer();
    assertThat(allocator.getBuffersInUse()).isEqualTo(5);
    one.release();
    blocks.forEach(ByteBuff::release);
    assertThat(allocator.getBuffersInUse()).isZero();
    assertThat(allocator.getUsedBufferCount()).isEqualTo(5);
  }

  @Test
  void requestsThatFoundThePoolEmptyAreCountedOnceEach() {
    var allocator = allocator(3, 1);
    var first = allocator.allocate(2 * BUFFER);
    assertThat(allocator.getPoolEmptyCount()).isZero();
    var second = allocator.allocate(2 * BUFFER);
    assertThat(allocator.getPoolEmptyCount()).isEqualTo(1);
    var third = allocator.allocateOneBuffer();
    assertThat(allocator.getPoolEmptyCount()).isEqualTo(2);
    assertThat(allocator.getMultiBufferCount()).isEqualTo(2);
    assertThat(allocator.getBuffersInUse()).isEqualTo(3);
    List.of(first, second, third).forEach(ByteBuff::release);
    assertThat(allocator.getBuffersInUse()).isZero();
  }

  @FailsOnStock
  @Test
  void readingTheHeapRatioDoesNotResetIt() {
    var allocator = allocator(1, 1);
    allocator.allocate(4 * BUFFER);
    assertThat(ByteBuffAllocator.getHeapAllocationRatio(allocator)).isEqualTo(0.75);
    assertThat(ByteBuffAllocator.getHeapAllocationRatio(allocator)).isEqualTo(0.75);
  }

  @Test
  void theHeapRatioSinceTheLastReadingIsOneSettingAway() {
    conf.setLong(ByteBuffAllocator.HEAP_RATIO_WINDOW_KEY, 0);
    var allocator = allocator(1, 1);
    allocator.allocate(4 * BUFFER);
    assertThat(ByteBuffAllocator.getHeapAllocationRatio(allocator)).isEqualTo(0.75);
    assertThat(ByteBuffAllocator.getHeapAllocationRatio(allocator)).isZero();
  }

  @Test
  void theHeapRatioForgetsWhatIsLongAgo() throws InterruptedException {
    conf.setLong(ByteBuffAllocator.HEAP_RATIO_WINDOW_KEY, 20);
    var allocator = allocator(1, 1);
    allocator.allocate(4 * BUFFER);
    for (int window = 0; window < 2; window++) {
      assertThat(ByteBuffAllocator.getHeapAllocationRatio(allocator)).isEqualTo(0.75);
      // The window is time: there is nothing else to wait for.
      Thread.sleep(25);
    }
    ByteBuffAllocator.getHeapAllocationRatio(allocator);
    assertThat(ByteBuffAllocator.getHeapAllocationRatio(allocator)).isZero();
  }

  /** The surefire JVM has 2 GiB of direct memory; a buffer of 1 GiB is there once. */
  @FailsOnStock
  @Test
  void noDirectMemoryDoesNotMakeThePoolSmallerForGood() {
    int huge = 1 << 30;
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, 8);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, huge);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    var allocator = ByteBuffAllocator.create(conf, true);
    var first = allocator.allocateOneBuffer();
    try {
      assertThatThrownBy(() -> takeUntilNothingIsLeft(allocator))
          .isInstanceOf(OutOfMemoryError.class);
      int made = allocator.getUsedBufferCount();
      assertThatThrownBy(() -> takeUntilNothingIsLeft(allocator))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(allocator.getUsedBufferCount()).isEqualTo(made);
    } finally {
      first.release();
      allocator.clean();
    }
  }

  private static void takeUntilNothingIsLeft(ByteBuffAllocator allocator) {
    List<ByteBuff> taken = new ArrayList<>();
    try {
      while (taken.size() < 4) {
        taken.add(allocator.allocateOneBuffer());
      }
    } finally {
      taken.forEach(ByteBuff::release);
    }
  }
}
