package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.FILE;
import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.key;
import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.off;
import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.on;
import static org.apache.hadoop.hbase.io.hfile.bucket.RAMBufferFixture.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.ArgumentCaptor;
import org.mockito.Mockito;

/** The patch of the RAM buffer. Its types are named in method bodies only, for the stock round. */
class RAMBufferTest {
  private static final int LONGS = 1000;
  // The buffer's own thread does not come by during a test; the tests sweep by their clock.
  private static final long TIMEOUT = TimeUnit.HOURS.toMillis(1);

  @TempDir private Path folder;
  private final AtomicLong clock = new AtomicLong(TimeUnit.DAYS.toMillis(1));

  @BeforeEach
  void stopTheClock() {
    EnvironmentEdgeManager.injectEdge(clock::get);
  }

  @AfterEach
  void startTheClock() {
    EnvironmentEdgeManager.reset();
  }

  /** 4 MiB behind 1 MiB: 16 buckets of 64 KiB in the buffer, of 8 or 4 blocks. */
  private RAMBufferFixture cache(Configuration conf, String engine) throws IOException {
    return new RAMBufferFixture(
        conf, engine, folder, 4 << 20, 8192, new int[] {8192 + 256, 16384}, 16);
  }

  private RAMBufferFixture cache(String engine) throws IOException {
    return cache(on(1, TIMEOUT), engine);
  }

  private static void readTwice(RAMBufferFixture cache, int from, int to) {
    for (int id = from; id < to; id++) {
      cache.readAndCheck(id, 1);
      cache.readAndCheck(id, 1);
    }
  }

