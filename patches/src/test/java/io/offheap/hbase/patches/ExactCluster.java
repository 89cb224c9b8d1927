package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlockIndex;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Two region servers on HDFS in this JVM, with off-heap bucket caches smaller than the table and
 * with {@link ExactAllocator}. Each value of the table follows from its row, and each read checks
 * the values it gets. After each test every buffer is back, none was touched after that, and no
 * block is held.
 *
 * <p>{@code -Dgets} says how much is done, 20,000 by default; {@code make e2e SUITE=million} has a
 * million.
 */
final class ExactCluster implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  static final int GETS = Integer.getInteger("gets", 20_000);
  static final int ROWS = 24_000;
  static final int REGIONS = 6;
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final TableName TABLE = TableName.valueOf("t");

  private static final int VALUE = 1000;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");

  final HBaseTestingUtility util = new HBaseTestingUtility();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** What each of several threads does. */
  interface Reader {
    void read(Random random) throws Exception;
  }

  /** Starts the servers, writes every row and flushes. */
  @Override
  public void beforeAll(ExtensionContext context) throws Exception {
    var conf = util.getConfiguration();
    ExactAllocator.use(conf, 20_000, 8192);
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 6);
    conf.set("hbase.bucketcache.bucket.sizes", "2048,5120,6144,9216");
    conf.setInt("hbase.regionserver.handler.count", 8);
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_INDEX_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_BLOOM_BLOCKS_ON_WRITE_KEY, true);
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, 1024);
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 5000);
    conf.setInt("hbase.hstore.compactionThreshold", 100);
    // HBase's half a minute is too short for a master on a busy machine.
    conf.setLong("hbase.master.start.timeout.localHBaseCluster", 300_000);
    util.startMiniCluster(
        StartMiniClusterOption.builder().numRegionServers(2).numDataNodes(2).build());
    // Short for the servers' leases only: on a busy machine a client has to wait longer.
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 60_000);
    util.invalidateConnection();
    util.getAdmin().balancerSwitch(false, true);
    var family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(4096).build();
    byte[][] splits = new byte[REGIONS - 1][];
    for (int region = 1; region < REGIONS; region++) {
      splits[region - 1] = row(region * (ROWS / REGIONS));
    }
    util.getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE).setColumnFamily(family).build(), splits);
    write(ROWS);
    util.flush(TABLE);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    assertEverythingIsBack();
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    threads.shutdownNow();
    util.shutdownMiniCluster();
    ExactAllocator.assertAllBack(PATIENCE);
    ExactAllocator.forgetAll();
  }

  /** So many at a million Gets, fewer at fewer, and at least some at any. */
  static int scaled(int atAMillion, int atLeast) {
    return Math.max(atLeast, (int) ((long) atAMillion * GETS / 1_000_000));
  }

  /** Starts so many threads, each with random numbers of its own. */
  List<Future<?>> start(int count, Reader reader) {
    List<Future<?>> started = new ArrayList<>();
    for (int thread = 0; thread < count; thread++) {
      var random = new Random(thread);
      started.add(
          threads.submit(
              () -> {
                reader.read(random);
                return null;
              }));
    }
    return started;
  }

  /** Waits for their ends. */
  static void awaitEnds(List<Future<?>> started) throws InterruptedException, ExecutionException {
    for (var one : started) {
      one.get();
    }
  }

  /** Writes the first rows, with the values that they have already. */
  void write(int rows) throws IOException {
    try (var mutator = util.getConnection().getBufferedMutator(TABLE)) {
      for (int row = 0; row < rows; row++) {
        mutator.mutate(new Put(row(row)).addColumn(FAMILY, QUALIFIER, value(row)));
      }
    }
  }

  /** Two thirds of them within a sixth of the rows, so that there are hits as well as misses. */
  void getSome(Random random, int count) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int get = 0; get < count; get++) {
      int row = random.nextInt(3) > 0 ? random.nextInt(ROWS / 6) * 6 : random.nextInt(ROWS);
      gets.add(new Get(row(row)));
    }
    try (var table = table()) {
      Result[] results = table.get(gets);
      for (int get = 0; get < count; get++) {
        assertThat(results[get].getRow()).isEqualTo(gets.get(get).getRow());
        check(results[get]);
      }
    }
  }

  void getAll() throws IOException {
    int rows = 0;
    try (var table = table();
        var scanner = table.getScanner(new Scan())) {
      for (var result : scanner) {
        check(result);
        rows++;
      }
    }
    assertThat(rows).isEqualTo(ROWS);
  }

  Table table() throws IOException {
    return util.getConnection().getTable(TABLE);
  }

  HRegionLocation locate(byte[] row) throws IOException {
    try (var locator = util.getConnection().getRegionLocator(TABLE)) {
      return locator.getRegionLocation(row, true);
    }
  }

  List<HRegionLocation> locations() throws IOException {
    try (var locator = util.getConnection().getRegionLocator(TABLE)) {
      return locator.getAllRegionLocations();
    }
  }

  /** A scan from anywhere, in either direction, in batches of 1 to 256 rows. */
  static Scan scan(Random random) {
    var scan = new Scan().withStartRow(row(random.nextInt(ROWS)));
    scan.setCaching(1 << random.nextInt(9)).setReversed(random.nextBoolean());
    return scan.setCacheBlocks(random.nextBoolean());
  }

  /** Reads at most so many rows. */
  static void read(ResultScanner scanner, int rows) throws IOException {
    for (int row = 0; row < rows; row++) {
      Result result = scanner.next();
      if (result == null) {
        return;
      }
      check(result);
    }
  }

  static byte[] row(int row) {
    return Bytes.toBytes(String.format("%08d", row));
  }

  private static byte[] value(int row) {
    byte[] value = new byte[VALUE];
    for (int at = 0; at < VALUE; at++) {
      value[at] = (byte) (row * 31 + at * 7);
    }
    return value;
  }

  private static void check(Result result) {
    assertThat(result.isEmpty()).isFalse();
    int row = Integer.parseInt(Bytes.toString(result.getRow()));
    assertThat(Bytes.equals(result.getValue(FAMILY, QUALIFIER), value(row))).isTrue();
  }

  /**
   * Holds if every buffer comes back and none was touched afterwards, no block of a cache is held
   * by a request, and each cache counts the bytes of the blocks that it has and no others.
   */
  void assertEverythingIsBack() {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(blocksHeld()).isZero());
    ExactAllocator.assertAllBack(PATIENCE);
    for (var cache : caches()) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(cache.getRealCacheSize())
                      .isEqualTo(
                          cache.getBackingMap().values().stream()
                              .mapToLong(entry -> entry.getLength())
                              .sum()));
    }
  }

  long evictions() {
    return caches().stream().mapToLong(cache -> cache.getStats().getEvictedCount()).sum();
  }

  /** Blocks of the caches that a request holds. */
  long blocksHeld() {
    return caches().stream()
        .mapToLong(
            cache ->
                cache.getBackingMap().keySet().stream()
                    .filter(key -> cache.getRpcRefCount(key) > 0)
                    .count())
        .sum();
  }

  private List<BucketCache> caches() {
    return util.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
        .map(thread -> cache(thread.getRegionServer()))
        .toList();
  }

  private static BucketCache cache(HRegionServer server) {
    var cache = (CombinedBlockCache) server.getBlockCache().orElseThrow();
    return (BucketCache) cache.getSecondLevelCache();
  }
}
