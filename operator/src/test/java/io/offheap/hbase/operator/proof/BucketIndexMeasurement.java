package io.offheap.hbase.operator.proof;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;

/**
 * Fills a bucket cache through HBase's reader and prints how much heap each block took. It runs in
 * a JVM of its own, which decides about compressed pointers, and with the serial collector, whose
 * full collection leaves nothing behind.
 *
 * <p>The cache is small, but in proportion: as many blocks to a bucket (32) and to the initial size
 * of the map as at 64 KiB. The number of blocks is one for which that map has three slots a block,
 * the most that it can have.
 */
public final class BucketIndexMeasurement {
  /** 1.5 times this is just over a power of two. */
  private static final int BLOCKS = 21_846;

  private static final int WARM_UP_BLOCKS = 100;

  /** Smaller than any real block; the index does not depend on it. */
  private static final int BUCKET_BYTES = 512;

  private static final int CELL_BYTES = 256;

  private BucketIndexMeasurement() {}

  /**
   * Prints bytes of heap for each block: of the cache once all blocks are in it, and what is added
   * once all were read from it.
   *
   * @param arguments a directory; {@code offheap}, {@code file} or {@code persistent-file}
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    var directory = Path.of(arguments[0]);
    var file = write(directory);
    // Kept open, so that its memory is in both measurements.
    var warmUp = BlockCacheFactory.createBlockCache(conf(arguments[1], directory, "warm-up"));
    fill(file, warmUp, WARM_UP_BLOCKS, true);
    fill(file, warmUp, WARM_UP_BLOCKS, false);

    long before = used();
    var cache = BlockCacheFactory.createBlockCache(conf(arguments[1], directory, "measured"));
    fill(file, cache, BLOCKS, true);
    long cached = used();
    fill(file, cache, BLOCKS, false);
    long read = used();

    System.out.printf("%d %d%n", (cached - before) / BLOCKS, (read - cached) / BLOCKS);
    // The caches' threads would continue.
    System.exit(cache.getBlockCount() == BLOCKS && warmUp.getBlockCount() > 0 ? 0 : 1);
  }

  private static Configuration conf(String engine, Path directory, String name) {
    var conf = HBaseConfiguration.create();
    var file = directory.resolve(name);
    conf.set(
        HConstants.BUCKET_CACHE_IOENGINE_KEY, engine.equals("offheap") ? engine : "file:" + file);
    if (engine.equals("persistent-file")) {
      conf.set(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, file + ".index");
      // Writing the index creates garbage, which would be measured with it.
      conf.setLong("hbase.bucketcache.persist.intervalinmillis", 3_600_000);
    }
    long capacity = BLOCKS * BUCKET_BYTES * 102L / 100;
    conf.setDouble(HConstants.BUCKET_CACHE_SIZE_KEY, capacity / 1048576.0);
    conf.setLong(BlockCacheFactory.BLOCKCACHE_BLOCKSIZE_KEY, capacity / BLOCKS);
    conf.set(BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY, BUCKET_BYTES + "," + 8 * BUCKET_BYTES);
    conf.setFloat("hbase.bucketcache.acceptfactor", 1);
    conf.setFloat("hbase.bucketcache.minfactor", 1);
    // Else a full queue drops the block.
    conf.setLong("hbase.bucketcache.queue.addition.waittime", 60_000);
    return conf;
  }

  private static org.apache.hadoop.fs.Path write(Path directory) throws IOException {
    var conf = new Configuration();
    // One index block: it is read with the file and so is not in any cache.
    conf.setInt("hfile.index.block.max.size", 64 << 20);
    var file = directory.resolve("0123456789abcdef0123456789abcdef");
    var path = new org.apache.hadoop.fs.Path(file.toUri());
    var context = SizedHFile.context(CELL_BYTES, DataBlockEncoding.NONE, Algorithm.NONE);
    var cells = SizedCells.zero();
    try (var writer =
        HFile.getWriterFactory(conf, new CacheConfig(conf, null, null, ByteBuffAllocator.HEAP))
            .withPath(FileSystem.getLocal(conf).getRaw(), path)
            .withFileContext(context)
            .create()) {
      for (int i = 0; i < BLOCKS; i++) {
        writer.append(cells.ofBytes(CELL_BYTES));
      }
    }
    return path;
  }

  /**
   * Reads the first blocks of the file.
   *
   * @param past whether to read past the cache, as prefetching does, which waits for a place in it
   */
  private static void fill(
      org.apache.hadoop.fs.Path file, BlockCache cache, int blocks, boolean past)
      throws IOException, InterruptedException {
    var conf = new Configuration();
    var allocator = ByteBuffAllocator.create(conf, true);
    var caching = new CacheConfig(conf, null, cache, allocator);
    var fs = FileSystem.getLocal(conf).getRaw();
    try (var reader = HFile.createReader(fs, file, caching, true, conf)) {
      long offset = 0;
      for (int i = 0; i < blocks; i++) {
        var block =
            reader.readBlock(
                offset, -1, true, true, false, true, BlockType.DATA, DataBlockEncoding.NONE, past);
        offset += block.getOnDiskSizeWithHeader();
        block.release();
      }
    }
    allocator.clean();
    awaitBlocks(cache, blocks);
  }

  /** The cache's writers are threads of their own. */
  private static void awaitBlocks(BlockCache cache, int blocks) throws InterruptedException {
    for (int i = 0; i < 6_000; i++) {
      if (StreamSupport.stream(cache.spliterator(), false).count() == blocks) {
        return;
      }
      Thread.sleep(10);
    }
    throw new IllegalStateException("not all " + blocks + " blocks are cached");
  }

  /** Heap in use, once it no longer shrinks. */
  private static long used() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int same = 0; same < 3; same++) {
      System.gc();
      long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
      if (used < least - 4096) {
        least = used;
        same = 0;
      }
      Thread.sleep(20);
    }
    return least;
  }
}
