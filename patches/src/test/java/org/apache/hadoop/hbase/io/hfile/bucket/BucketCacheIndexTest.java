package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

/** Patch "Bucket cache: an index is written whole": what a server finds when it starts again. */
class BucketCacheIndexTest {
  private static final int BLOCKS = 7;

  @TempDir Path folder;

  private final AtomicBoolean changes = new AtomicBoolean();
  private QuietBucketCache cache;

  @AfterEach
  void shutdown() {
    if (cache != null) {
      cache.shutdown();
    }
  }

  private Path index() {
    return folder.resolve("index");
  }

  private void open(long blocksOfAChunk) throws IOException {
    open("file", QuietBucketCache.CAPACITY, blocksOfAChunk);
  }

  private void open(String engine, long capacity, long blocksOfAChunk) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.setLong(BucketCache.BACKING_MAP_PERSISTENCE_CHUNK_SIZE, blocksOfAChunk);
    // Only the test writes the index.
    conf.setLong(CacheConfig.BUCKETCACHE_PERSIST_INTERVAL_KEY, 1_000_000);
    cache =
        new QuietBucketCache(
            engine + ":" + folder.resolve("cache"), capacity, index().toString(), conf);
  }

  /** The server's start does not get over an exception. */
  private void assertOpens(long blocksOfAChunk) {
    assertThatCode(() -> open(blocksOfAChunk)).doesNotThrowAnyException();
  }

  /** Writes an index while this happens to the map, and starts again with it. */
  private void restartWithIndexWritten(Runnable change, long blocksOfAChunk)
      throws IOException, InterruptedException {
    openWithChange(change, blocksOfAChunk);
    cache.persistToFile();
    assertThat(changes).isFalse();
    var written = Files.copy(index(), folder.resolve("written"));
    cache.shutdown();
    Files.copy(written, index(), StandardCopyOption.REPLACE_EXISTING);
    assertOpens(blocksOfAChunk);
  }

  /** Opens a cache to which this happens at the first entry of the index that is written next. */
  private void openWithChange(Runnable change, long blocksOfAChunk)
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
  }

  private List<String> files() throws IOException {
    try (var files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
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

  /** A full disk, or any other failure; the thread that writes it tries again each second. */
  @FailsOnStock
  @Test
  void anIndexThatIsNotFinishedLeavesNoFile() throws IOException, InterruptedException {
    openWithChange(
        () -> {
          throw new IllegalStateException("says the test");
        },
        1);

    assertThatIllegalStateException().isThrownBy(() -> cache.persistToFile());

    assertThat(files()).containsExactly("cache");
  }

  @FailsOnStock
  @Test
  void anIndexThatCannotTakeItsPlaceIsAnError() throws IOException, InterruptedException {
    open(1);
    cache.fill(BLOCKS);
    Files.createDirectories(index().resolve("folder"));

    assertThatThrownBy(() -> cache.persistToFile()).isInstanceOf(IOException.class);

    assertThat(files()).containsExactly("cache", "index");
  }

  @FailsOnStock
  @Test
  void whatAKilledProcessHasNotFinishedIsDeleted() throws IOException {
    for (var name : new String[] {"index1700000000000", "index-of-1700000000000", "index17"}) {
      Files.createFile(folder.resolve(name));
    }
    open(1);

    assertThat(files()).containsExactly("cache", "index-of-1700000000000", "index17");
  }

  /** A region server closes its regions and deletes its node after that. */
  @FailsOnStock
  @Test
  void shutdownContinuesWhateverFails() throws IOException, InterruptedException {
    openWithChange(
        () -> {
          throw new IllegalStateException("says the test");
        },
        1);

    assertThatCode(() -> cache.shutdown()).doesNotThrowAnyException();

    assertThat(changes).isFalse();
  }

  /** One that went and one that came while the index was written. */
  @FailsOnStock
  @Test
  void aPlaceIsThatOfOneEntry() throws IOException, InterruptedException {
    open(1);
    cache.fill(BLOCKS);
    var entry = cache.getBackingMap().get(QuietBucketCache.key(1));
    var other = new BlockCacheKey("file", 100 * 4096L, true, BlockType.DATA);
    cache.getBackingMap().put(other, entry);
    theFileIsFullyCached();
    cache.shutdown();
    assertOpens(1);

    assertTheFileIsNotFullyCached();
    assertThat(cache.getBackingMap()).hasSize(BLOCKS);
    assertThat(cache.blocksByHFile).hasSize(BLOCKS);
    assertThat(cache.usedBytes()).isEqualTo(BLOCKS * QuietBucketCache.BUCKET);
    assertThat(cache.evictBlocksByHfileName("file")).isEqualTo(BLOCKS);
    assertThat(cache.usedBytes()).isZero();
  }

  @FailsOnStock
  @Test
  void anIndexOfACacheOfAnotherSizeLeavesNothing() throws IOException, InterruptedException {
    open(1);
    cache.fill(BLOCKS);
    cache.shutdown();
    open("file", 2 * QuietBucketCache.CAPACITY, 1);

    assertThat(cache.getBackingMap()).isEmpty();
    assertThat(cache.blocksByHFile).isEmpty();
  }

  private void theFileIsFullyCached() {
    cache.fileCacheCompleted(new org.apache.hadoop.fs.Path("/table/region/family/file"), 7000);
  }

  /** A block that has no place is to be cached again. */
  private void assertTheFileIsNotFullyCached() {
    assertThat(cache.fullyCachedFiles).isEmpty();
    assertThat(cache.getRegionCachedInfo().orElseThrow()).isEmpty();
  }

  /** A key that a restored map has after those of all other blocks. */
  @SuppressWarnings("UnnecessaryAsync") // The order is that of the cache's map.
  private static BlockCacheKey lastKey() {
    for (int number = 100; number < 10_000; number++) {
      var key = new BlockCacheKey("file", number * 4096L, true, BlockType.DATA);
      // Of the size that a cache gives its map.
      int blocks = (int) QuietBucketCache.CAPACITY / 4096;
      var map = new ConcurrentHashMap<BlockCacheKey, Integer>(blocks);
      for (int block = 0; block < BLOCKS; block++) {
        map.put(QuietBucketCache.key(block), block);
      }
      map.put(key, number);
      if (List.copyOf(map.values()).get(BLOCKS) == number) {
        return key;
      }
    }
    throw new IllegalStateException("no such key");
  }

  /** Caches blocks, and adds an entry of one more to the index that the shutdown writes. */
  private void shutdownWithOneMore(long offsetInItsBucket, int length)
      throws IOException, InterruptedException {
    open(1);
    cache.fill(BLOCKS);
    var entry = cache.getBackingMap().values().iterator().next();
    // Four of the largest blocks.
    long bucket = entry.offset() / (8 * QuietBucketCache.BUCKET) * (8 * QuietBucketCache.BUCKET);
    var oneMore =
        new BucketEntry(
            bucket + offsetInItsBucket,
            length,
            entry.getOnDiskSizeWithHeader(),
            1,
            false,
            cache::createRecycler,
            ByteBuffAllocator.HEAP);
    oneMore.setDeserializerReference(entry.deserializerReference());
    cache.getBackingMap().put(lastKey(), oneMore);
    theFileIsFullyCached();
    cache.shutdown();
  }

  /** The bucket was freed and reused for larger blocks while the index was written. */
  @FailsOnStock
  @Test
  void aBucketIsThatOfOneSize() throws IOException, InterruptedException {
    shutdownWithOneMore(0, QuietBucketCache.BUCKET + 1);
    assertOpens(1);

    assertThat(cache.getBackingMap()).hasSize(BLOCKS).doesNotContainKey(lastKey());
    assertThat(cache.blocksByHFile).hasSize(BLOCKS);
    assertThat(cache.getBlockCount()).isEqualTo(BLOCKS);
    assertThat(cache.usedBytes()).isEqualTo(BLOCKS * QuietBucketCache.BUCKET);
    assertTheFileIsNotFullyCached();
    assertThat(cache.evictBlocksByHfileName("file")).isEqualTo(BLOCKS);
    assertThat(cache.usedBytes()).isZero();
    assertThat(cache.size()).isZero();
  }

  /** A place where no block can begin: the bytes of the blocks before it were counted. */
  @FailsOnStock
  @Test
  void anIndexThatIsRefusedInTheMiddleCountsNoBytes() throws IOException, InterruptedException {
    shutdownWithOneMore(256, QuietBucketCache.BUCKET);
    assertOpens(1);

    assertThat(cache.getBackingMap()).isEmpty();
    assertThat(cache.size()).isZero();
    assertThat(cache.usedBytes()).isZero();
  }

  /** How often an index is written that at first is due, and whose first write does this. */
  private static int writes(Runnable firstWrite) throws IOException {
    var due = new AtomicBoolean(true);
    var looks = new AtomicInteger();
    var writes = new AtomicInteger();
    var changing = Mockito.mock(BucketCache.class);
    var persister = new BucketCachePersister(changing, 1);
    Mockito.when(changing.isCacheInconsistent())
        .thenAnswer(
            call -> {
              if (looks.incrementAndGet() == 4) {
                persister.shutdown();
              }
              return due.get();
            });
    Mockito.doAnswer(
            call -> {
              due.set(call.<Boolean>getArgument(0));
              return null;
            })
        .when(changing)
        .setCacheInconsistent(Mockito.anyBoolean());
    Mockito.doAnswer(
            call -> {
              if (writes.incrementAndGet() == 1) {
                // What a block that is cached or evicted meanwhile does.
                due.set(true);
                firstWrite.run();
              }
              return null;
            })
        .when(changing)
        .persistToFile();
    Runnable work = persister;
    work.run();
    return writes.get();
  }

  @FailsOnStock
  @Test
  void whatChangesWhileAnIndexIsWrittenIsWrittenNext() throws IOException {
    assertThat(writes(() -> {})).isEqualTo(2);
  }

  @Test
  void anIndexThatCouldNotBeWrittenIsWrittenNext() throws IOException {
    assertThat(
            writes(
                () -> {
                  throw new IllegalStateException("says the test");
                }))
        .isEqualTo(2);
  }

  /** The index is that of the last orderly end; other blocks have taken nearly all places since. */
  @Test
  void noBlockIsServedAsAnotherAfterAKill() throws IOException, InterruptedException {
    assertNoBlockIsServedAsAnotherAfterAKill("file");
  }

  /**
   * Published HBase trusts the index unless the file's time has changed, and when that of a mapped
   * file changes is up to the kernel: there it fails by chance.
   */
  @Test
  void noBlockIsServedAsAnotherAfterAKillWithMmap() throws IOException, InterruptedException {
    assertNoBlockIsServedAsAnotherAfterAKill("mmap");
  }

  private void assertNoBlockIsServedAsAnotherAfterAKill(String engine)
      throws IOException, InterruptedException {
    long capacity = 128 * QuietBucketCache.BUCKET;
    open(engine, capacity, 1);
    cache.fill(BLOCKS);
    cache.shutdown();
    var written = Files.copy(index(), folder.resolve("written"));
    open(engine, capacity, 1);
    cache.evictBlocksByHfileName("file");
    cache.fill(BLOCKS, BLOCKS + 115);
    cache.shutdown();
    Files.copy(written, index(), StandardCopyOption.REPLACE_EXISTING);
    open(engine, capacity, 1);

    for (int number = 0; number < BLOCKS; number++) {
      var block = cache.read(QuietBucketCache.key(number));
      if (block != null) {
        assertThat(QuietBucketCache.isBlock(number, block)).as("block %s", number).isTrue();
        block.release();
      }
    }
  }
}
