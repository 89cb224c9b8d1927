package org.apache.hadoop.hbase.io.hfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch 0006, the part of the block cache. */
class BlockCacheKeyTest {
  @TempDir java.nio.file.Path folder;

  private final Configuration conf = HBaseConfiguration.create();
  private final List<BlockCacheKey> keys = new ArrayList<>();
  private final LruBlockCache cache =
      new LruBlockCache(16 << 20, 4096, false) {
        @Override
        public void cacheBlock(BlockCacheKey key, Cacheable block, boolean inMemory) {
          keys.add(key);
          super.cacheBlock(key, block, inMemory);
        }
      };

  @FailsOnStock
  @Test
  void theKeysOfAFileShareItsName() throws IOException {
    var cacheConf = new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
    try (var file = new BlockFile(conf, folder, cacheConf)) {
      for (int block = 0; block < 3; block++) {
        file.read(block).release();
      }
      assertThat(keys)
          .extracting(BlockCacheKey::getHfileName)
          .containsExactly("file", "file", "file");
      assertThat(keys).allSatisfy(key -> assertThat(key.getFilePath()).isEqualTo(file.path()));
      for (var key : keys) {
        assertThat(key.getHfileName()).isSameAs(keys.get(0).getHfileName());
        assertThat(key).isEqualTo(new BlockCacheKey(file.path(), key.getOffset(), true, null));
      }
    }
  }

  @FailsOnStock
  @Test
  void presenceOfACacheIsDeterminedOnce() {
    var cacheConf = new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
    assertThat(cacheConf.getBlockCache()).containsSame(cache);
    assertThat(cacheConf.getBlockCache()).isSameAs(cacheConf.getBlockCache());
    assertThat(new CacheConfig(cacheConf).getBlockCache()).containsSame(cache);
    assertThat(new CacheConfig(conf).getBlockCache()).isEmpty();
    assertThat(CacheConfig.DISABLED.getBlockCache()).isEmpty();
  }
}
