package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

/** Patch "Bucket cache: a file's eviction finds queued blocks" (HBASE-29862). */
class BucketCacheEvictByFileTest {
  private QuietBucketCache cache;

  @BeforeEach
  void open() throws IOException {
    cache = new QuietBucketCache("offheap", null);
  }

  @AfterEach
  void shutdown() {
    cache.shutdown();
  }

  private void assertNothingLeft() {
    assertThat(cache.getBackingMap()).isEmpty();
    assertThat(cache.blocksByHFile).isEmpty();
    assertThat(cache.ramCache.isEmpty()).isTrue();
    assertThat(cache.getBlockCount()).isZero();
    assertThat(cache.usedBytes()).isZero();
    cache.buffers.assertBack();
  }

  private int evict() {
    return cache.evictBlocksByHfileName("file");
  }

  private void drainAsAWriter() throws InterruptedException {
    try {
      cache.drain();
    } catch (RuntimeException e) {
      // The writer thread logs it and continues with the next batch.
    }
  }

  @FailsOnStock
  @Test
  void aQueuedBlockIsEvictedWithItsFile() throws InterruptedException {
    cache.put(key(1));
    cache.drain();
    cache.put(key(2));
    assertThat(evict()).isEqualTo(2);
    drainAsAWriter();
    assertNothingLeft();
  }

  @FailsOnStock
  @Test
  void aBlockThatIsBeingWrittenIsEvictedWithItsFile() throws IOException, InterruptedException {
    var evicted = new AtomicInteger();
    var engine = cache.spyEngine();
    Mockito.doAnswer(
            call -> {
              evicted.addAndGet(evict());
              return call.callRealMethod();
            })
        .when(engine)
        .write(Mockito.any(ByteBuff.class), Mockito.anyLong());
    cache.put(key(1));
    drainAsAWriter();
    assertThat(evicted).hasValue(1);
    assertNothingLeft();
  }

  @FailsOnStock
  @Test
  void aRangeIsThatOfTheOffsets() throws InterruptedException {
    for (int number = 1; number <= 5; number++) {
      cache.put(key(number));
    }
    cache.put(new BlockCacheKey("other", 3 * 4096));
    assertThat(cache.evictBlocksRangeByHfileName("file", 2 * 4096, 4 * 4096)).isEqualTo(3);
    drainAsAWriter();
    assertThat(cache.getBackingMap())
        .containsOnlyKeys(key(1), key(5), new BlockCacheKey("other", 3 * 4096));
    cache.buffers.assertBack();
  }

  /** Its predecessor's eviction took the key out of the file's list of blocks. */
  @FailsOnStock
  @Test
  void aBlockThatReplacedAnotherIsEvictedWithItsFile() throws InterruptedException {
    for (int version = 0; version < 2; version++) {
      var block = cache.block(1);
      cache.cacheBlockWithWaitInternal(key(1), block, false, false);
      block.release();
      cache.drain();
    }
    assertThat(cache.getBackingMap()).hasSize(1);
    assertThat(evict()).isEqualTo(1);
    assertThat(cache.getBackingMap()).isEmpty();
    assertThat(cache.usedBytes()).isZero();
    cache.buffers.assertBack();
  }

  /** A writer in earnest moves blocks while their file is evicted. */
  @Test
  void noBlockSlipsThroughBetweenQueueAndMap() throws InterruptedException {
    cache.writerThreads[0].start();
    for (int round = 0; round < 100; round++) {
      for (int number = 0; number < 20; number++) {
        cache.put(key(number));
      }
      evict();
      // The one writer takes it last, and leaves its batch with it.
      var marker = new BlockCacheKey("marker" + round, 0);
      cache.put(marker);
      await().pollInterval(Duration.ofMillis(1)).until(() -> cache.ramCache.isEmpty());
      assertThat(cache.getBackingMap().keySet())
          .noneMatch(cached -> cached.getHfileName().equals("file"));
      assertThat(cache.blocksByHFile).noneMatch(cached -> cached.getHfileName().equals("file"));
      cache.evictBlock(marker);
    }
    cache.buffers.assertBackSoon();
  }
}
