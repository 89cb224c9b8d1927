package org.apache.hadoop.hbase.io.hfile.bucket;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.patches.ExactAllocator;
import io.offheap.hbase.patches.FailsOnStock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A region server under load whose cache is a file on a disk that fails and then hangs: no request
 * fails, none waits for another one's read, and the server ends.
 */
class BucketCacheOnFailingDiskTest {
  /** For what takes less than a second, on a machine that has much else to do. */
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final int TOLERATED_MILLIS = 10_000;
  private static final int ROWS = 600;
  private static final TableName CACHED = TableName.valueOf("cached");

  /** Its blocks come from HDFS always, so its requests have nothing to do with the disk. */
  private static final TableName UNCACHED = TableName.valueOf("uncached");

  private static final byte[] FAMILY = Bytes.toBytes("f");

  @TempDir Path folder;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final List<Client> clients = new ArrayList<>();
  private volatile boolean done;
  private FailingDisk disk;
  private RegionServerThread thread;
  private BucketCache cache;

  /** Gets of random rows, one after the other, each of which it checks. */
  private final class Client extends Thread {
    private final TableName name;
    private final AtomicInteger gets = new AtomicInteger();

    Client(TableName name) {
      super("client " + clients.size() + " of " + name);
      this.name = name;
      setDaemon(true);
      clients.add(this);
      start();
    }

    @Override
    public void run() {
      var random = new Random(1);
      try (var table = util.getConnection().getTable(name)) {
        while (!done) {
          var row = row(random.nextInt(ROWS));
          // Each block that is written would make HBase forget that reads fail.
          var get = new Get(row).setCacheBlocks(false);
          assertThat(table.get(get).getValue(FAMILY, null)).isEqualTo(value(row));
          gets.incrementAndGet();
        }
      } catch (Throwable t) {
        failures.add(t);
      }
    }
  }

  @AfterEach
  void end() throws Exception {
    done = true;
    if (disk != null) {
      // Reads that hang fail then, so the servers can end in whatever state the test has left them.
      disk.close();
    }
    util.shutdownMiniCluster();
    ExactAllocator.forgetAll();
  }

  @FailsOnStock
  @Test
  void noRequestFailsNoneWaitsForAnotherAndTheServerEnds() throws Exception {
    startServer();
    var cached = clients(CACHED, 3);
    var uncached = clients(UNCACHED, 2);
    assertGoOn(cached);
    assertGoOn(uncached);
    assertThat(disk.count().reads()).isPositive();

    // Too short for the cache to be disabled.
    disk.fails();
    assertSoon("reads fail", () -> disk.count().failed() > 20);
    disk.works();
    assertGoOn(cached);
    assertThat(cache.isCacheEnabled()).isTrue();

    disk.readsHang();
    assertSoon("a read of each client hangs", () -> disk.count().hanging() == cached.size());
    assertGoOn(uncached);
    assertThat(handlersAtTheCache()).hasSize(cached.size());

    // A handler gives the cache up while others are within a read.
    disk.fails();
    var late = clients(CACHED, 3);
    assertSoon("the cache is disabled", () -> !cache.isCacheEnabled());
    assertGoOn(late);
    var reads = disk.count();
    assertGoOn(late);
    assertThat(disk.count()).isEqualTo(reads);
    assertThat(reads.hanging()).isEqualTo(cached.size());
    assertThat(handlersAtTheCache()).hasSize(cached.size());

    // A close waits for a region's requests, those that hang among them, and for no others.
    startSpareServer();
    var server = thread.getRegionServer();
    server.stop("says the test");
    assertSoon("other regions are closed", () -> server.getRegions(UNCACHED).isEmpty());
    disk.letGo();
    assertSoon("the server ends", () -> !thread.isAlive());
    assertGoOn(clients);

    assertThat(handlersAtTheCache()).isEmpty();
    done = true;
    for (var client : clients) {
      client.join(SOON.toMillis());
      assertThat(client.isAlive()).isFalse();
    }
    assertThat(failures).isEmpty();
    ExactAllocator.assertAllBack(SOON);
  }

