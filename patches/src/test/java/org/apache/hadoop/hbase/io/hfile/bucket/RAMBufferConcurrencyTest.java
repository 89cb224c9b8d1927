package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.key;
import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.on;
import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.version;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers, evictions, blocks cached anew with other content, copies that age within milliseconds,
 * and a thread that poisons whatever memory of the buffer is free: no reader may ever see another
 * block's content, poison, or a version that was evicted before it asked.
 */
class RAMBufferConcurrencyTest {
  private static final int BLOCKS = 120;
  private static final int LONGS = 1000;
  private static final int READERS = 4;
  private static final int MUTATORS = 2;
  private static final long SECONDS = 4;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap"})
  void noReaderSeesWhatIsNotItsBlock(String engine) throws Exception {
    try (var cache =
        new RAMBufferFixture(
            on(1, 20), engine, folder, 4 << 20, 8192, new int[] {8192 + 256, 16384}, 64)) {
      for (int id = 0; id < BLOCKS; id++) {
        cache.put(id, 1, LONGS, -1);
      }
      var oldest = new AtomicIntegerArray(BLOCKS);
      var evicted = new LongAdder();
      var poisoned = new LongAdder();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        int seed = reader;
        tasks.add(() -> read(cache, oldest, seed, end));
      }
      for (int mutator = 0; mutator < MUTATORS; mutator++) {
        int share = mutator;
        tasks.add(() -> evictAndCacheAnew(cache, oldest, share, end, evicted));
      }
      tasks.add(() -> poison(cache, end, poisoned));

      var threads = Executors.newFixedThreadPool(tasks.size());
      try {
        for (Future<Void> task : threads.invokeAll(tasks)) {
          task.get();
        }
      } finally {
        threads.shutdownNow();
      }

      var buffer = cache.cache.getRAMBuffer();
      // Otherwise nothing was tried.
      assertThat(evicted.sum()).isGreaterThan(50);
      assertThat(poisoned.sum()).isGreaterThan(50);
      assertThat(buffer.getHitCount()).isGreaterThan(1000);
      assertThat(buffer.getAdmittedCount()).isGreaterThan(100);
      assertThat(buffer.getExpiredCount()).isPositive();
      for (int id = 0; id < BLOCKS; id++) {
        cache.cache.evictBlock(key(id));
      }
      assertThat(buffer.getBlockCount()).isZero();
      assertThat(buffer.getUsedBytes()).isZero();
      assertThat(cache.pool.getBuffersInUse()).isZero();
    }
  }

  /** Holds a few blocks at a time, as a scan does, and looks at them once more before release. */
  private static Void read(RAMBufferFixture cache, AtomicIntegerArray oldest, int seed, long end) {
    var random = new SplittableRandom(seed);
    var held = new HFileBlock[4];
    var heldId = new int[held.length];
    var heldVersion = new int[held.length];
    for (int turn = 0; System.nanoTime() < end; turn = (turn + 1) % held.length) {
      if (held[turn] != null) {
        assertThat(version(held[turn], heldId[turn])).isEqualTo(heldVersion[turn]);
        held[turn].release();
      }
      // Half of the reads go to a few blocks, the rest to all: some are hot, some age.
      int id = random.nextInt(random.nextBoolean() ? BLOCKS / 8 : BLOCKS);
      int atLeast = oldest.get(id);
      held[turn] = cache.read(id);
      if (held[turn] != null) {
        heldId[turn] = id;
        heldVersion[turn] = version(held[turn], id);
        assertThat(heldVersion[turn]).isGreaterThanOrEqualTo(atLeast);
      }
    }
    for (var block : held) {
      if (block != null) {
        block.release();
      }
    }
    return null;
  }

  private static Void evictAndCacheAnew(
      RAMBufferFixture cache, AtomicIntegerArray oldest, int share, long end, LongAdder evicted) {
    var random = new SplittableRandom(100 + share);
    var versions = new int[BLOCKS];
    Arrays.fill(versions, 1);
    while (System.nanoTime() < end) {
      int id = random.nextInt(BLOCKS / MUTATORS) * MUTATORS + share;
      cache.cache.evictBlock(key(id));
      oldest.set(id, versions[id] + 1);
      evicted.increment();
      versions[id]++;
      cache.put(id, versions[id], LONGS, -1);
      if (random.nextInt(16) == 0) {
        // The same content with the next block's size replaces it without an eviction.
        cache.put(id, versions[id], LONGS, 4711);
      }
    }
    return null;
  }

  private static Void poison(RAMBufferFixture cache, long end, LongAdder poisoned)
      throws IOException, BucketAllocatorException {
    var buffer = cache.cache.getRAMBuffer();
    var bytes = ByteBuffer.allocate(LONGS * Long.BYTES);
    while (bytes.hasRemaining()) {
      bytes.putLong(0xDEADDEADDEADDEADL);
    }
    List<Long> taken = new ArrayList<>();
    while (System.nanoTime() < end) {
      try {
        while (taken.size() < 40) {
          taken.add(buffer.allocator.allocateBlock(bytes.capacity()));
        }
      } catch (CacheFullException everythingFreeIsTaken) {
        // So much the better.
      }
      for (long offset : taken) {
        bytes.clear();
        buffer.memory.write(bytes, offset);
        poisoned.increment();
      }
      // No lambda: it would name the buffer in a signature, and the stock round has no such class.
      for (long offset : taken) {
        buffer.allocator.freeBlock(offset, bytes.capacity());
      }
      taken.clear();
    }
    return null;
  }
}
