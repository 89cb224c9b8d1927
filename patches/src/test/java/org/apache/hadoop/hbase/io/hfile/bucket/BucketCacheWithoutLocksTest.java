package org.apache.hadoop.hbase.io.hfile.bucket;

import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.BUCKET;
import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.isBlock;
import static org.apache.hadoop.hbase.io.hfile.bucket.QuietBucketCache.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.IdReadWriteLock;
import org.apache.hadoop.hbase.util.ObjectPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

/** Patch "Bucket cache: reads hold their entry, take no lock". */
class BucketCacheWithoutLocksTest {
  /** For what takes milliseconds, on a machine that has something else to do. */
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path folder;

  private final Configuration conf = HBaseConfiguration.create();
  private final CountDownLatch letGo = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private QuietBucketCache cache;

  @AfterEach
  void end() throws InterruptedException {
    letGo.countDown();
    for (var thread : threads) {
      thread.join(LONG.toMillis());
    }
    cache.shutdown();
  }

  private void open(String engine) throws IOException {
    var name = engine.equals("offheap") ? engine : engine + ":" + folder.resolve("cache");
    cache = new QuietBucketCache(name, null, conf);
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

  private Thread readThatHangs(int number, AtomicReference<Boolean> right) throws IOException {
    var engine = cache.spyEngine();
    // A busy disk takes a second for each.
    Mockito.doNothing().when(engine).sync();
    var entry = cache.getBackingMap().get(key(number));
    var hangs = new CountDownLatch(1);
    Mockito.doAnswer(
            call -> {
              if (call.getArgument(0) == entry) {
                hangs.countDown();
                letGo.await();
              }
              return call.callRealMethod();
            })
        .when(engine)
        .read(Mockito.any());
    var reader =
        in(
            "reader that hangs",
            () -> {
              var block = cache.read(key(number));
              right.set(isBlock(number, block));
              block.release();
            });
    await().atMost(LONG).until(() -> hangs.getCount() == 0);
    return reader;
  }

  @FailsOnStock
  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap", "offheap"})
  void anEvictionWaitsForNoReader(String engine) throws IOException, InterruptedException {
    open(engine);
    cache.fill(10);
    var right = new AtomicReference<Boolean>();
    var reader = readThatHangs(5, right);
    assertEnds(in("eviction", () -> cache.evictBlock(key(5))));
    assertThat(cache.getBackingMap()).doesNotContainKey(key(5));
    assertEnds(in("eviction of the file", () -> cache.evictBlocksByHfileName("file")));
    assertThat(cache.usedBytes()).isEqualTo(BUCKET);
    // The next writer gets other space, and the reader its block.
    cache.fill(2000);
    letGo.countDown();
    assertEnds(reader);
    assertThat(right).hasValue(true);
    assertThat(cache.usedBytes()).isEqualTo(2000L * BUCKET);
    cache.buffers.assertBack();
  }

  @FailsOnStock
  @Test
  void aWriterThatMakesRoomWaitsForNoReader() throws IOException, InterruptedException {
    open("file");
    cache.fill(10);
    var right = new AtomicReference<Boolean>();
    var reader = readThatHangs(0, right);
    // The oldest block: the first to go.
    assertEnds(
        in(
            "writer",
            () -> {
              try {
                cache.fill(10, 6000);
                cache.evictBlock(key(0));
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            }));
    assertThat(cache.getStats().getEvictedCount()).isPositive();
    letGo.countDown();
    assertEnds(reader);
    assertThat(right).hasValue(true);
    cache.buffers.assertBack();
  }

  /** How many locks there are; they go only when memory is short. */
  private int locks() throws ReflectiveOperationException {
    var pool = IdReadWriteLock.class.getDeclaredField("lockPool");
    pool.setAccessible(true);
    return ((ObjectPool<?, ?>) pool.get(cache.offsetLock)).size();
  }

  private void readAll(int blocks) throws InterruptedException {
    cache.fill(blocks);
    for (int number = 0; number < blocks; number++) {
      var block = cache.read(key(number));
      assertThat(isBlock(number, block)).isTrue();
      block.release();
    }
  }

  @FailsOnStock
  @Test
  void aReadLeavesNoLockBehind() throws Exception {
    open("offheap");
    readAll(100);
    assertThat(cache.evictBlocksByHfileName("file")).isEqualTo(100);
    assertThat(locks()).isZero();
  }

  @Test
  void theSwitchBringsTheLocksBack() throws Exception {
    conf.setBoolean("hbase.bucketcache.offsetlock.enable", true);
    open("offheap");
    readAll(100);
    assertThat(locks()).isEqualTo(100);
    assertThat(cache.evictBlocksByHfileName("file")).isEqualTo(100);
    assertThat(cache.usedBytes()).isZero();
  }

  /** A copy for a removed entry would stay for its time, and no reader would find it. */
  @Test
  void aCopyOfABlockThatIsEvictedMeanwhileIsDropped() throws IOException, InterruptedException {
    conf.setBoolean("hbase.bucketcache.rambuffer.enable", true);
    conf.setInt("hbase.bucketcache.rambuffer.size", 1);
    open("file");
    cache.fill(3);
    cache.read(key(1)).release();
    var engine = cache.spyEngine();
    Mockito.doAnswer(
            call -> {
              var block = call.callRealMethod();
              assertThat(cache.evictBlock(key(1))).isTrue();
              return block;
            })
        .when(engine)
        .read(Mockito.any());
    var block = cache.read(key(1));
    assertThat(isBlock(1, block)).isTrue();
    block.release();
    assertThat(cache.getRAMBuffer().getAdmittedCount()).isOne();
    assertThat(cache.getRAMBuffer().getBlockCount()).isZero();
    assertThat(cache.getRAMBuffer().getUsedBytes()).isZero();
    assertThat(cache.usedBytes()).isEqualTo(2 * BUCKET);
    cache.buffers.assertBack();
  }

  /** Space is used again at once, so that who reads what is no longer its block sees it. */
  @ParameterizedTest
  @ValueSource(strings = {"file", "mmap", "offheap"})
  void readsEvictionsAndWritesAtOnce(String engine) throws IOException, InterruptedException {
    open(engine);
    int blocks = 50;
    cache.fill(blocks);
    cache.writerThreads[0].start();
    var failure = new AtomicReference<Throwable>();
    var all = new ArrayList<Thread>();
    for (int handler = 0; handler < 4; handler++) {
      boolean evicts = handler == 0;
      all.add(
          in(
              "handler " + handler,
              () -> {
                try {
                  for (int i = 0; i < 5_000; i++) {
                    int number = ThreadLocalRandom.current().nextInt(blocks);
                    if (evicts) {
                      cache.evictBlock(key(number));
                      cache.put(key(number));
                      continue;
                    }
                    var block = cache.read(key(number));
                    if (block != null) {
                      assertThat(isBlock(number, block)).isTrue();
                      block.release();
                    }
                  }
                } catch (Throwable t) {
                  failure.set(t);
                }
              }));
    }
    for (var thread : all) {
      assertEnds(thread);
    }
    assertThat(failure.get()).isNull();
    await().atMost(LONG).until(() -> cache.ramCache.isEmpty());
    cache.evictBlocksByHfileName("file");
    await().atMost(LONG).until(() -> cache.usedBytes() == 0);
    cache.buffers.assertBackSoon();
  }
}
