package org.apache.hadoop.hbase.io.hfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.ExactAllocator;
import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch "Cache on write gives its buffers back": HBASE-30038. */
class CacheOnWriteTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @TempDir java.nio.file.Path folder;

  private final Configuration conf = HBaseConfiguration.create();
  private final ExactAllocator allocator = ExactAllocator.create(1000, 4096);
  private LruBlockCache l1;
  private BucketCache l2;

  @BeforeEach
  void onWrite() {
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_INDEX_BLOCKS_ON_WRITE_KEY, true);
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, 512);
    conf.setInt(HFileBlockIndex.MIN_INDEX_NUM_ENTRIES_KEY, 2);
    l1 = new LruBlockCache(16 << 20, 4096);
  }

  @AfterEach
  void shutdown() {
    l1.shutdown();
    l2.shutdown();
  }

  private void write(BlockCache cache, int rows) throws IOException {
    var file = new Path(folder.toUri().toString(), "file");
    var cacheConf = new CacheConfig(conf, null, cache, allocator);
    var context = new HFileContextBuilder().withBlockSize(2048).build();
    try (var writer =
        HFile.getWriterFactory(conf, cacheConf)
            .withPath(FileSystem.getLocal(conf), file)
            .withFileContext(context)
            .create()) {
      for (int row = 0; row < rows; row++) {
        writer.append(
            new KeyValue(Bytes.toBytes(String.format("%08d", row)), FAMILY, FAMILY, new byte[500]));
      }
    }
  }

  @FailsOnStock
  @Test
  void indexBlocksOfEveryLevelAreGivenBack() throws IOException {
    l2 = new BucketCache("offheap", 64 << 20, 4096, null, 3, 64, null);
    write(new CombinedBlockCache(l1, l2), 2000);
    assertThat(l2.getStats().getFailedInserts()).isLessThan(500);
    allocator.assertBackSoon();
  }

  @FailsOnStock
  @Test
  void blocksThatTheCacheDoesNotWantAreGivenBack() throws IOException {
    var calls = new AtomicInteger();
    l2 =
        new BucketCache("offheap", 64 << 20, 4096, null, 3, 64, null) {
          @Override
          public Optional<Boolean> shouldCacheBlock(
              BlockCacheKey key, long maxTimestamp, Configuration conf) {
            calls.incrementAndGet();
            return Optional.of(false);
          }
        };
    write(new CombinedBlockCache(l1, l2), 100);
    assertThat(calls).hasPositiveValue();
    assertThat(l2.getBlockCount()).isZero();
    allocator.assertBackSoon();
  }
}
