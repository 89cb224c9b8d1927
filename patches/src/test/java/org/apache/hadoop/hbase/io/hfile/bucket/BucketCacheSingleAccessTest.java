package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockPriority;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch "Bucket cache: blocks start as read once". */
class BucketCacheSingleAccessTest {
  /** A tenth of the cache: less than the half that the multi-access class has. */
  private static final int READ_AGAIN = 400;

  /** Three times the cache. */
  private static final int SCANNED = 12_000;

  @TempDir Path folder;

  private final Configuration conf = HBaseConfiguration.create();
  private QuietBucketCache cache;

  @AfterEach
  void shutdown() {
    cache.shutdown();
  }

  private void open() throws IOException {
    cache = new QuietBucketCache("offheap", null, conf);
  }

  private void read(int number) {
    var block = cache.read(key(number));
    assertThat(block).isNotNull();
    block.release();
  }

  private long leftAfterScan() throws InterruptedException {
    cache.fill(0, READ_AGAIN);
    for (int number = 0; number < READ_AGAIN; number++) {
      read(number);
    }
    cache.fill(READ_AGAIN, READ_AGAIN + SCANNED);
    assertThat(cache.getStats().getEvictedCount()).isPositive();
    return IntStream.range(0, READ_AGAIN)
        .filter(number -> cache.getBackingMap().containsKey(key(number)))
        .count();
  }

  private BlockPriority priority(int number) {
    return cache.getBackingMap().get(key(number)).getPriority();
  }

  @FailsOnStock
  @Test
  void aScanLeavesTheBlocksThatAreReadAgain() throws IOException, InterruptedException {
    open();
    assertThat(leftAfterScan()).isEqualTo(READ_AGAIN);
    cache.buffers.assertBack();
  }

  @Test
  void theSwitchBringsBackWhatHBaseDoes() throws IOException, InterruptedException {
    conf.setBoolean("hbase.bucketcache.single.access.first", false);
    open();
    assertThat(leftAfterScan()).isZero();
    assertThat(priority(READ_AGAIN + SCANNED - 1)).isEqualTo(BlockPriority.MULTI);
  }

  @FailsOnStock
  @Test
  void aSecondAccessChangesTheClass() throws IOException, InterruptedException {
    open();
    cache.fill(0, 3);
    assertThat(priority(1)).isEqualTo(BlockPriority.SINGLE);
    read(1);
    assertThat(priority(1)).isEqualTo(BlockPriority.MULTI);
    assertThat(priority(2)).isEqualTo(BlockPriority.SINGLE);
  }

  /** A reader that finds the block before the writer has written it is the second one too. */
  @FailsOnStock
  @Test
  void anAccessWhileTheBlockIsQueuedCounts() throws IOException, InterruptedException {
    open();
    cache.put(key(1));
    cache.put(key(2));
    read(1);
    cache.drain();
    assertThat(priority(1)).isEqualTo(BlockPriority.MULTI);
    assertThat(priority(2)).isEqualTo(BlockPriority.SINGLE);
  }

  @Test
  void inMemoryStaysInMemory() throws IOException, InterruptedException {
    open();
    var block = cache.block(1);
    cache.cacheBlock(key(1), block, true);
    block.release();
    cache.drain();
    read(1);
    assertThat(priority(1)).isEqualTo(BlockPriority.MEMORY);
  }

  @FailsOnStock
  @Test
  void aRestartKeepsTheClasses() throws IOException, InterruptedException {
    cache = persistent();
    cache.fill(0, 3);
    read(1);
    var block = cache.block(4);
    cache.cacheBlock(key(4), block, true);
    block.release();
    cache.drain();
    cache.shutdown();
    cache = persistent();
    assertThat(cache.getBackingMap()).hasSize(4);
    assertThat(priority(0)).isEqualTo(BlockPriority.SINGLE);
    assertThat(priority(1)).isEqualTo(BlockPriority.MULTI);
    assertThat(priority(4)).isEqualTo(BlockPriority.MEMORY);
  }

  private QuietBucketCache persistent() throws IOException {
    return new QuietBucketCache(
        "file:" + folder.resolve("cache"), folder.resolve("index").toString(), conf);
  }
}
