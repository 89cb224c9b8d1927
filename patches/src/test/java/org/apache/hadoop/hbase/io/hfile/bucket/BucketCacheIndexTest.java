package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patch "Bucket cache: an index is written whole": what a server finds when it starts again. */
class BucketCacheIndexTest {
  private static final int BLOCKS = 7;

  @TempDir Path folder;

  private final AtomicBoolean changes = new AtomicBoolean();
  private QuietBucketCache cache;

  @AfterEach
  void shutdown() {
    cache.shutdown();
  }

  private Path index() {
    return folder.resolve("index");
  }

  private void open(long blocksOfAChunk) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.setLong(BucketCache.BACKING_MAP_PERSISTENCE_CHUNK_SIZE, blocksOfAChunk);
    // Only the test writes the index.
    conf.setLong(CacheConfig.BUCKETCACHE_PERSIST_INTERVAL_KEY, 1_000_000);
    cache = new QuietBucketCache("file:" + folder.resolve("cache"), index().toString(), conf);
  }

  /** The server's start does not get over an exception. */
  private void assertOpens(long blocksOfAChunk) {
    assertThatCode(() -> open(blocksOfAChunk)).doesNotThrowAnyException();
  }

  /** Writes an index while this happens to the map, and starts again with it. */
  private void restartWithIndexWritten(Runnable change, long blocksOfAChunk)
      throws IOException, InterruptedException {
    open(blocksOfAChunk);
    for (int number = 0; number < BLOCKS; number++) {
      cache.put(
          new BlockCacheKey("file", number * 4096L) {
            @Override
            public BlockType getBlockType() {
              if (changes.getAndSet(false)) {
                change.run();
              }
              return super.getBlockType();
            }
          });
    }
    cache.drain();
    changes.set(true);
    cache.persistToFile();
    assertThat(changes).isFalse();
    var written = Files.copy(index(), folder.resolve("written"));
    cache.shutdown();
    Files.copy(written, index(), StandardCopyOption.REPLACE_EXISTING);
    assertOpens(blocksOfAChunk);
  }

  @FailsOnStock
  @Test
  void anEmptyCacheStartsAgain() throws IOException {
    open(100);
    cache.shutdown();

    assertOpens(100);

    assertThat(cache.getBackingMap()).isEmpty();
  }

  @FailsOnStock
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 100})
  void entriesMayGoWhileTheIndexIsWritten(long blocksOfAChunk)
      throws IOException, InterruptedException {
    restartWithIndexWritten(() -> cache.backingMap.clear(), blocksOfAChunk);

    // Those of the first bin have been reached already.
    assertThat(cache.getBackingMap()).isNotEmpty().hasSizeLessThan(BLOCKS);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 100})
  void entriesMayComeWhileTheIndexIsWritten(long blocksOfAChunk)
      throws IOException, InterruptedException {
    restartWithIndexWritten(
        () -> {
          for (int number = 100; number < 200; number++) {
            cache.put(QuietBucketCache.key(number));
          }
          try {
            cache.drain();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        },
        blocksOfAChunk);

    assertThat(cache.getBackingMap()).hasSizeGreaterThanOrEqualTo(BLOCKS);
  }

  @FailsOnStock
  @ParameterizedTest
  @ValueSource(longs = {2, 100})
  void anIndexThatIsCutShortIsLeftOut(long blocksOfAChunk)
      throws IOException, InterruptedException {
    open(blocksOfAChunk);
    cache.fill(BLOCKS);
    cache.shutdown();
    var whole = Files.readAllBytes(index());

    for (int length : new int[] {0, 3, 4, 12, 19, 20, 21, whole.length / 2, whole.length - 1}) {
      Files.write(index(), Arrays.copyOf(whole, length));
      assertOpens(blocksOfAChunk);
      assertThat(cache.getBackingMap()).as("of %d bytes", length).isEmpty();
      cache.shutdown();
    }
    Files.write(index(), whole);
    assertOpens(blocksOfAChunk);
    assertThat(cache.getBackingMap()).hasSize(BLOCKS);
  }
}
