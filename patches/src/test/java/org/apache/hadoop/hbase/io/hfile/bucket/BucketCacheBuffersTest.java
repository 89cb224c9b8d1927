package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.offheap.hbase.patches.ExactAllocator;
import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

/**
 * Patches "Bucket cache: turned off at once, no buffer lost", of which {@link
 * BucketCacheTurnedOffTest} has more, and "Bucket cache: one bad block takes no other along". Races
 * are played step by step: what another thread would do at a point happens in a callback there.
 */
class BucketCacheBuffersTest {
  private static final int SIZE = 1000;

  @TempDir Path folder;

  private final ExactAllocator allocator = ExactAllocator.create(1000, 2048);
  private BucketCache cache;

  @AfterEach
  void shutdown() {
    cache.shutdown();
  }

  /** A cache without writers: blocks stay queued until {@link #drain}. */
  private BucketCache quiet(String engine) throws IOException {
    cache =
        new BucketCache(engine, 8 << 20, 4096, new int[] {2048, 4096}, 1, 64, null) {
          @Override
          protected void startWriterThreads() {}
        };
    return cache;
  }

  private void drain() throws InterruptedException {
    List<BucketCache.RAMQueueEntry> entries = new ArrayList<>();
    cache.writerQueues.get(0).drainTo(entries);
    cache.doDrain(entries, ByteBuffer.allocate(HFileBlock.BLOCK_METADATA_SPACE));
  }

  private static BlockCacheKey key(int number) {
    return new BlockCacheKey("file", number * 4096L);
  }

  private HFileBlock block(int number) {
    var buffer = allocator.allocate(HConstants.HFILEBLOCK_HEADER_SIZE + SIZE);
    return QuietBucketCache.block(number, buffer, allocator);
  }

  private void cacheAndLetGo(int number) {
    var block = block(number);
    cache.cacheBlock(key(number), block);
    block.release();
  }

  private void set(String field, Object value) throws ReflectiveOperationException {
    Field declared = BucketCache.class.getDeclaredField(field);
    declared.setAccessible(true);
    declared.set(cache, value);
  }

  @FailsOnStock
  @Test
  void aBlockThatComesWhileTheCacheIsShutDownIsGivenBack() throws IOException {
    quiet("offheap");
    var block = Mockito.spy(block(1));
    // Called after the cache has been found enabled and before the block is queued.
    Mockito.doAnswer(
            call -> {
              cache.shutdown();
              return BlockType.DATA;
            })
        .when(block)
        .getBlockType();
    cache.cacheBlock(new BlockCacheKey("file", 1, true, null), block);
    block.release();
    assertThat(cache.isCacheEnabled()).isFalse();
    assertThat(cache.ramCache.isEmpty()).isTrue();
    allocator.assertBack();
  }

  /** The other thread's part happens while the map looks up the entry that is to be removed. */
  private static final class HookedKey extends BlockCacheKey {
    private static final long serialVersionUID = 1L;
    private transient Runnable hook;

    private HookedKey() {
      super("file", 1);
    }

    @Override
    public int hashCode() {
      var now = hook;
      hook = null;
      if (now != null) {
        now.run();
      }
      return super.hashCode();
    }

    @Override
    public boolean equals(Object other) {
      return super.equals(other);
    }
  }

