package io.offheap.hbase.operator.proof;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * HBase's allocator, which records its requests. HBase creates it by the class name that {@code
 * hbase.bytebuff.allocator.class} gives.
 */
public class RecordingAllocator extends ByteBuffAllocator {
  private final List<Integer> requests = new ArrayList<>();

  /** HBase calls this one by reflection. */
  protected RecordingAllocator(
      boolean reservoirEnabled, int maxBufCount, int bufSize, int minSizeForReservoirUse) {
    super(reservoirEnabled, maxBufCount, bufSize, minSizeForReservoirUse);
  }

  /** A pool with HBase's default minimal size for these buffers. */
  static RecordingAllocator of(long bufferBytes) {
    var conf = new Configuration(false);
    conf.setLong(BUFFER_SIZE_KEY, bufferBytes);
    conf.setInt(MAX_BUFFER_COUNT_KEY, 64);
    conf.setClass(BYTEBUFF_ALLOCATOR_CLASS, RecordingAllocator.class, ByteBuffAllocator.class);
    return (RecordingAllocator) create(conf, true);
  }

  @Override
  public ByteBuff allocate(int size) {
    requests.add(size);
    return super.allocate(size);
  }

  /** Returns the requests, in order, and clears them. */
  List<Integer> takeRequests() {
    var taken = List.copyOf(requests);
    requests.clear();
    return taken;
  }
}
