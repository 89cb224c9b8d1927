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
 * block's content, poison, or a version that was evicted before its request.
 */
class RAMBufferConcurrencyTest {
  private static final int BLOCKS = 120;
  private static final int LONGS = 1000;
  private static final int READERS = 4;
  private static final int MUTATORS = 2;

  /** How long it is tried at least, and at most until each thread has had its part. */
  private static final long LEAST = TimeUnit.SECONDS.toNanos(4);

  private static final long MOST = TimeUnit.SECONDS.toNanos(60);

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
      var trial = new Trial(cache);
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int reader = 0; reader < READERS; reader++) {
        int seed = reader;
        tasks.add(() -> read(trial, oldest, seed));
      }
      for (int mutator = 0; mutator < MUTATORS; mutator++) {
        int share = mutator;
        tasks.add(() -> evictAndCacheAnew(trial, oldest, share));
      }
      tasks.add(() -> poison(trial));

      var threads = Executors.newFixedThreadPool(tasks.size());
      try {
        for (Future<Void> task : threads.invokeAll(tasks)) {
          task.get();
        }
      } finally {
        threads.shutdownNow();
      }

      var buffer = cache.cache.getRAMBuffer();
      assertThat(trial.isEnough()).as("everything was tried").isTrue();
      for (int id = 0; id < BLOCKS; id++) {
        cache.cache.evictBlock(key(id));
      }
      assertThat(buffer.getBlockCount()).isZero();
      assertThat(buffer.getUsedBytes()).isZero();
      assertThat(cache.pool.getBuffersInUse()).isZero();
    }
  }

  /** What the threads have done so far, and whether it is enough. */
  private static final class Trial {
    private final RAMBufferFixture cache;
    private final LongAdder evicted = new LongAdder();
    private final LongAdder poisoned = new LongAdder();
    private final long begun = System.nanoTime();

    Trial(RAMBufferFixture cache) {
      this.cache = cache;
    }

    boolean isEnough() {
      var buffer = cache.cache.getRAMBuffer();
      return evicted.sum() > 50
          && poisoned.sum() > 50
          && buffer.getHitCount() > 1000
          && buffer.getAdmittedCount() > 100
          && buffer.getExpiredCount() > 0;
    }

    boolean isOver() {
      long lasted = System.nanoTime() - begun;
      return lasted > MOST || (lasted > LEAST && isEnough());
    }
  }

  /** Holds a few blocks at a time, as a scan does, and looks at them once more before release. */
  private static Void read(Trial trial, AtomicIntegerArray oldest, int seed) {
    var cache = trial.cache;
    var random = new SplittableRandom(seed);
    var held = new HFileBlock[4];
    var heldId = new int[held.length];
    var heldVersion = new int[held.length];
    for (int turn = 0; !trial.isOver(); turn = (turn + 1) % held.length) {
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

  private static Void evictAndCacheAnew(Trial trial, AtomicIntegerArray oldest, int share) {
    var cache = trial.cache;
    var random = new SplittableRandom(100 + share);
    var versions = new int[BLOCKS];
    Arrays.fill(versions, 1);
    while (!trial.isOver()) {
      int id = random.nextInt(BLOCKS / MUTATORS) * MUTATORS + share;
      cache.cache.evictBlock(key(id));
      oldest.set(id, versions[id] + 1);
      trial.evicted.increment();
      versions[id]++;
      cache.put(id, versions[id], LONGS, -1);
      if (random.nextInt(16) == 0) {
        // The same content with the next block's size replaces it without an eviction.
        cache.put(id, versions[id], LONGS, 4711);
      }
    }
    return null;
  }

  private static Void poison(Trial trial) throws IOException, BucketAllocatorException {
    var buffer = trial.cache.cache.getRAMBuffer();
    var bytes = ByteBuffer.allocate(LONGS * Long.BYTES);
    while (bytes.hasRemaining()) {
      bytes.putLong(0xDEADDEADDEADDEADL);
    }
    List<Long> taken = new ArrayList<>();
    while (!trial.isOver()) {
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
        trial.poisoned.increment();
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
