package io.offheap.hbase.operator.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@link Allocation} equals HBase's allocator at every boundary of a request. */
class AllocatorSweepTest {
  private static final int MOST_BUFFERS = 8;

  static Stream<Arguments> pools() {
    return Stream.of(1024, 8192, 66_560, 67_584, 133_120)
        .flatMap(
            buffer ->
                Stream.of(-buffer, -1, 0, 1, buffer / 6, buffer / 2, buffer - 1, buffer, buffer + 1)
                    .map(minimal -> Arguments.of(buffer, minimal)));
  }

  @ParameterizedTest(name = "buffers of {0}, minimal size {1}")
  @MethodSource("pools")
  void buffersAndHeapBytesMatchPrediction(int buffer, int minimal) {
    var allocator = allocator(buffer, minimal);
    for (int request : boundaries(buffer, minimal)) {
      var predicted = Allocation.of(request, buffer, minimal);

      var taken = new Request(allocator, request);

      assertThat(taken.allocation()).as("%d bytes", request).isEqualTo(predicted);
      assertThat(taken.isOneDirectBuffer()).as("%d bytes", request).isEqualTo(predicted.isSingle());
      taken.release();
    }
    allocator.clean();
  }

  @ParameterizedTest(name = "buffers of {0}, minimal size {1}")
  @MethodSource("pools")
  void exhaustedPoolFallsBackToHeap(int buffer, int minimal) {
    var allocator = allocator(buffer, minimal);
    var held = new ArrayList<ByteBuff>();
    for (int free = MOST_BUFFERS; free >= 0; free--) {
      for (int request : boundaries(buffer, minimal)) {
        var predicted = Allocation.of(request, buffer, minimal, free);

        var taken = new Request(allocator, request);

        assertThat(taken.allocation())
            .as("%d bytes with %d buffers free", request, free)
            .isEqualTo(predicted);
        taken.release();
      }
      held.add(allocator.allocateOneBuffer());
    }
    held.forEach(ByteBuff::release);
    allocator.clean();
  }

  /** 0 and 1, and a byte to each side of every multiple of the buffer with and without the rest. */
  private static List<Integer> boundaries(int buffer, int minimal) {
    var boundaries = new TreeSet<Integer>();
    for (int buffers = 0; buffers <= 4; buffers++) {
      for (int rest : new int[] {0, minimal, buffer / 6, buffer / 2}) {
        for (int side = -1; side <= 1; side++) {
          boundaries.add(buffers * buffer + rest + side);
        }
      }
    }
    return boundaries.stream().filter(request -> request >= 0).toList();
  }

  private static ByteBuffAllocator allocator(int buffer, int minimal) {
    var conf = new Configuration(false);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, buffer);
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, minimal);
    conf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, MOST_BUFFERS);
    return ByteBuffAllocator.create(conf, true);
  }

  /** A request to HBase's allocator, and its counters. */
  private static final class Request {
    private final ByteBuff buffer;
    private final Allocation allocation;

    Request(ByteBuffAllocator allocator, int bytes) {
      long pool = allocator.getPoolAllocationBytes();
      long heap = allocator.getHeapAllocationBytes();
      buffer = allocator.allocate(bytes);
      long poolBytes = allocator.getPoolAllocationBytes() - pool;
      assertThat(poolBytes % allocator.getBufferSize()).isZero();
      assertThat(buffer.limit()).isEqualTo(bytes);
      allocation =
          new Allocation(
              poolBytes / allocator.getBufferSize(), allocator.getHeapAllocationBytes() - heap);
    }

    Allocation allocation() {
      return allocation;
    }

    boolean isOneDirectBuffer() {
      return Blocks.isOneDirectBuffer(buffer);
    }

    void release() {
      buffer.release();
    }
  }
}
