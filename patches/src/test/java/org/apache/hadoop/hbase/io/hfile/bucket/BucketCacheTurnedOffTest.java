package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.BUCKET;
import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mockito.Mockito;

/**
 * Patch "Bucket cache: turned off at once, no buffer lost". An engine that hangs does so until the
 * test lets it go, and cannot be interrupted, like a read of a disk. Its closing waits for those
 * who are in it, as that of a FileChannel does.
 */
class BucketCacheTurnedOffTest {
  /**
   * For what takes milliseconds, on a machine that has something else to do. What waits in
   * published HBase waits for ever.
   */
  private static final Duration LONG =
      Duration.ofSeconds("none".equals(System.getProperty("patches")) ? 3 : 30);

  @TempDir Path folder;

  private final CountDownLatch letGo = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private QuietBucketCache cache;

  @AfterEach
  void end() throws InterruptedException {
    letGo.countDown();
    for (var thread : threads) {
      thread.join(LONG.toMillis());
    }
    in("shutdown", cache::shutdown).join(LONG.toMillis());
  }

  private void open(boolean persistent) throws IOException {
    var index = persistent ? folder.resolve("index").toString() : null;
    cache = new QuietBucketCache("file:" + folder.resolve("cache"), index);
  }

  private Thread in(String name, Runnable task) {
    var thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    threads.add(thread);
    return thread;
  }

  private static void assertEnds(Thread thread) throws InterruptedException {
    thread.join(LONG.toMillis());
    assertThat(thread.isAlive())
        .as(() -> thread.getName() + " waits at " + List.of(thread.getStackTrace()))
        .isFalse();
  }

