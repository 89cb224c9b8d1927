package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.HFileBlockIndex;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.UserInformation;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Two region servers on HDFS, with off-heap bucket caches smaller than the table and with {@link
 * ExactAllocator}. Whatever is done to them, every value is right, and afterwards every buffer is
 * back, none was touched after that, and no block is held.
 */
@TestMethodOrder(MethodOrderer.MethodName.class)
class RegionServerBuffersTest {
  private static final int GETS = Integer.getInteger("gets", 1_000_000);
  private static final int ROWS = 48_000;
  private static final int REGIONS = 6;
  private static final int VALUE = 1000;
  private static final int THREADS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final ExecutorService THREAD_POOL = Executors.newCachedThreadPool();

  @BeforeAll
  static void start() throws Exception {
    var conf = UTIL.getConfiguration();
    ExactAllocator.use(conf, 20_000, 8192);
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "offheap");
    conf.setInt(HConstants.BUCKET_CACHE_SIZE_KEY, 12);
    conf.set("hbase.bucketcache.bucket.sizes", "2048,5120,6144,9216");
    conf.setInt("hbase.regionserver.handler.count", 8);
    conf.setBoolean(CacheConfig.CACHE_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_COMPACTED_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_INDEX_BLOCKS_ON_WRITE_KEY, true);
    conf.setBoolean(CacheConfig.CACHE_BLOOM_BLOCKS_ON_WRITE_KEY, true);
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, 1024);
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 5000);
    conf.setInt("hbase.hstore.compactionThreshold", 100);
    UTIL.startMiniCluster(
        StartMiniClusterOption.builder().numRegionServers(2).numDataNodes(2).build());
    // Short for the servers' leases only: on a busy machine a client has to wait longer.
    conf.setInt(HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD, 60_000);
    UTIL.invalidateConnection();
    UTIL.getAdmin().balancerSwitch(false, true);
    var family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(4096).build();
    byte[][] splits = new byte[REGIONS - 1][];
    for (int region = 1; region < REGIONS; region++) {
      splits[region - 1] = row(region * (ROWS / REGIONS));
    }
    UTIL.getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE).setColumnFamily(family).build(), splits);
    write(0, ROWS);
    UTIL.flush(TABLE);
  }

  @AfterAll
  static void stop() throws Exception {
    THREAD_POOL.shutdownNow();
    UTIL.shutdownMiniCluster();
    ExactAllocator.assertAllBack(PATIENCE);
    ExactAllocator.forgetAll();
  }

  @AfterEach
  void everythingIsBack() {
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

  @Test
  void aMillionGets() throws Exception {
    long evictedBefore = evictions();
    List<Future<?>> readers = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      int seed = thread;
      readers.add(
          THREAD_POOL.submit(
              () -> {
                var random = new Random(seed);
                for (int got = 0; got < GETS / THREADS; got += 100) {
                  getSome(random, 100);
                }
                return null;
              }));
    }
    waitFor(readers);
    assertThat(evictions() - evictedBefore).isGreaterThan(GETS / 1000L);
  }

  @Test
  void compactionsWithCacheOnWrite() throws Exception {
    whileOthersRead(
        () -> {
          for (int round = 0; round < 3; round++) {
            write(0, ROWS / 4);
            UTIL.flush(TABLE);
          }
          UTIL.compact(TABLE, false);
          write(0, ROWS / 4);
          UTIL.flush(TABLE);
          UTIL.compact(TABLE, true);
        });
  }

  @Test
  void clientsThatVanish() throws Exception {
    var most = new AtomicLong();
    whileOthersRead(
        () -> {
          try (var locator = UTIL.getConnection().getRegionLocator(TABLE)) {
            for (int client = 0; client < 60; client++) {
              var region = locator.getAllRegionLocations().get(client % REGIONS);
              vanish(region, new Random(client));
              most.accumulateAndGet(ExactAllocator.allOut(), Math::max);
            }
          }
        });
    assertThat(most).hasPositiveValue();
  }

  @Test
  void regionsThatMove() throws Exception {
    whileOthersRead(
        () -> {
          for (int round = 0; round < 3; round++) {
            for (var region : UTIL.getAdmin().getRegions(TABLE)) {
              var servers = new ArrayList<>(UTIL.getAdmin().getRegionServers());
              servers.remove(locate(region.getStartKey()).getServerName());
              UTIL.getAdmin().move(region.getEncodedNameAsBytes(), servers.get(0));
            }
          }
        });
  }

  @Test
  void scansThatAreClosedEarly() throws Exception {
    var random = new Random(1);
    try (var table = UTIL.getConnection().getTable(TABLE)) {
      for (int scan = 0; scan < 300; scan++) {
        try (var scanner = table.getScanner(scan(random))) {
          read(scanner, random.nextInt(200));
        }
      }
      List<ResultScanner> left = new ArrayList<>();
      for (int scan = 0; scan < 20; scan++) {
        var scanner = table.getScanner(scan(random).setCaching(10));
        read(scanner, 15);
        left.add(scanner);
      }
      assertThat(blocksHeld() + ExactAllocator.allOut()).isPositive();
      // Their leases end; closing them then is of no interest to the servers any more.
      everythingIsBack();
      left.forEach(ResultScanner::close);
    }
  }

  /** Comes last by its name: from then on the first server is another one. */
  @Test
  void serversThatAbort() throws Exception {
    whileOthersRead(
        () -> {
          var cluster = UTIL.getMiniHBaseCluster();
          var server = cluster.getRegionServer(0);
          cluster.startRegionServer();
          server.abort("says the test");
          await().atMost(PATIENCE).until(() -> !server.isAlive());
          UTIL.waitUntilAllRegionsAssigned(TABLE, PATIENCE.toMillis());
          getAll();
        });
  }

  private static byte[] row(int row) {
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

  private static void write(int from, int to) throws IOException {
    try (var mutator = UTIL.getConnection().getBufferedMutator(TABLE)) {
      for (int row = from; row < to; row++) {
        mutator.mutate(new Put(row(row)).addColumn(FAMILY, QUALIFIER, value(row)));
      }
    }
  }

  /** Two thirds of them within a sixth of the rows, so that there are hits as well as misses. */
  private static void getSome(Random random, int count) throws IOException {
    List<Get> gets = new ArrayList<>();
    for (int get = 0; get < count; get++) {
      int row = random.nextInt(3) > 0 ? random.nextInt(ROWS / 6) * 6 : random.nextInt(ROWS);
      gets.add(new Get(row(row)));
    }
    try (var table = UTIL.getConnection().getTable(TABLE)) {
      Result[] results = table.get(gets);
      for (int get = 0; get < count; get++) {
        assertThat(results[get].getRow()).isEqualTo(gets.get(get).getRow());
        check(results[get]);
      }
    }
  }

  private static void getAll() throws IOException {
    int rows = 0;
    try (var table = UTIL.getConnection().getTable(TABLE);
        var scanner = table.getScanner(new Scan())) {
      for (var result : scanner) {
        check(result);
        rows++;
      }
    }
    assertThat(rows).isEqualTo(ROWS);
  }

  private static Scan scan(Random random) {
    var scan = new Scan().withStartRow(row(random.nextInt(ROWS)));
    scan.setCaching(1 << random.nextInt(9)).setReversed(random.nextBoolean());
    return scan.setCacheBlocks(random.nextBoolean());
  }

  private static void read(ResultScanner scanner, int rows) throws IOException {
    for (int row = 0; row < rows; row++) {
      Result result = scanner.next();
      if (result == null) {
        return;
      }
      check(result);
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void whileOthersRead(Work action) throws Exception {
    var done = new AtomicBoolean();
    List<Future<?>> readers = new ArrayList<>();
    for (int thread = 0; thread < 2; thread++) {
      int seed = thread;
      readers.add(
          THREAD_POOL.submit(
              () -> {
                var random = new Random(seed);
                while (!done.get()) {
                  getSome(random, 50);
                  try (Table table = UTIL.getConnection().getTable(TABLE);
                      var scanner = table.getScanner(scan(random))) {
                    read(scanner, 50);
                  }
                }
                return null;
              }));
    }
    try {
      action.run();
    } finally {
      done.set(true);
    }
    waitFor(readers);
  }

  private static void waitFor(List<Future<?>> futures)
      throws InterruptedException, ExecutionException {
    for (var future : futures) {
      future.get();
    }
  }

  private static HRegionLocation locate(byte[] row) throws IOException {
    try (var locator = UTIL.getConnection().getRegionLocator(TABLE)) {
      return locator.getRegionLocation(row, true);
    }
  }

  /** Asks for some MiB without reading much of them, and goes with a reset. */
  private static void vanish(HRegionLocation location, Random random)
      throws IOException, InterruptedException {
    byte[] region = location.getRegion().getRegionName();
    int first =
        location.getRegion().getStartKey().length == 0
            ? 0
            : Integer.parseInt(Bytes.toString(location.getRegion().getStartKey()));
    var gets =
        RegionAction.newBuilder()
            .setRegion(
                RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, region));
    for (int get = 0; get < 1500; get++) {
      int row = first + random.nextInt(ROWS / REGIONS);
      gets.addAction(
          Action.newBuilder().setIndex(get).setGet(ProtobufUtil.toGet(new Get(row(row)))));
    }
    var multi = MultiRequest.newBuilder().addRegionAction(gets).build();
    var scan = RequestConverter.buildScanRequest(region, new Scan().setCaching(1500), 1500, false);
    var address = location.getServerName().getAddress();
    try (var socket = new Socket()) {
      socket.setReceiveBufferSize(8192);
      socket.setSoLinger(true, 0);
      socket.connect(new InetSocketAddress(address.getHostName(), address.getPort()));
      var out = new DataOutputStream(socket.getOutputStream());
      out.writeBytes("HBas");
      out.write(new byte[] {0, 80});
      byte[] header =
          ConnectionHeader.newBuilder()
              .setUserInfo(UserInformation.newBuilder().setEffectiveUser("vanishing"))
              .setServiceName("ClientService")
              .setCellBlockCodecClass(KeyValueCodec.class.getName())
              .build()
              .toByteArray();
      out.writeInt(header.length);
      out.write(header);
      for (int call = 0; call < 4; call++) {
        send(out, call, "Multi", multi);
        send(out, call + 10, "Scan", scan);
      }
      out.flush();
      assertThat(socket.getInputStream().readNBytes(1 + random.nextInt(100_000))).isNotEmpty();
      Thread.sleep(random.nextInt(20));
    }
  }

  private static void send(DataOutputStream out, int id, String method, Message request)
      throws IOException {
    var bytes = new ByteArrayOutputStream();
    RequestHeader.newBuilder()
        .setCallId(id)
        .setMethodName(method)
        .setRequestParam(true)
        .build()
        .writeDelimitedTo(bytes);
    request.writeDelimitedTo(bytes);
    out.writeInt(bytes.size());
    bytes.writeTo(out);
  }

  private static List<BucketCache> caches() {
    return UTIL.getMiniHBaseCluster().getLiveRegionServerThreads().stream()
        .map(thread -> cache(thread.getRegionServer()))
        .toList();
  }

  private static BucketCache cache(HRegionServer server) {
    var cache = (CombinedBlockCache) server.getBlockCache().orElseThrow();
    return (BucketCache) cache.getSecondLevelCache();
  }

  private static long evictions() {
    return caches().stream().mapToLong(cache -> cache.getStats().getEvictedCount()).sum();
  }

  private static long blocksHeld() {
    return caches().stream()
        .mapToLong(
            cache ->
                cache.getBackingMap().keySet().stream()
                    .filter(key -> cache.getRpcRefCount(key) > 0)
                    .count())
        .sum();
  }
}
