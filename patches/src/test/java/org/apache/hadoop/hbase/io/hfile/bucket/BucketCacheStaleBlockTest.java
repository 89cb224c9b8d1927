package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.BUCKET;
import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.CAPACITY;
import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch "Bucket cache: one bad block takes no other along": blocks that are not what they were. */
class BucketCacheStaleBlockTest {
  @TempDir Path folder;

  private QuietBucketCache cache;

  @AfterEach
  void shutdown() {
    cache.shutdown();
  }

  private void open(boolean persistent) throws IOException {
    cache =
        new QuietBucketCache(
            "file:" + folder.resolve("cache"),
            persistent ? folder.resolve("index").toString() : null);
  }

  /** The time of caching before each block is no longer that of the entry. */
  private void overwriteTheFile() throws IOException {
    try (var channel = Files.newByteChannel(folder.resolve("cache"), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate((int) CAPACITY));
    }
  }

  @FailsOnStock
  @Test
  void aBlockOfAnotherTimeGivesItsSpaceBack() throws IOException, InterruptedException {
    open(true);
    cache.fill(3);
    overwriteTheFile();
    assertThat(cache.read(key(1))).isNull();
    assertThat(cache.getBackingMap()).hasSize(2);
    assertThat(cache.blocksByHFile).doesNotContain(key(1));
    assertThat(cache.getBlockCount()).isEqualTo(2);
    assertThat(cache.usedBytes()).isEqualTo(2 * BUCKET);
    assertThat(cache.getRealCacheSize()).isLessThan(2 * BUCKET).isPositive();
    cache.put(key(1));
    cache.drain();
    var block = cache.read(key(1));
    assertThat(block).isNotNull();
    block.release();
    cache.buffers.assertBack();
  }

  /** Half a file after a split reads the blocks of the whole one, under another key. */
  @FailsOnStock
  @Test
  void aBlockOfAnotherTimeThatAReferenceReadsIsEvicted() throws IOException, InterruptedException {
    open(true);
    var file = "0123456789abcdef0123456789abcdef";
    cache.put(new BlockCacheKey(file, 4096));
    cache.drain();
    overwriteTheFile();
    var reference = new BlockCacheKey(file + ".fedcba9876543210fedcba9876543210", 4096);
    assertThat(cache.read(reference)).isNull();
    assertThat(cache.getBackingMap()).isEmpty();
    assertThat(cache.usedBytes()).isZero();
    cache.buffers.assertBack();
  }

  @FailsOnStock
  @Test
  void aBlockThatIsCachedAgainWhileTheFirstIsQueuedStays()
      throws IOException, InterruptedException {
    open(false);
    cache.put(key(1));
    // Its reader keeps the memory of the first one alive.
    var reader = cache.read(key(1));
    var first = new ArrayList<BucketCache.RAMQueueEntry>();
    cache.writerQueues.get(0).drainTo(first);
    assertThat(cache.evictBlock(key(1))).isTrue();
    cache.put(key(1));
    cache.doDrain(first, ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE));
    reader.release();
    assertThat(cache.ramCache.containsKey(key(1))).isTrue();
    cache.drain();
    assertThat(cache.getBackingMap()).containsKey(key(1));
    assertThat(cache.usedBytes()).isEqualTo(BUCKET);
    cache.buffers.assertBack();
  }

  /** Both in one batch. */
  @FailsOnStock
  @Test
  void aBlockThatIsCachedAgainInTheSameBatchStays() throws IOException, InterruptedException {
    open(false);
    cache.put(key(1));
    assertThat(cache.evictBlock(key(1))).isTrue();
    cache.put(key(1));
    try {
      cache.drain();
    } catch (RuntimeException e) {
      // The writer thread logs it and continues with the next batch.
    }
    assertThat(cache.getBackingMap()).containsKey(key(1));
    assertThat(cache.ramCache.isEmpty()).isTrue();
    cache.buffers.assertBack();
  }

  private BucketEntry entry(long offset) {
    return new BucketEntry(
        offset, BUCKET, BUCKET, 1, false, of -> ByteBuffAllocator.NONE, cache.buffers);
  }

  @FailsOnStock
  @Test
  void aReadBeyondTheFileGivesItsBufferBack() throws IOException {
    open(false);
    assertThatThrownBy(() -> cache.ioEngine.read(entry(2 * CAPACITY)))
        .isInstanceOf(RuntimeException.class);
    cache.buffers.assertBack();
  }

  @FailsOnStock
  @Test
  void aCheckOfTheTimeGivesItsBufferBack() throws IOException, InterruptedException {
    open(true);
    cache.fill(1);
    var engine = (FileIOEngine) cache.ioEngine;
    engine.checkCacheTime(cache.getBackingMap().get(key(0)));
    cache.buffers.assertBack();
    assertThatThrownBy(() -> engine.checkCacheTime(entry(BUCKET)))
        .isInstanceOf(HBaseIOException.class);
    cache.buffers.assertBack();
  }
}