  @FailsOnStock
  @Test
  void shutdownDoesNotReleaseWhatAWriterHasReleasedMeanwhile() throws IOException {
    quiet("offheap");
    var key = new HookedKey();
    var block = block(1);
    cache.cacheBlock(key, block);
    assertThat(block.refCnt()).isEqualTo(2);
    key.hook = () -> cache.ramCache.remove(key);
    cache.shutdown();
    assertThat(block.refCnt()).isEqualTo(1);
    block.release();
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void aBlockThatIsEvictedBeforeItsTurnTakesNoOtherAlong()
      throws IOException, InterruptedException {
    quiet("offheap");
    for (int number = 0; number < 10; number++) {
      cacheAndLetGo(number);
    }
    assertThat(cache.evictBlock(key(0))).isTrue();
    assertThat(cache.evictBlock(key(5))).isTrue();
    try {
      drain();
    } catch (RuntimeException e) {
      // The writer thread logs it and continues with the next batch.
    }
    assertThat(cache.ramCache.isEmpty()).isTrue();
    assertThat(cache.getBackingMap()).hasSize(8);
    allocator.assertBack();
  }

  @FailsOnStock
  @ParameterizedTest
  @ValueSource(classes = {IllegalArgumentException.class, OutOfMemoryError.class})
  void aBlockThatCannotBeWrittenTakesNoOtherAlong(Class<? extends Throwable> failure)
      throws IOException, InterruptedException, ReflectiveOperationException {
    quiet("offheap");
    var engine = Mockito.spy(cache.ioEngine);
    Mockito.doCallRealMethod()
        .doThrow(failure)
        .doCallRealMethod()
        .when(engine)
        .write(Mockito.any(ByteBuffer.class), Mockito.anyLong());
    set("ioEngine", engine);
    for (int number = 0; number < 10; number++) {
      cacheAndLetGo(number);
    }
    try {
      drain();
    } catch (RuntimeException | OutOfMemoryError e) {
      // In published HBase the writer thread logs an exception, and an Error ends it.
    }
    assertThat(cache.ramCache.isEmpty()).isTrue();
    assertThat(cache.getBackingMap()).hasSize(9).doesNotContainKey(key(1));
    assertThat(cache.getAllocator().getUsedSize()).isEqualTo(9 * 2048);
    assertThat(cache.getBlockCount()).isEqualTo(9);
    allocator.assertBack();
  }

  /** A cache that tries again, for twice as long. */
  private void toleratesErrors(long capacity, int millis) throws IOException {
    cache =
        new BucketCache(
            "offheap",
            capacity,
            4096,
            new int[] {2048, 4096},
            1,
            64,
            null,
            millis,
            HBaseConfiguration.create()) {
          @Override
          protected void startWriterThreads() {}
        };
  }

  /** Two buckets, of eight and of four places. */
  @Test
  void noBlockIsEvictedForPlacesThatFailed()
      throws IOException, InterruptedException, ReflectiveOperationException {
    toleratesErrors(8 * 4096, 10_000);
    cacheAndLetGo(1);
    drain();
    var failures = new AtomicInteger();
    var engine = Mockito.spy(cache.ioEngine);
    Mockito.doAnswer(
            call -> {
              if (failures.incrementAndGet() <= 12) {
                throw new IOException("says the test");
              }
              return call.callRealMethod();
            })
        .when(engine)
        .write(Mockito.any(ByteBuff.class), Mockito.anyLong());
    set("ioEngine", engine);
    cacheAndLetGo(2);
    assertTimeoutPreemptively(Duration.ofSeconds(30), () -> drain());
    assertThat(cache.getBackingMap()).containsOnlyKeys(key(1), key(2));
    assertThat(cache.getAllocator().getUsedSize()).isEqualTo(2 * 2048);
    allocator.assertBack();
  }

  /** The place that was freed last is the first that is taken. */
  @FailsOnStock
  @Test
  void aFailedWriteIsTriedAgainInAnotherPlace()
      throws IOException, InterruptedException, ReflectiveOperationException {
    toleratesErrors(8 << 20, 1);
    var bad = new AtomicLong(-1);
    var writes = new AtomicInteger();
    var engine = Mockito.spy(cache.ioEngine);
    Mockito.doAnswer(
            call -> {
              long offset = call.getArgument(1);
              bad.compareAndSet(-1, offset);
              if (writes.incrementAndGet() > 50) {
                throw new IllegalStateException("tried for ever");
              }
              if (offset == bad.get()) {
                set("ioErrorStartTime", -1L);
                throw new IOException("says the test");
              }
              return call.callRealMethod();
            })
        .when(engine)
        .write(Mockito.any(ByteBuff.class), Mockito.anyLong());
    set("ioEngine", engine);
    for (int batch = 1; batch <= 2; batch++) {
      for (int number = 3 * batch; number < 3 * batch + 3; number++) {
        cacheAndLetGo(number);
      }
      try {
        drain();
      } catch (IllegalStateException e) {
        // Published HBase tries for ever.
      }
      assertThat(cache.getBackingMap()).hasSize(3 * batch);
      assertThat(cache.getAllocator().getUsedSize()).isEqualTo(3L * batch * 2048);
      // One try of each batch at the bad place.
      assertThat(writes.get()).isEqualTo(4 * batch);
    }
    assertThat(cache.getRealCacheSize())
        .isEqualTo(cache.getBackingMap().values().stream().mapToLong(BucketEntry::getLength).sum());
    allocator.assertBack();
  }

  /** A successful read of another block, as here at each failure, is no reason to try for ever. */
  @FailsOnStock
  @Test
  void aPlaceThatCannotBeWrittenKeepsNoBlockQueued()
      throws IOException, InterruptedException, ReflectiveOperationException {
    toleratesErrors(8 << 20, 1);
    var failures = new AtomicInteger();
    var engine = Mockito.spy(cache.ioEngine);
    Mockito.doAnswer(
            call -> {
              set("ioErrorStartTime", -1L);
              if (failures.incrementAndGet() > 50) {
                throw new IllegalStateException("tried for ever");
              }
              throw new IOException("says the test");
            })
        .when(engine)
        .write(Mockito.any(ByteBuff.class), Mockito.anyLong());
    set("ioEngine", engine);
    for (int number = 0; number < 3; number++) {
      cacheAndLetGo(number);
    }
    try {
      drain();
    } catch (IllegalStateException e) {
      // Published HBase tries for ever.
    }
    // The first block twice or more, each other one once.
    assertThat(failures.get()).isBetween(4, 50);
    assertThat(cache.isCacheEnabled()).isTrue();
    assertThat(cache.ramCache.isEmpty()).isTrue();
    assertThat(cache.getBlockCount()).isZero();
    assertThat(cache.getAllocator().getUsedSize()).isZero();
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void aBlockThatReplacesAnotherCountsOnce() throws IOException, InterruptedException {
    quiet("offheap");
    cacheAndLetGo(1);
    drain();
    var block = block(1);
    cache.cacheBlockWithWaitInternal(key(1), block, false, false);
    block.release();
    drain();
    assertThat(cache.getBackingMap()).hasSize(1);
    assertThat(cache.getBlockCount()).isOne();
    assertThat(cache.evictBlock(key(1))).isTrue();
    assertThat(cache.getBlockCount()).isZero();
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void aBlockIsHeldWhileItIsWritten()
      throws IOException, InterruptedException, ReflectiveOperationException {
    quiet("offheap");
    var engine = Mockito.spy(cache.ioEngine);
    var out = new ArrayList<Integer>();
    Mockito.doAnswer(
            call -> {
              cache.evictBlock(key(1));
              out.add(allocator.getOut());
              return call.callRealMethod();
            })
        .when(engine)
        .write(Mockito.any(ByteBuff.class), Mockito.anyLong());
    set("ioEngine", engine);
    cacheAndLetGo(1);
    try {
      drain();
    } catch (RuntimeException e) {
      // As above.
    }
    assertThat(out).containsExactly(1);
    assertThat(cache.getBackingMap()).isEmpty();
    assertThat(cache.getAllocator().getUsedSize()).isZero();
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void whatCouldNotBeSyncedIsNotCounted()
      throws IOException, InterruptedException, ReflectiveOperationException {
    quiet("offheap");
    var engine = Mockito.spy(cache.ioEngine);
    Mockito.doThrow(new IOException("says the test")).when(engine).sync();
    set("ioEngine", engine);
    cacheAndLetGo(1);
    drain();
    assertThat(cache.getBackingMap()).isEmpty();
    assertThat(cache.getAllocator().getUsedSize()).isZero();
    assertThat(cache.getRealCacheSize()).isZero();
    assertThat(cache.getBlockCount()).isZero();
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void aWriterThatIsInterruptedLeavesNothingQueued()
      throws IOException, InterruptedException, ReflectiveOperationException {
    quiet("offheap");
    var held = new ArrayList<Long>();
    try {
      while (true) {
        held.add(cache.getAllocator().allocateBlock(2048));
      }
    } catch (CacheFullException | BucketAllocatorException e) {
      assertThat(held).isNotEmpty();
    }
    set("freeInProgress", true);
    cacheAndLetGo(1);
    Thread.currentThread().interrupt();
    try {
      drain();
    } catch (InterruptedException e) {
      // As above.
    } finally {
      Thread.interrupted();
    }
    assertThat(cache.ramCache.isEmpty()).isTrue();
    allocator.assertBack();
  }

  @FailsOnStock
  @Test
  void aBlockThatTheFileHoldsBrokenIsGivenBack() throws IOException, InterruptedException {
    for (String engine : new String[] {"file:", "mmap:"}) {
      var file = folder.resolve("cache");
      quiet(engine + file);
      cacheAndLetGo(1);
      drain();
      Cacheable whole = cache.getBlock(key(1), true, false, false);
      assertThat(whole).isNotNull();
      whole.release();
      try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(8 << 20));
      }
      assertThat(cache.getBlock(key(1), true, false, false)).isNull();
      allocator.assertBack();
      cache.shutdown();
      Files.delete(file);
    }
  }

  /** The same with threads in earnest, each round shut down after more blocks than the last. */
  @Test
  void shutdownWhileManyPut() throws IOException, InterruptedException {
    for (int round = 0; round < 20; round++) {
      cache = new BucketCache("offheap", 8 << 20, 4096, new int[] {2048, 4096}, 3, 64, null);
      var blocksBeforeShutdown = new CountDownLatch(round * 100);
      List<Thread> putters = new ArrayList<>();
      for (int putter = 0; putter < 4; putter++) {
        int first = putter * 1000;
        var thread =
            new Thread(
                () -> {
                  for (int number = first; number < first + 1000; number++) {
                    cacheAndLetGo(number);
                    blocksBeforeShutdown.countDown();
                    Cacheable read = cache.getBlock(key(number), true, false, false);
                    if (read != null) {
                      read.release();
                    }
                  }
                });
        thread.start();
        putters.add(thread);
      }
      assertThat(blocksBeforeShutdown.await(1, TimeUnit.MINUTES)).isTrue();
      cache.shutdown();
      for (var thread : putters) {
        thread.join();
      }
      allocator.assertBackSoon();
      // A writer that was late leaves nothing here either.
      await().until(() -> cache.getBackingMap().isEmpty());
    }
  }
}
