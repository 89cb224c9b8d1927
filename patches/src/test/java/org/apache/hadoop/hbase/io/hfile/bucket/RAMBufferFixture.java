package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileBlockBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;

/**
 * A bucket cache over an engine, and blocks that say in every long whose they are.
 *
 * <p>Names nothing of the patch outside method bodies, so that it can be loaded without it.
 */
final class RAMBufferFixture implements AutoCloseable {
  static final String ENABLE = "hbase.bucketcache.rambuffer.enable";
  static final String SIZE = "hbase.bucketcache.rambuffer.size";
  static final String TIMEOUT = "hbase.bucketcache.rambuffer.timeout";
  static final String FILE = "0123456789abcdef0123456789abcdef";

  final ByteBuffAllocator pool;
  final BucketCache cache;

  static Configuration on(long megabytes, long timeoutMillis) {
    var conf = HBaseConfiguration.create();
    conf.setBoolean(ENABLE, true);
    conf.setLong(SIZE, megabytes);
    conf.setLong(TIMEOUT, timeoutMillis);
    return conf;
  }

  static Configuration off() {
    var conf = HBaseConfiguration.create();
    conf.unset(ENABLE);
    return conf;
  }

  /** For lambdas, whose captured variables would name the patch's type outside a method's body. */
  long blocksInRAMBuffer() {
    return cache.getRAMBuffer().getBlockCount();
  }

  RAMBufferFixture(
      Configuration conf,
      String engine,
      Path folder,
      long bytes,
      int blockBytes,
      int[] bucketSizes,
      int poolBuffers)
      throws IOException {
    var poolConf = new Configuration(false);
    poolConf.setInt(ByteBuffAllocator.MAX_BUFFER_COUNT_KEY, poolBuffers);
    poolConf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, blockBytes + 1024);
    poolConf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    pool = ByteBuffAllocator.create(poolConf, true);
    var name = engine.equals("offheap") ? engine : engine + ":" + folder.resolve("cache." + engine);
    cache = new BucketCache(name, bytes, blockBytes, bucketSizes, 1, 64, null, 60_000, conf, null);
  }

  static BlockCacheKey key(int id) {
    return new BlockCacheKey(FILE, (long) id << 20);
  }

  /** Each long of the content is made of the block's id, its version and its place. */
  static long content(int id, int version, int place) {
    return ((long) id << 44) ^ ((long) version << 20) ^ place;
  }

  /** A block of {@code longs} longs in heap memory of its own, as cache-on-write makes them. */
  HFileBlock block(int id, int version, int longs, int nextBlockBytes) {
    int header = HConstants.HFILEBLOCK_HEADER_SIZE_NO_CHECKSUM;
    var bytes = ByteBuffer.allocate(header + longs * Long.BYTES);
    for (int place = 0; place < longs; place++) {
      bytes.putLong(header + place * Long.BYTES, content(id, version, place));
    }
    return new HFileBlockBuilder()
        .withBlockType(BlockType.DATA)
        .withOnDiskSizeWithoutHeader(longs * Long.BYTES)
        .withUncompressedSizeWithoutHeader(longs * Long.BYTES)
        .withPrevBlockOffset(-1)
        .withByteBuff(ByteBuff.wrap(bytes))
        .withFillHeader(HFileBlock.FILL_HEADER)
        .withOffset(key(id).getOffset())
        .withNextBlockOnDiskSize(nextBlockBytes)
        .withOnDiskDataSizeWithHeader(header + longs * Long.BYTES)
        .withHFileContext(new HFileContextBuilder().withHBaseCheckSum(false).build())
        .withByteBuffAllocator(pool)
        .withShared(false)
        .build();
  }

  /** Caches a block and waits until it has left the writer's queue. */
  void put(int id, int version, int longs, int nextBlockBytes) {
    cache.cacheBlock(key(id), block(id, version, longs, nextBlockBytes));
    // Each batch is synced, and a busy disk takes a second for that.
    await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> !cache.ramCache.containsKey(key(id)) && cache.backingMap.containsKey(key(id)));
  }

  HFileBlock read(int id) {
    return read(key(id), true);
  }

  HFileBlock read(BlockCacheKey key, boolean caching) {
    return (HFileBlock) cache.getBlock(key, caching, false, true);
  }

  /** Reads a block, looks at every long of it, and gives it back. */
  void readAndCheck(int id, int version) {
    var block = read(id);
    assertThat(block).isNotNull();
    assertThat(version(block, id)).isEqualTo(version);
    block.release();
  }

  /** The version that all of the block's longs agree on. */
  static int version(HFileBlock block, int id) {
    var content = block.getBufferWithoutHeader();
    int version = (int) ((content.getLong(content.position()) ^ ((long) id << 44)) >>> 20);
    int places = content.remaining() / Long.BYTES;
    for (int place = 0; place < places; place++) {
      long found = content.getLong(content.position() + place * Long.BYTES);
      if (found != content(id, version, place)) {
        throw new AssertionError(
            "block %d, long %d: found %x in version %d".formatted(id, place, found, version));
      }
    }
    return version;
  }

  long poolBytes() {
    return pool.getPoolAllocationBytes();
  }

  @Override
  public void close() {
    cache.shutdown();
  }
}
