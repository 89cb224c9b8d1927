package org.apache.hadoop.hbase.io.hfile.bucket;

import io.offheap.hbase.patches.ExactAllocator;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ChecksumType;
import org.mockito.Mockito;

/** A cache without writers, whose blocks stay queued until {@link #drain}, and its blocks. */
final class QuietBucketCache extends BucketCache {
  static final int SIZE = 1000;
  static final int BUCKET = 2048;
  static final long CAPACITY = 8 << 20;
  private static final int BATCH = 50;

  /** So the second error in a row turns the cache off. */
  private static final int TOLERATES_ONE_ERROR = -1;

  final ExactAllocator buffers = ExactAllocator.create(1000, BUCKET);

  QuietBucketCache(String engine, String persistencePath) throws IOException {
    this(engine, persistencePath, HBaseConfiguration.create());
  }

  QuietBucketCache(String engine, String persistencePath, Configuration conf) throws IOException {
    this(engine, CAPACITY, persistencePath, conf);
  }

  QuietBucketCache(String engine, long capacity, String persistencePath, Configuration conf)
      throws IOException {
    super(
        engine,
        capacity,
        4096,
        new int[] {BUCKET, 2 * BUCKET},
        1,
        64,
        persistencePath,
        TOLERATES_ONE_ERROR,
        conf);
  }

  @Override
  protected void startWriterThreads() {}

  static BlockCacheKey key(int number) {
    return new BlockCacheKey("file", number * 4096L);
  }

  HFileBlock block(int number) {
    var buffer = buffers.allocate(HConstants.HFILEBLOCK_HEADER_SIZE + SIZE);
    buffer.position(HConstants.HFILEBLOCK_HEADER_SIZE).putLong(number);
    buffer.position(HConstants.HFILEBLOCK_HEADER_SIZE + SIZE - Long.BYTES).putLong(number);
    buffer.rewind();
    return block(number, buffer, buffers);
  }

  /** A block of {@link #SIZE} bytes in this buffer, as if it had been read. */
  static HFileBlock block(int number, ByteBuff buffer, ByteBuffAllocator allocator) {
    var context =
        new HFileContextBuilder()
            .withHBaseCheckSum(true)
            .withChecksumType(ChecksumType.NULL)
            .withBytesPerCheckSum(0)
            .build();
    return new HFileBlock(
        BlockType.DATA,
        SIZE,
        SIZE,
        -1,
        buffer,
        HFileBlock.FILL_HEADER,
        number * 4096L,
        -1,
        HConstants.HFILEBLOCK_HEADER_SIZE + SIZE,
        context,
        allocator);
  }

  /** Whether a block has what {@link #block} wrote. */
  static boolean isBlock(int number, Cacheable block) {
    var buffer = ((HFileBlock) block).getBufferReadOnly();
    return buffer.getLong(HConstants.HFILEBLOCK_HEADER_SIZE) == number
        && buffer.getLong(HConstants.HFILEBLOCK_HEADER_SIZE + SIZE - Long.BYTES) == number;
  }

  /** Queues a block. */
  void put(BlockCacheKey key) {
    var block = block((int) (key.getOffset() / 4096));
    cacheBlock(key, block);
    block.release();
  }

  /** Caches as many blocks, from number 0 on. */
  void fill(int blocks) throws InterruptedException {
    fill(0, blocks);
  }

  /** Caches these blocks; more than the queue holds take several batches, each of which syncs. */
  void fill(int from, int to) throws InterruptedException {
    for (int number = from; number < to; number++) {
      put(key(number));
      if (number % BATCH == 0) {
        drain();
      }
    }
    drain();
  }

  /** What a writer does with all that is queued. */
  void drain() throws InterruptedException {
    List<RAMQueueEntry> entries = new ArrayList<>();
    writerQueues.get(0).drainTo(entries);
    doDrain(entries, ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE));
  }

  Cacheable read(BlockCacheKey key) {
    return getBlock(key, true, false, false);
  }

  /** Replaces the engine by one whose methods the test can replace. */
  IOEngine spyEngine() {
    var engine = Mockito.spy(ioEngine);
    set("ioEngine", engine);
    return engine;
  }

  long usedBytes() {
    return getAllocator().getUsedSize();
  }

  /** Published HBase lacks some. */
  boolean has(String field) {
    return Arrays.stream(BucketCache.class.getDeclaredFields())
        .anyMatch(declared -> declared.getName().equals(field));
  }

  void set(String field, Object value) {
    try {
      Field declared = BucketCache.class.getDeclaredField(field);
      declared.setAccessible(true);
      declared.set(this, value);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no field " + field, e);
    }
  }
}
