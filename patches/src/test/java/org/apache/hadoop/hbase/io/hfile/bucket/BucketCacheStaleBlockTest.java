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
import java.util.Arrays;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.ByteBufferArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

/** Patch "Bucket cache: one bad block takes no other along": blocks that are not what they were. */
class BucketCacheStaleBlockTest {
  @TempDir Path folder;

  private QuietBucketCache cache;

  @AfterEach
  void shutdown() {
    if (cache != null) {
      cache.shutdown();
    }
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
  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap"})
  void aReadThatEndsInAnErrorGivesItsBufferBack(String engine)
      throws IOException, InterruptedException {
    cache = new QuietBucketCache(engine + ":" + folder.resolve("cache"), null);
    cache.fill(3);
    var entry = Mockito.spy(cache.getBackingMap().get(key(1)));
    Mockito.doThrow(new OutOfMemoryError("says the test"))
        .when(entry)
        .wrapAsCacheable(Mockito.any(ByteBuff.class));
    assertThatThrownBy(() -> cache.ioEngine.read(entry)).isInstanceOf(OutOfMemoryError.class);
    cache.buffers.assertBack();
  }

  /** After the engine's part, such as in the counting of the hit. */
  @FailsOnStock
  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap", "offheap"})
  void aBlockThatIsReadBeforeAnErrorIsGivenBack(String engine)
      throws IOException, InterruptedException {
    cache =
        new QuietBucketCache(
            engine.equals("offheap") ? engine : engine + ":" + folder.resolve("cache"), null);
    cache.fill(3);
    var failing =
        new BlockCacheKey("file", 4096) {
          @Override
          public boolean isPrimary() {
            throw new OutOfMemoryError("says the test");
          }
        };
    assertThatThrownBy(() -> cache.getBlock(failing, true, false, true))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(cache.getRpcRefCount(key(1))).isZero();
    cache.buffers.assertBack();
    assertThat(cache.evictBlock(key(1))).isTrue();
    assertThat(cache.usedBytes()).isEqualTo(2 * BUCKET);
  }

  /** A bad sector or a full volume is an InternalError there. */
  private ByteBufferArray mappedFileThatFaults() throws IOException, InterruptedException {
    cache = new QuietBucketCache("mmap:" + folder.resolve("cache"), null);
    cache.fill(3);
    var engine = (FileMmapIOEngine) cache.ioEngine;
    engine.bufferArray = Mockito.spy(engine.bufferArray);
    return engine.bufferArray;
  }

  @FailsOnStock
  @Test
  void aMappedFileThatCannotBeReadTurnsTheCacheOff() throws IOException, InterruptedException {
    var file = mappedFileThatFaults();
    Mockito.doThrow(new InternalError("says the test"))
        .when(file)
        .read(Mockito.anyLong(), Mockito.any());
    for (int error = 1; error <= 2; error++) {
      assertThat(cache.isCacheEnabled()).isTrue();
      try {
        assertThat(cache.read(key(error))).isNull();
      } catch (InternalError e) {
        // The request fails.
      }
      cache.buffers.assertBack();
    }
    assertThat(cache.isCacheEnabled()).isFalse();
  }

  @FailsOnStock
  @Test
  void aMappedFileThatCannotBeWrittenTurnsTheCacheOff() throws IOException, InterruptedException {
    var file = mappedFileThatFaults();
    Mockito.doThrow(new InternalError("says the test"))
        .when(file)
        .write(Mockito.anyLong(), Mockito.any());
    cache.put(key(4));
    cache.put(key(5));
    try {
      cache.drain();
    } catch (InternalError e) {
      // It ends the writer thread.
    }
    assertThat(cache.isCacheEnabled()).isFalse();
    assertThat(cache.ramCache.isEmpty()).isTrue();
    cache.buffers.assertBack();
  }

  /** The JVM may throw the Error late: the block before may have it. */
  @FailsOnStock
  @Test
  void whatWasWrittenToAMappedFileBeforeAFaultIsNotServed()
      throws IOException, InterruptedException {
    var file = mappedFileThatFaults();
    // A block and its metadata, each with one.
    Mockito.doCallRealMethod()
        .doCallRealMethod()
        .doThrow(new InternalError("says the test"))
        .doCallRealMethod()
        .when(file)
        .write(Mockito.anyLong(), Mockito.any());
    cache.put(key(4));
    cache.put(key(5));
    cache.put(key(6));
    try {
      cache.drain();
    } catch (InternalError e) {
      // As above.
    }
    assertThat(cache.getBackingMap()).containsOnlyKeys(key(0), key(1), key(2), key(5), key(6));
    assertThat(cache.usedBytes()).isEqualTo(5 * BUCKET);
    cache.buffers.assertBack();
  }

  /** A reader that is interrupted closes the file. */
  @FailsOnStock
  @Test
  void aBlockAcrossTwoFilesIsWholeAfterOneWasOpenedAgain() throws IOException {
    int ofTheFirst = 1536;
    var files = new Path[] {folder.resolve("first"), folder.resolve("second")};
    var engine = new FileIOEngine(2 << 20, false, files[0].toString(), files[1].toString());
    var block = new byte[BUCKET];
    Arrays.fill(block, (byte) 7);
    engine.getFileChannels()[0].close();
    engine.write(ByteBuffer.wrap(block), (1 << 20) - ofTheFirst);
    engine.shutdown();
    var first = Files.readAllBytes(files[0]);
    var second = Files.readAllBytes(files[1]);
    assertThat(Arrays.copyOfRange(first, first.length - ofTheFirst, first.length))
        .containsOnly((byte) 7);
    assertThat(Arrays.copyOf(second, BUCKET - ofTheFirst)).containsOnly((byte) 7);
    assertThat(second[BUCKET - ofTheFirst]).isZero();
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