  /** With the rows of one table in its cache. */
  private void startServer() throws Exception {
    disk = new FailingDisk(Files.createDirectory(folder.resolve("disk")));
    var conf = util.getConfiguration();
    ExactAllocator.use(conf, 5_000, 8192);
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "file:" + disk.file());
    conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 16);
    conf.set("hbase.bucketcache.bucket.sizes", "2048,5120,6144,9216");
    conf.setInt("hbase.bucketcache.ioengine.errors.tolerated.duration", TOLERATED_MILLIS);
    conf.setInt("hbase.regionserver.handler.count", 12);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 100);
    // Half a minute is too short for a master on a busy machine.
    conf.setLong("hbase.master.start.timeout.localHBaseCluster", 2 * SOON.toMillis());
    util.startMiniCluster(
        StartMiniClusterOption.builder().numRegionServers(1).numDataNodes(1).build());
    thread = util.getMiniHBaseCluster().getLiveRegionServerThreads().get(0);
    cache = cache(thread.getRegionServer());
    for (var name : new TableName[] {CACHED, UNCACHED}) {
      create(name);
    }
    try (var table = util.getConnection().getTable(CACHED)) {
      for (int row = 0; row < ROWS; row++) {
        table.get(new Get(row(row)));
      }
    }
    assertSoon("blocks are written to the disk", () -> cache.ramCache.isEmpty());
    assertThat(cache.getBackingMap()).hasSizeGreaterThan(ROWS / 10);
  }

  private void create(TableName name) throws IOException {
    var family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setBlocksize(4096)
            .setBlockCacheEnabled(name.equals(CACHED))
            .build();
    util.getAdmin()
        .createTable(TableDescriptorBuilder.newBuilder(name).setColumnFamily(family).build());
    try (var mutator = util.getConnection().getBufferedMutator(name)) {
      for (int row = 0; row < ROWS; row++) {
        mutator.mutate(new Put(row(row)).addColumn(FAMILY, null, value(row(row))));
      }
    }
    util.flush(name);
  }

  private void startSpareServer() throws IOException {
    var cluster = util.getMiniHBaseCluster();
    cluster.getConfiguration().set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    cluster.startRegionServerAndWait(SOON.toMillis());
  }

  private List<Client> clients(TableName name, int count) {
    return Stream.generate(() -> new Client(name)).limit(count).toList();
  }

  /** Each of them makes further Gets, and none has failed. */
  private void assertGoOn(List<Client> some) throws Exception {
    int[] before = some.stream().mapToInt(client -> client.gets.get()).toArray();
    for (int i = 0; i < before.length; i++) {
      var client = some.get(i);
      int least = before[i] + 50;
      assertSoon(client.getName() + " continues", () -> client.gets.get() > least);
    }
    assertThat(failures).isEmpty();
  }

  /** Not Awaitility's own exception: only an assertion counts on published HBase. */
  private void assertSoon(String what, Callable<Boolean> condition) {
    try {
      await().atMost(SOON).until(() -> condition.call() || !failures.isEmpty());
    } catch (ConditionTimeoutException e) {
      fail(what + ": not within " + SOON + "; at the cache are " + handlersAtTheCache());
    }
    assertThat(failures).isEmpty();
  }

  /** Threads that serve requests and are within the bucket cache, at a read or not. */
  private static List<String> handlersAtTheCache() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().startsWith("RpcServer.default"))
        .filter(
            each ->
                Arrays.stream(each.getValue())
                    .anyMatch(frame -> frame.getClassName().equals(BucketCache.class.getName())))
        .map(each -> each.getKey().getName() + " " + top(each.getValue()))
        .toList();
  }

  private static String top(StackTraceElement[] frames) {
    return Arrays.stream(frames).limit(20).map(Object::toString).collect(joining("\n  "));
  }

  private static BucketCache cache(HRegionServer server) {
    var combined = (CombinedBlockCache) server.getBlockCache().orElseThrow();
    return (BucketCache) combined.getSecondLevelCache();
  }

  private static byte[] row(int row) {
    return Bytes.toBytes(String.format("%08d", row));
  }

  private static byte[] value(byte[] row) {
    byte[] value = new byte[1000];
    for (int at = 0; at < value.length; at++) {
      value[at] = (byte) (row[at % row.length] * 31 + at);
    }
    return value;
  }
}