  private void hang() {
    boolean interrupted = false;
    while (true) {
      try {
        letGo.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Each read fails, but for that of this key, if there is one: it hangs, and closing with it. */
  private IOEngine failExcept(BlockCacheKey key) throws IOException {
    var engine = cache.spyEngine();
    var hanging = key == null ? null : cache.getBackingMap().get(key);
    Mockito.doAnswer(
            call -> {
              if (hanging != null && call.getArgument(0) == hanging) {
                hang();
                return call.callRealMethod();
              }
              throw new IOException("says the test");
            })
        .when(engine)
        .read(Mockito.any());
    Mockito.doAnswer(
            call -> {
              if (hanging != null) {
                hang();
              }
              return call.callRealMethod();
            })
        .when(engine)
        .shutdown();
    return engine;
  }

  private Thread readThatHangs(BlockCacheKey key) {
    var reader = in("reader that hangs", () -> release(key));
    await()
        .atMost(LONG)
        .until(
            () ->
                List.of(reader.getStackTrace()).stream()
                    .anyMatch(frame -> frame.getMethodName().equals("hang")));
    return reader;
  }

  private void release(BlockCacheKey key) {
    var block = cache.read(key);
    if (block != null) {
      block.release();
    }
  }

  private Thread readsThatFail(BlockCacheKey key) {
    return in(
        "reader that turns the cache off",
        () -> {
          release(key);
          release(key);
        });
  }

  private void awaitUsed(long bytes) {
    try {
      await().atMost(LONG).until(() -> cache.usedBytes() == bytes);
    } catch (ConditionTimeoutException e) {
      // A proof is a failed assertion, and no timeout.
    }
    assertThat(cache.usedBytes()).isEqualTo(bytes);
  }

  @FailsOnStock
  @Test
  void failedReadTurnsTheCacheOffAndContinues() throws IOException, InterruptedException {
    open(false);
    cache.fill(10);
    failExcept(null);
    cache.put(key(11));
    assertEnds(readsThatFail(key(3)));
    assertThat(cache.isCacheEnabled()).isFalse();
    assertThat(cache.read(key(4))).isNull();
    assertThat(cache.getBackingMap()).isEmpty();
    assertThat(cache.ramCache.isEmpty()).isTrue();
    awaitUsed(0);
    assertThat(cache.getRealCacheSize()).isZero();
    cache.buffers.assertBack();
  }

  @FailsOnStock
  @Test
  void aBlockThatAReaderHasStaysHis() throws IOException, InterruptedException {
    cache = new QuietBucketCache("offheap", null);
    cache.fill(10);
    var block = cache.read(key(5));
    failExcept(null);
    assertEnds(readsThatFail(key(3)));
    awaitUsed(BUCKET);
    assertThat(block.refCnt()).isOne();
    block.release();
    assertThat(cache.usedBytes()).isZero();
    cache.buffers.assertBack();
  }

  @FailsOnStock
  @Test
  void aReaderThatHangsKeepsItsOwnBlockAndNoOther() throws IOException, InterruptedException {
    open(false);
    cache.fill(10);
    failExcept(key(5));
    var reader = readThatHangs(key(5));
    assertEnds(readsThatFail(key(3)));
    awaitUsed(BUCKET);
    assertEnds(in("shutdown", cache::shutdown));
    assertThat(reader.isAlive()).isTrue();
    letGo.countDown();
    assertEnds(reader);
    awaitUsed(0);
    cache.buffers.assertBack();
  }

  @FailsOnStock
  @Test
  void aHandlerThatIsInterruptedTurnsTheCacheOff() throws IOException, InterruptedException {
    open(false);
    cache.fill(10);
    failExcept(null);
    assertEnds(
        in(
            "interrupted reader",
            () -> {
              Thread.currentThread().interrupt();
              release(key(1));
              release(key(2));
            }));
    awaitUsed(0);
  }

  @FailsOnStock
  @Test
  void shutdownWaitsForNoReader() throws IOException, InterruptedException {
    open(false);
    cache.fill(10);
    failExcept(key(5));
    var reader = readThatHangs(key(5));
    assertEnds(in("shutdown", cache::shutdown));
    assertThat(reader.isAlive()).isTrue();
    assertThat(cache.getBackingMap()).isEmpty();
    assertThat(cache.evictBlocksByHfileName("file")).isZero();
  }

  @FailsOnStock
  @Test
  void shutdownOfAPersistentCacheWaitsForNoReader() throws IOException, InterruptedException {
    open(true);
    cache.fill(10);
    failExcept(key(5));
    readThatHangs(key(5));
    assertEnds(in("shutdown", cache::shutdown));
    assertThat(folder.resolve("index")).exists();
  }

  @FailsOnStock
  @Test
  void shutdownOfAPersistentCacheLeavesAWriterThatHangs() throws IOException, InterruptedException {
    open(true);
    cache.fill(10);
    var engine = cache.spyEngine();
    Mockito.doAnswer(
            call -> {
              hang();
              return call.callRealMethod();
            })
        .when(engine)
        .write(Mockito.any(ByteBuff.class), Mockito.anyLong());
    if (cache.has("patienceAtShutdownNanos")) {
      cache.set("patienceAtShutdownNanos", 100_000_000L);
    }
    cache.writerThreads[0].start();
    cache.put(key(11));
    await()
        .atMost(LONG)
        .until(
            () ->
                List.of(cache.writerThreads[0].getStackTrace()).stream()
                    .anyMatch(frame -> frame.getMethodName().equals("hang")));
    assertEnds(in("shutdown", cache::shutdown));
    letGo.countDown();
    assertEnds(cache.writerThreads[0]);
    cache.buffers.assertBackSoon();
  }

  /** The file system of the index hangs, and a server that stops has regions to close. */
  @FailsOnStock
  @Test
  void shutdownOfAPersistentCacheLeavesAnIndexThatHangs() throws IOException, InterruptedException {
    var index = folder.resolve("index");
    var conf = HBaseConfiguration.create();
    // Only the shutdown writes the index.
    conf.setLong(CacheConfig.BUCKETCACHE_PERSIST_INTERVAL_KEY, 1_000_000);
    cache = new QuietBucketCache("file:" + folder.resolve("cache"), index.toString(), conf);
    cache.fill(10);
    var hangs = new AtomicBoolean();
    cache.put(
        new BlockCacheKey("file", 11 * 4096L) {
          @Override
          public BlockType getBlockType() {
            if (hangs.get()) {
              hang();
            }
            return super.getBlockType();
          }
        });
    cache.drain();
    hangs.set(true);
    if (cache.has("patienceAtShutdownNanos")) {
      cache.set("patienceAtShutdownNanos", 2_000_000_000L);
    }
    assertEnds(in("shutdown", cache::shutdown));
    assertThat(index).doesNotExist();
    letGo.countDown();
    // One that comes late is whole.
    await().atMost(LONG).until(() -> Files.exists(index));
    var next = new QuietBucketCache("file:" + folder.resolve("cache"), index.toString(), conf);
    assertThat(next.getBackingMap()).hasSize(11);
    next.shutdown();
  }

  /** The index of a persistent cache outlives its being turned off, since a start wants it. */
  @Test
  void aPersistentCacheThatIsTurnedOffIsWrittenAtShutdown()
      throws IOException, InterruptedException {
    open(true);
    cache.fill(10);
    var engine = cache.ioEngine;
    failExcept(null);
    assertEnds(readsThatFail(key(3)));
    assertThat(cache.isCacheEnabled()).isFalse();
    // The index has the name of the engine's class.
    cache.set("ioEngine", engine);
    assertEnds(in("shutdown", cache::shutdown));
    var next =
        new QuietBucketCache("file:" + folder.resolve("cache"), folder.resolve("index").toString());
    assertThat(next.getBackingMap()).hasSize(10);
    next.shutdown();
  }

  @FailsOnStock
  @Test
  void aWriterThatComesTooLateGivesItsBlocksBack() throws IOException, InterruptedException {
    open(false);
    cache.fill(10);
    var engine = failExcept(null);
    Mockito.doAnswer(
            call -> {
              call.callRealMethod();
              assertEnds(readsThatFail(key(3)));
              // The writer's own block, which no map has yet.
              awaitUsed(BUCKET);
              return null;
            })
        .when(engine)
        .sync();
    cache.put(key(11));
    cache.drain();
    assertThat(cache.usedBytes()).isZero();
    assertThat(cache.getBackingMap()).isEmpty();
    cache.buffers.assertBack();
  }

  @FailsOnStock
  @Test
  void aBlockThatCannotBeGivenBackKeepsNoOther() throws IOException, InterruptedException {
    open(false);
    cache.fill(10);
    failExcept(null);
    var broken = Mockito.mock(BucketEntry.class);
    Mockito.when(broken.markAsEvicted()).thenThrow(new IllegalStateException("says the test"));
    cache.getBackingMap().put(key(100), broken);
    assertEnds(readsThatFail(key(3)));
    awaitUsed(0);
  }

  /** With a file that is closed for good, a reader in flight opened it once more. */
  @FailsOnStock
  @Test
  void nobodyOpensTheFileAfterItsClosing() throws IOException, InterruptedException {
    open(false);
    cache.fill(1);
    var engine = (FileIOEngine) cache.ioEngine;
    var entry = cache.getBackingMap().get(key(0));
    engine.shutdown();
    assertThatThrownBy(() -> engine.read(entry)).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> engine.write(ByteBuffer.allocate(8), 0))
        .isInstanceOf(ClosedChannelException.class);
    assertThat(engine.getFileChannels()[0].isOpen()).isFalse();
    cache.buffers.assertBack();
  }

  @Test
  void aFileThatWasClosedByAnInterruptIsOpenedAnew() throws IOException, InterruptedException {
    open(false);
    cache.fill(1);
    var engine = (FileIOEngine) cache.ioEngine;
    engine.closeFileChannels();
    var block = cache.read(key(0));
    assertThat(block).isNotNull();
    block.release();
    cache.buffers.assertBack();
  }

  /** All at once: readers whose reads fail, puts, writers, evictions and a shutdown. */
  @Test
  void turnedOffAndShutDownAtOnce() throws IOException, InterruptedException {
    for (int round = 0; round < 30; round++) {
      open(false);
      cache.fill(64);
      var engine = cache.spyEngine();
      Mockito.doThrow(new IOException("says the test")).when(engine).read(Mockito.any());
      cache.writerThreads[0].start();
      var failure = new AtomicReference<Throwable>();
      var start = new CountDownLatch(1);
      var all = new ArrayList<Thread>();
      for (int handler = 0; handler < 4; handler++) {
        int first = handler;
        all.add(
            in(
                "handler " + handler,
                () -> {
                  try {
                    start.await();
                    for (int number = first; number < 200; number++) {
                      release(key(number % 64));
                      cache.put(key(100 + number));
                      cache.evictBlock(key((number + 7) % 64));
                    }
                  } catch (Throwable t) {
                    failure.set(t);
                  }
                }));
      }
      boolean stops = round % 2 == 0;
      if (stops) {
        all.add(in("shutdown", cache::shutdown));
      }
      start.countDown();
      for (var thread : all) {
        assertEnds(thread);
      }
      assertThat(failure.get()).isNull();
      assertThat(cache.isCacheEnabled()).isFalse();
      assertEnds(cache.writerThreads[0]);
      cache.buffers.assertBackSoon();
      if (!stops) {
        awaitUsed(0);
      }
      Mockito.verify(engine, Mockito.after(0).atMost(1)).shutdown();
      cache.shutdown();
    }
  }
}
