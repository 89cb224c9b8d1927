package org.apache.hadoop.hbase.io.hfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.FailsOnStock;
import io.offheap.hbase.patches.Heap;
import java.nio.ByteBuffer;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch "Blocks: made once, and for the cache where one is". */
class BlockReadTest {
  @TempDir java.nio.file.Path folder;

  private final Configuration conf = HBaseConfiguration.create();

  private ByteBuffAllocator pool() {
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 1);
    conf.setInt(ByteBuffAllocator.BUFFER_SIZE_KEY, 4096);
    return ByteBuffAllocator.create(conf, true);
  }

  /** The least of some, as what is new to the JVM allocates as well. */
  private static long least(Callable<?> call) throws Exception {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 10; i++) {
      least = Math.min(least, Heap.bytes(call));
    }
    return least;
  }

  /** What the published class makes is another block, its builder and its context. */
  @FailsOnStock
  @Test
  void aReaderWithoutACacheMakesNoSecondBlock() throws Exception {
    try (var file = new BlockFile(conf, folder, new CacheConfig(conf, null, null, pool()))) {
      long fromFile = least(() -> file.readFromFile(1).release());
      long withReader = least(() -> file.read(1).release());
      assertThat(withReader - fromFile).isLessThan(300);
    }
  }

  /** The published class takes 400 and more. */
  @FailsOnStock
  @Test
  void aBlockOutOfTheCacheTakesItselfAlone() throws Exception {
    try (var file = new BlockFile(conf, folder, new CacheConfig(conf, null, null, pool()))) {
      var block = BlockCacheUtil.getBlockForCaching(CacheConfig.DISABLED, file.readFromFile(1));
      var bytes = ByteBuffer.allocateDirect(block.getSerializedLength());
      block.serialize(bytes, true);
      var buff = ByteBuff.wrap(bytes.rewind());
      long heap =
          least(() -> HFileBlock.BLOCK_DESERIALIZER.deserialize(buff, ByteBuffAllocator.HEAP));
      assertThat(heap).isLessThan(300);
    }
  }

  @FailsOnStock
  @Test
  void aBlocksTypeIsFoundWithoutACopyOfAllTypes() throws Exception {
    byte[] bytes = new byte[BlockType.MAGIC_LENGTH];
    BlockType.META.put(bytes, 0);
    var magic = ByteBuff.wrap(ByteBuffer.wrap(bytes));
    long heap = least(() -> BlockType.read(magic.rewind()));
    assertThat(heap).isLessThan(50);
    for (var type : BlockType.values()) {
      type.put(bytes, 0);
      assertThat(BlockType.read(magic.rewind())).isEqualTo(type);
    }
  }
}
