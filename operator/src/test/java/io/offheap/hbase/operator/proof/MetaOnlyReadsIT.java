package io.offheap.hbase.operator.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ByteBufferExtendedCell;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CachedBlock;
import org.apache.hadoop.hbase.io.hfile.IndexOnlyLruBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How to keep index and bloom blocks on the heap, cached, and read data blocks through the pool,
 * without a bucket cache.
 *
 * <p>{@code hbase.block.data.cacheonread = false} is what does it: {@code
 * HFileReaderImpl.shouldUseHeap} sends to the heap what is going to be cached, and the switch takes
 * data blocks out of that; index and bloom blocks are cached whatever it says. {@code
 * hfile.block.cache.policy = IndexOnlyLRU} alone does the opposite: the reader still takes a data
 * block for one to be cached and reads it onto the heap, and only then the cache refuses it.
 * Together with the switch the policy adds nothing but a second lock against data blocks that are
 * to be cached for another reason (on write, by prefetch).
 */
@Tag("verify")
class MetaOnlyReadsIT {
  private static final Set<BlockType> META = Set.of(BlockType.LEAF_INDEX, BlockType.BLOOM_CHUNK);
  private static final int BUFFER_BYTES = 66_560;

  @TempDir Path directory;

  @Test
  void readsDataThroughPoolAndCachesMetaOnHeapWithoutCachingOnRead() throws IOException {
    var conf = conf("LRU", false);

    var reads = new Reads(conf);

    assertThat(reads.cache).isExactlyInstanceOf(LruBlockCache.class);
    reads.assertDataIsInThePoolAndMetaCached();
  }

  @Test
  void indexOnlyPolicyWithoutCachingOnReadIsEquivalent() throws IOException {
    var conf = conf("IndexOnlyLRU", false);

    var reads = new Reads(conf);

    assertThat(reads.cache).isInstanceOf(IndexOnlyLruBlockCache.class);
    reads.assertDataIsInThePoolAndMetaCached();
  }

  @Test
  void indexOnlyPolicyAloneReadsDataOntoTheHeapAndDoesNotCacheIt() throws IOException {
    var conf = conf("IndexOnlyLRU", true);

    var reads = new Reads(conf);

    assertThat(reads.rowsFromHeap).isPositive();
    assertThat(reads.rowsFromPool).isZero();
    assertThat(reads.poolBytes).isZero();
    assertThat(reads.cachedTypes()).isEqualTo(META);
  }

  @Test
  void lruAloneReadsDataOntoTheHeapAndCachesIt() throws IOException {
    var conf = conf("LRU", true);

    var reads = new Reads(conf);

    assertThat(reads.rowsFromPool).isZero();
    assertThat(reads.poolBytes).isZero();
    assertThat(reads.cachedTypes()).contains(BlockType.DATA).containsAll(META);
  }

  private Configuration conf(String policy, boolean cacheDataOnRead) {
    var conf = new Configuration();
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0.1f);
    conf.set(BlockCacheFactory.BLOCKCACHE_POLICY_KEY, policy);
    conf.setBoolean(CacheConfig.CACHE_DATA_ON_READ_KEY, cacheDataOnRead);
    // Small, so that a small file has several of them.
    conf.setInt("hfile.index.block.max.size", 1024);
    conf.setInt("io.storefile.bloom.block.size", 1024);
    return conf;
  }

  /** What a scan of all rows and a bloom lookup of each leave behind. */
  private final class Reads {
    private final BlockCache cache;
    private final long poolBytes;
    private final long heapBytes;
    private final Set<BlockType> types;
    private int rowsFromPool;
    private int rowsFromHeap;

    Reads(Configuration conf) throws IOException {
      cache = BlockCacheFactory.createBlockCache(conf);
      var allocator = RecordingAllocator.of(BUFFER_BYTES);
      try {
        var file = StoreFileOnDisk.write(directory, conf);
        file.readEveryRow(new CacheConfig(conf, null, cache, allocator), this::count);
        poolBytes = allocator.getPoolAllocationBytes();
        heapBytes = allocator.getHeapAllocationBytes();
        types = types(cache);
      } finally {
        allocator.clean();
        cache.shutdown();
      }
    }

    private void count(Cell cell) {
      if (cell instanceof ByteBufferExtendedCell read && read.getValueByteBuffer().isDirect()) {
        rowsFromPool++;
      } else {
        rowsFromHeap++;
      }
    }

    private static Set<BlockType> types(BlockCache cache) {
      return StreamSupport.stream(cache.spliterator(), false)
          .map(CachedBlock::getBlockType)
          .collect(Collectors.toSet());
    }

    Set<BlockType> cachedTypes() {
      return types;
    }

    void assertDataIsInThePoolAndMetaCached() {
      assertThat(rowsFromPool).isPositive();
      assertThat(rowsFromHeap).isZero();
      // One buffer for each data block, and nothing else in the pool.
      assertThat(poolBytes).isEqualTo((long) rowsFromPool * BUFFER_BYTES);
      assertThat(heapBytes).isZero();
      assertThat(cachedTypes()).isEqualTo(META);
    }
  }
}