  @FailsOnStock
  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap"})
  void fromTheThirdReadOnNothingIsReadOrTakenFromThePool(String engine) throws IOException {
    try (var cache = cache(engine)) {
      cache.put(1, 1, LONGS, -1);
      readTwice(cache, 1, 2);
      long ioHits = cache.cache.getStats().getHitCount();
      long pool = cache.poolBytes();
      for (int i = 0; i < 5; i++) {
        cache.readAndCheck(1, 1);
      }
      assertThat(cache.poolBytes()).isEqualTo(pool);
      assertThat(cache.cache.getStats().getHitCount()).isEqualTo(ioHits + 5);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap"})
  void theCopyEqualsWhatTheEngineReads(String engine) throws IOException {
    try (var cache = cache(engine)) {
      cache.put(1, 1, LONGS, 77);
      var first = cache.read(1);
      cache.readAndCheck(1, 1);
      var third = cache.read(1);
      var fourth = cache.read(1);
      assertThat(cache.cache.getRAMBuffer().getHitCount()).isEqualTo(2);
      assertThat(fourth).isSameAs(third).isEqualTo(first);
      assertThat(third.getNextBlockOnDiskSize()).isEqualTo(77);
      assertThat(third.isSharedMem()).isTrue();
      assertThat(third.getByteBuffAllocator()).isSameAs(first.getByteBuffAllocator());
      assertThat(third.getHFileContext().toString()).isEqualTo(first.getHFileContext().toString());
      first.release();
      third.release();
      fourth.release();
      assertThat(cache.pool.getBuffersInUse()).isZero();
    }
  }

  @Test
  void twoReadsFurtherApartThanTheTimeoutAreTwoFirstOnes() throws IOException {
    try (var cache = cache("file")) {
      var buffer = cache.cache.getRAMBuffer();
      cache.put(1, 1, LONGS, -1);
      cache.readAndCheck(1, 1);
      clock.addAndGet(TIMEOUT);
      cache.readAndCheck(1, 1);
      assertThat(buffer.getAdmittedCount()).isZero();
      clock.addAndGet(TIMEOUT / 2);
      cache.readAndCheck(1, 1);
      assertThat(buffer.getAdmittedCount()).isEqualTo(1);
    }
  }

  /** Compactions, and scans that the client does not want cached. */
  @Test
  void readsThatDoNotCacheAreServedButNotCounted() throws IOException {
    try (var cache = cache("file")) {
      var buffer = cache.cache.getRAMBuffer();
      cache.put(1, 1, LONGS, -1);
      for (int i = 0; i < 5; i++) {
        cache.read(key(1), false).release();
      }
      assertThat(buffer.getAdmittedCount()).isZero();
      readTwice(cache, 1, 2);
      cache.read(key(1), false).release();
      assertThat(buffer.getHitCount()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap"})
  void whatNobodyAsksForIsThrownOut(String engine) throws IOException {
    try (var cache = cache(engine)) {
      var buffer = cache.cache.getRAMBuffer();
      cache.put(1, 1, LONGS, -1);
      cache.put(2, 1, LONGS, -1);
      readTwice(cache, 1, 3);
      clock.addAndGet(TIMEOUT - 1);
      cache.readAndCheck(2, 1);
      buffer.sweep();
      assertThat(buffer.getBlockCount()).isEqualTo(2);
      clock.addAndGet(1);
      buffer.sweep();
      assertThat(buffer.getBlockCount()).isEqualTo(1);
      assertThat(buffer.getExpiredCount()).isEqualTo(1);
      assertThat(buffer.getExpiredUnusedCount()).isEqualTo(1);
      clock.addAndGet(TIMEOUT - 1);
      buffer.sweep();
      assertThat(buffer.getUsedBytes()).isZero();
      assertThat(buffer.getExpiredUnusedCount()).isEqualTo(1);
      cache.readAndCheck(2, 1);
      assertThat(buffer.getHitCount()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap"})
  void memoryGoesBackWithTheLastReader(String engine) throws IOException {
    try (var cache = cache(engine)) {
      var buffer = cache.cache.getRAMBuffer();
      cache.put(1, 1, LONGS, -1);
      readTwice(cache, 1, 2);
      var one = cache.read(1);
      var other = cache.read(1);
      assertThat(one.refCnt()).isEqualTo(3);
      assertThat(cache.cache.evictBlock(key(1))).isTrue();
      assertThat(cache.read(1)).isNull();
      assertThat(buffer.getBlockCount()).isZero();
      // The next writer does not get the memory that is still being read.
      for (int id = 2; id < 100; id++) {
        cache.put(id, 1, LONGS, -1);
        readTwice(cache, id, id + 1);
      }
      assertThat(version(one, 1)).isEqualTo(1);
      assertThat(one.release()).isFalse();
      assertThat(version(other, 1)).isEqualTo(1);
      long used = buffer.getUsedBytes();
      assertThat(other.release()).isTrue();
      assertThat(buffer.getUsedBytes()).isLessThan(used);
      assertThatThrownBy(other::getBufferReadOnly).isInstanceOf(RuntimeException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap"})
  void whatTheBucketCacheEvictsIsGone(String engine) throws IOException {
    try (var cache = cache(engine)) {
      var buffer = cache.cache.getRAMBuffer();
      for (int id = 0; id < 20; id++) {
        cache.put(id, 1, LONGS, -1);
      }
      readTwice(cache, 0, 20);
      assertThat(buffer.getBlockCount()).isEqualTo(20);
      assertThat(cache.cache.evictBlocksRangeByHfileName(FILE, 0, key(4).getOffset())).isEqualTo(5);
      assertThat(buffer.getBlockCount()).isEqualTo(15);
      assertThat(cache.read(4)).isNull();
      cache.readAndCheck(5, 1);
      cache.cache.evictBlocksByHfileName(FILE);
      assertThat(buffer.getBlockCount()).isZero();
      assertThat(buffer.getUsedBytes()).isZero();
      assertThat(cache.read(5)).isNull();
    }
  }

  /** As where a block of a persistent file turns out not to be what the map says. */
  @Test
  void whatLeftTheMapInAnotherWayIsNotServedAndFreedInTime() throws IOException {
    try (var cache = cache("file")) {
      var buffer = cache.cache.getRAMBuffer();
      cache.put(1, 1, LONGS, -1);
      readTwice(cache, 1, 2);
      cache.cache.backingMap.remove(key(1));
      assertThat(cache.read(1)).isNull();
      assertThat(buffer.getHitCount()).isZero();
      clock.addAndGet(TIMEOUT);
      buffer.sweep();
      assertThat(buffer.getUsedBytes()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap"})
  void theSameKeyWithTheNextBlocksSizeReplacesTheCopy(String engine) throws IOException {
    try (var cache = cache(engine)) {
      var buffer = cache.cache.getRAMBuffer();
      cache.put(1, 1, LONGS, -1);
      readTwice(cache, 1, 2);
      var old = cache.read(1);
      assertThat(old.getNextBlockOnDiskSize()).isEqualTo(-1);
      cache.put(1, 1, LONGS, 4711);
      var replaced = cache.read(1);
      assertThat(replaced.getNextBlockOnDiskSize()).isEqualTo(4711);
      assertThat(version(old, 1)).isEqualTo(1);
      assertThat(buffer.getBlockCount()).isZero();
      old.release();
      replaced.release();
      assertThat(buffer.getUsedBytes()).isZero();
    }
  }

  /** A daughter's reference reads its parent's block under a key of its own. */
  @Test
  void aReferenceSharesTheCopyAndLosesItWithTheBlock() throws IOException {
    try (var cache = cache("file")) {
      var buffer = cache.cache.getRAMBuffer();
      var reference =
          new BlockCacheKey(FILE + ".fedcba9876543210fedcba9876543210", key(1).getOffset());
      cache.put(1, 1, LONGS, -1);
      cache.read(reference, true).release();
      cache.readAndCheck(1, 1);
      cache.read(reference, true).release();
      assertThat(buffer.getHitCount()).isEqualTo(1);
      cache.cache.evictBlock(key(1));
      assertThat(cache.read(reference, true)).isNull();
      assertThat(buffer.getUsedBytes()).isZero();
    }
  }

  @Test
  void hitsCountAndKeepTheBlockWarm() throws IOException {
    try (var cache = cache("file")) {
      cache.put(1, 1, LONGS, -1);
      readTwice(cache, 1, 2);
      var entry = cache.cache.backingMap.get(key(1));
      long access = entry.getAccessCounter();
      long hits = cache.cache.getStats().getHitCount();
      long cachingHits = cache.cache.getStats().getHitCachingCount();
      cache.readAndCheck(1, 1);
      cache.cache.getBlock(key(1), true, true, false).release();
      assertThat(entry.getAccessCounter()).isEqualTo(access + 2);
      assertThat(cache.cache.getStats().getHitCount()).isEqualTo(hits + 1);
      assertThat(cache.cache.getStats().getHitCachingCount()).isEqualTo(cachingHits + 1);
      assertThat(cache.cache.getStats().getMissCount()).isZero();
      assertThat(entry.isRpcRef()).isFalse();
    }
  }

  @Test
  void aFullBufferRefusesAndThrowsNothingOut() throws IOException {
    try (var cache = cache("file")) {
      var buffer = cache.cache.getRAMBuffer();
      assertThat(buffer.getLimit()).isEqualTo(buffer.getCapacity() / 2);
      for (int id = 0; id < 100; id++) {
        cache.put(id, 1, LONGS, -1);
      }
      readTwice(cache, 0, 100);
      int blocks = buffer.getBlockCount();
      assertThat(buffer.getUsedBytes()).isLessThanOrEqualTo(buffer.getLimit());
      assertThat(buffer.getRefusedCount()).isEqualTo(100 - blocks).isPositive();
      readTwice(cache, 0, 100);
      assertThat(buffer.getBlockCount()).isEqualTo(blocks);
      assertThat(buffer.getHitCount()).isEqualTo(2L * blocks);
    }
  }

  @Test
  void theLimitFollowsTheWorkload() throws IOException {
    try (var cache = cache("file")) {
      var buffer = cache.cache.getRAMBuffer();
      long step = buffer.getCapacity() / 8;
      for (int id = 0; id < 200; id++) {
        cache.put(id, 1, LONGS, -1);
      }
      // Copies that are hit, and blocks that find no room: more, up to all of it.
      for (int eighths = 4; eighths < 8; eighths++) {
        assertThat(buffer.getLimit()).isEqualTo(eighths * step);
        readTwice(cache, 0, 200);
        readTwice(cache, 0, 200);
        buffer.sweep();
      }
      readTwice(cache, 0, 200);
      buffer.sweep();
      assertThat(buffer.getLimit()).isEqualTo(buffer.getCapacity());
      // They were hit before they aged: no reason for less.
      clock.addAndGet(TIMEOUT);
      buffer.sweep();
      assertThat(buffer.getBlockCount()).isZero();
      assertThat(buffer.getLimit()).isEqualTo(buffer.getCapacity());
      // Copies that no reader requests: less, down to an eighth, from where it can grow again.
      for (int eighths = 7; eighths >= 0; eighths--) {
        readTwice(cache, 0, 200);
        clock.addAndGet(TIMEOUT);
        buffer.sweep();
        assertThat(buffer.getLimit()).isEqualTo(Math.max(1, eighths) * step);
      }
      readTwice(cache, 0, 200);
      readTwice(cache, 0, 200);
      buffer.sweep();
      assertThat(buffer.getLimit()).isEqualTo(2 * step);
      // Nothing is refused: no reason for more.
      cache.cache.evictBlocksByHfileName(FILE);
      cache.put(1, 1, LONGS, -1);
      readTwice(cache, 1, 2);
      readTwice(cache, 1, 2);
      buffer.sweep();
      assertThat(buffer.getLimit()).isEqualTo(2 * step);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap", "offheap"})
  void offByDefault(String engine) throws IOException {
    try (var cache = cache(off(), engine)) {
      assertThat(cache.cache.getRAMBuffer()).isNull();
      cache.put(1, 1, LONGS, -1);
      cache.readAndCheck(1, 1);
      long bytes = cache.poolBytes();
      for (int i = 0; i < 5; i++) {
        cache.readAndCheck(1, 1);
      }
      assertThat(cache.poolBytes()).isEqualTo(bytes * 6);
      assertThat(cache.cache.backingMap.get(key(1)).ramBufferRead).isNull();
    }
  }

  @Test
  void noUseWhereTheEngineSharesItsMemory() throws IOException {
    try (var cache = cache("offheap")) {
      assertThat(cache.cache.getRAMBuffer()).isNull();
    }
  }

  @Test
  void settingsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> cache(on(0, TIMEOUT), "file"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hbase.bucketcache.rambuffer.size");
    assertThatThrownBy(() -> cache(on(1, 0), "file"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hbase.bucketcache.rambuffer.timeout");
  }

  /** The caller gets the error; the next one gets the block, and the copy. */
  @Test
  void aCopyThatEndsInAnErrorTakesNoSpace() throws IOException {
    try (var cache = cache("file")) {
      cache.put(1, 1, LONGS, -1);
      cache.readAndCheck(1, 1);
      var buffer = cache.cache.getRAMBuffer();
      var entry = cache.cache.backingMap.get(key(1));
      var engine = (ByteBufferIOEngine) Mockito.spy(buffer.memory);
      Mockito.doThrow(new OutOfMemoryError("says the test"))
          .doCallRealMethod()
          .when(engine)
          .read(Mockito.any());
      setMemory(buffer, engine);
      assertThatThrownBy(() -> cache.read(1)).isInstanceOf(OutOfMemoryError.class);
      assertThat(cache.pool.getBuffersInUse()).isZero();
      assertThat(buffer.getUsedBytes()).isZero();
      assertThat(entry.ramBufferRead).isNull();
      assertThat(entry.refCnt()).isOne();
      readTwice(cache, 1, 2);
      assertThat(buffer.getAdmittedCount()).isOne();
    }
  }

  private static void setMemory(Object buffer, Object engine) {
    try {
      var memory = buffer.getClass().getDeclaredField("memory");
      memory.setAccessible(true);
      memory.set(buffer, engine);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("no field memory", e);
    }
  }

  /** An executor runs a task that has thrown no more. */
  @Test
  void theSweepGoesOnAfterAnError() throws IOException {
    var executor = Mockito.mock(ScheduledExecutorService.class);
    var sweep = ArgumentCaptor.forClass(Runnable.class);
    var engine = Mockito.mock(IOEngine.class);
    assertThat(
            RAMBuffer.create(on(1, TIMEOUT), engine, new int[] {8192 + 256, 16384}, executor)
                .getCapacity())
        .isPositive();
    Mockito.verify(executor)
        .scheduleAtFixedRate(
            sweep.capture(), Mockito.anyLong(), Mockito.anyLong(), Mockito.any(TimeUnit.class));
    EnvironmentEdgeManager.injectEdge(
        () -> {
          throw new OutOfMemoryError("says the test");
        });
    try {
      assertThatCode(() -> sweep.getValue().run()).doesNotThrowAnyException();
    } finally {
      EnvironmentEdgeManager.injectEdge(clock::get);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap"})
  void shutdownFreesEverything(String engine) throws IOException {
    try (var cache = cache(engine)) {
      var buffer = cache.cache.getRAMBuffer();
      for (int id = 0; id < 20; id++) {
        cache.put(id, 1, LONGS, -1);
      }
      readTwice(cache, 0, 20);
      var held = cache.read(7);
      cache.cache.shutdown();
      assertThat(cache.read(7)).isNull();
      // By a thread of its own, for which no other waits.
      await().until(() -> cache.blocksInRAMBuffer() == 0);
      assertThat(version(held, 7)).isEqualTo(1);
      held.release();
      assertThat(buffer.getUsedBytes()).isZero();
    }
  }

  @Test
  void aHitTakesNoMoreHeapThanOneOfTheOffHeapEngine() throws IOException {
    var level = ResourceLeakDetector.getLevel();
    // A sample of all reference counts writes stack traces; here it would be one block or none.
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    assertThat(RefCnt.detector).isNotNull();
    try (var file = cache("file");
        var offheap = cache("offheap")) {
      long fileHit = heapOfAHit(file);
      assertThat(file.cache.getRAMBuffer().getHitCount()).isPositive();
      assertThat(fileHit).isLessThanOrEqualTo(heapOfAHit(offheap)).isLessThan(64);
    } finally {
      ResourceLeakDetector.setLevel(level);
    }
  }

  private static long heapOfAHit(RAMBufferFixture cache) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var key = key(1);
    int hits = 50_000;
    long before = 0;
    cache.put(1, 1, LONGS, -1);
    for (int i = -hits; i < hits; i++) {
      if (i == 0) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      cache.cache.getBlock(key, true, false, true).release();
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / hits;
  }
}
