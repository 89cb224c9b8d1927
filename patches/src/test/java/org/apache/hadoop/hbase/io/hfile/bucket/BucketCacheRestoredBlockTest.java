package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Patch "Bucket cache: a restored block is what was cached". */
class BucketCacheRestoredBlockTest {
  private static final int BLOCKS = 7;

  /** Of a block, and of the stamp before it. */
  private static final int LENGTH =
      Long.BYTES
          + HConstants.HFILEBLOCK_HEADER_SIZE
          + QuietBucketCache.SIZE
          + HFileBlock.BLOCK_METADATA_SPACE;

  @TempDir Path folder;

  private QuietBucketCache cache;

  @AfterEach
  void shutdown() {
    if (cache != null) {
      cache.shutdown();
    }
  }

  private Path file() {
    return folder.resolve("cache");
  }

  private void open() throws IOException {
    Configuration conf = HBaseConfiguration.create();
    // Only the test writes the index.
    conf.setLong(CacheConfig.BUCKETCACHE_PERSIST_INTERVAL_KEY, 1_000_000);
    cache = new QuietBucketCache("file:" + file(), folder.resolve("index").toString(), conf);
  }

  private void restart() throws IOException {
    cache.shutdown();
    open();
  }

  private BucketEntry entry(int number) {
    return cache.getBackingMap().get(QuietBucketCache.key(number));
  }

  /** Whether the cache has a block. */
  private boolean isServed(int number) {
    var block = cache.read(QuietBucketCache.key(number));
    if (block == null) {
      return false;
    }
    assertThat(QuietBucketCache.isBlock(number, block)).as("block %s", number).isTrue();
    block.release();
    return true;
  }

  private void change(long position) throws IOException {
    try (var channel =
        FileChannel.open(file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 1)).rewind();
      channel.write(one, position);
    }
  }

  @Test
  void restoredBlocksAreServedAgainAndAgain() throws IOException, InterruptedException {
    open();
    cache.fill(BLOCKS);
    for (int restart = 0; restart < 3; restart++) {
      restart();
      for (int read = 0; read < 2; read++) {
        for (int number = 0; number < BLOCKS; number++) {
          assertThat(isServed(number)).as("block %s", number).isTrue();
        }
      }
    }
    cache.buffers.assertBack();
  }

  /** Each byte of a block's place, from its stamp to its metadata. */
  @FailsOnStock
  @Test
  void noChangedByteIsServed() throws IOException, InterruptedException {
    open();
    for (int position = 0; position < LENGTH; position++) {
      int number = position % 50;
      if (number == 0) {
        cache.evictBlocksByHfileName("file");
        cache.fill(50);
        restart();
      }
      assertThat(entry(number).getLength()).isEqualTo(LENGTH);
      change(entry(number).offset() + position);
      var block = cache.read(QuietBucketCache.key(number));
      assertThat(block).as("byte %s", position).isNull();
      assertThat(entry(number)).isNull();
    }
    cache.buffers.assertBack();
  }

  /**
   * A killed process: the index is older than the file, in which the bucket was reused for blocks
   * of another size, so that one begins in the middle of a former one and leaves the stamp of that.
   */
  @FailsOnStock
  @Test
  void aBlockThatIsOverwrittenInPartIsNotServed() throws IOException, InterruptedException {
    open();
    cache.fill(BLOCKS);
    cache.persistToFile();
    var written = Files.copy(folder.resolve("index"), folder.resolve("written"));
    var middles = new long[BLOCKS];
    for (int number = 0; number < BLOCKS; number++) {
      middles[number] = entry(number).offset() + LENGTH / 2;
    }
    cache.shutdown();
    for (int number = 0; number < BLOCKS; number += 2) {
      try (var channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9}), middles[number]);
      }
    }
    Files.copy(written, folder.resolve("index"), StandardCopyOption.REPLACE_EXISTING);
    open();
    for (int number = 0; number < BLOCKS; number++) {
      assertThat(isServed(number)).as("block %s", number).isEqualTo(number % 2 != 0);
    }
    cache.buffers.assertBack();
  }

  /** A block that this process has written is its own: its bytes are not read twice. */
  @Test
  void onlyTheFirstReadOfARestoredBlockCompares() throws IOException, InterruptedException {
    open();
    cache.fill(BLOCKS);
    restart();
    assertThat(isServed(0)).isTrue();
    change(entry(0).offset() + LENGTH - 1);
    assertThat(isServed(0)).isTrue();
  }

  /** However the bytes lie in buffers when they are cached, and when they are read. */
  @Test
  void aStampIsThatOfTheBytes() {
    var random = new Random(1);
    var bytes = new byte[301];
    random.nextBytes(bytes);
    var metadata = ByteBuffer.wrap(bytes, 288, 13).slice();
    long now = System.nanoTime();
    long stamp =
        BlockStamp.of(now, ByteBuff.wrap(ByteBuffer.wrap(bytes, 0, 288).slice()), metadata);
    for (int run = 0; run < 200; run++) {
      int first = 1 + random.nextInt(280);
      int second = first + 1 + random.nextInt(287 - first);
      var block =
          ByteBuff.wrap(
              new ByteBuffer[] {
                direct(bytes, 0, first, 0),
                direct(bytes, first, second - first, 0),
                // Longer than what is used of it.
                direct(bytes, second, 288 - second, random.nextInt(20))
              });
      block.limit(288);
      assertThat(BlockStamp.of(now, block, metadata)).isEqualTo(stamp);
      assertThat(block.position()).isZero();
      assertThat(block.limit()).isEqualTo(288);
      assertThat(
              BlockStamp.matches(
                  stamp,
                  ByteBuff.wrap(
                      new ByteBuffer[] {
                        direct(bytes, 0, second, 0), direct(bytes, second, 301 - second, 0)
                      })))
          .isTrue();
    }
  }

  private static ByteBuffer direct(byte[] bytes, int from, int length, int more) {
    return ByteBuffer.allocateDirect(length + more).put(bytes, from, length).rewind();
  }

  @Test
  void aStampIsATimeOfThePast() {
    var block = ByteBuff.wrap(ByteBuffer.allocate(10));
    for (long now : new long[] {0, 1, 4_000_000_000L, 9_000_000_000L, 1L << 40, 1L << 62}) {
      for (int content = 0; content < 100; content++) {
        block.put(0, (byte) content);
        long stamp = BlockStamp.of(now, block, ByteBuffer.allocate(0));
        assertThat(stamp).isNotNegative().isGreaterThan(now - 9_000_000_000L);
        if (now >= 9_000_000_000L) {
          assertThat(stamp).isLessThan(now);
        }
      }
    }
  }
}
