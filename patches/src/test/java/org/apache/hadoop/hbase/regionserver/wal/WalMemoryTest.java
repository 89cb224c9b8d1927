package org.apache.hadoop.hbase.regionserver.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.patches.FailsOnStock;
import io.offheap.hbase.patches.FilledNetty;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufAllocator;
import org.apache.hbase.thirdparty.io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A region server's log over a real HDFS, whose buffers find no memory: writes wait until there is
 * some, none fails, and none is lost with the server.
 */
class WalMemoryTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  /** More than a chunk of Netty's pools. */
  private static final int LARGE = 6 << 20;

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private HRegionServer server;
  private HRegion region;
  private AsyncFSWAL wal;

  @BeforeEach
  void start() throws Exception {
    var conf = util.getConfiguration();
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    util.startMiniCluster(
        StartMiniClusterOption.builder().numRegionServers(2).numDataNodes(1).build());
    util.getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build());
    server = util.getRSForFirstRegionInTable(TABLE);
    region = server.getRegions(TABLE).get(0);
    wal = (AsyncFSWAL) region.getWAL();
  }

  /** Not by a shutdown, which a log that has stopped would hold. */
  @AfterEach
  void stop() throws IOException {
    util.killMiniHBaseCluster();
    util.shutdownMiniZKCluster();
    try {
      util.shutdownMiniDFSCluster();
    } catch (IllegalStateException e) {
      // The file of a killed server waits for an acknowledgement. It ends with the JVM.
    }
  }

  private static byte[] value(String row, int size) {
    byte[] value = new byte[size];
    new Random(row.hashCode() + size).nextBytes(value);
    return value;
  }

  /** Without a request, which would take of the same memory. */
  private CompletableFuture<Void> put(String row, int... sizes) {
    var put = new Put(Bytes.toBytes(row));
    for (int size : sizes) {
      put.addColumn(FAMILY, Bytes.toBytes(size), value(row, size));
    }
    return CompletableFuture.runAsync(
        () -> {
          try {
            region.put(put);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void assertOnTheNextServer(String row, int... sizes) throws IOException {
    server.abort("says the test");
    util.waitUntilAllRegionsAssigned(TABLE, PATIENCE.toMillis());
    try (var table = util.getConnection().getTable(TABLE)) {
      var result = table.get(new Get(Bytes.toBytes(row)));
      for (int size : sizes) {
        assertThat(result.getValue(FAMILY, Bytes.toBytes(size))).isEqualTo(value(row, size));
      }
    }
  }

  /** A part of the entry is in the old log's buffer when there is no memory for the rest. */
  @FailsOnStock
  @Test
  void anEntryThatFindsNoMemoryIsInTheNextLog() throws Exception {
    var rolls = new AtomicInteger();
    wal.registerWALActionsListener(
        new WALActionsListener() {
          @Override
          public void postLogRoll(Path from, Path to) {
            rolls.incrementAndGet();
          }
        });
    assertThat(put("before", 10)).succeedsWithin(PATIENCE);
    CompletableFuture<Void> large;
    CompletableFuture<Void> behind;
    try (var filled = FilledNetty.butFor(64 << 10)) {
      large = put("large", 100, 1 << 20, LARGE);
      Thread.sleep(500);
      behind = put("behind", 10);
      Thread.sleep(4_000);
      assertThat(large).isNotDone();
      // After 100, 200, 400, 800 and 1,600 ms, as far as there is memory for a new one.
      assertThat(rolls.get()).as("new logs").isLessThan(7);
    }
    assertThat(large).succeedsWithin(PATIENCE);
    assertThat(behind).succeedsWithin(PATIENCE);
    assertOnTheNextServer("large", 100, 1 << 20, LARGE);
    assertOnTheNextServer("behind", 10);
    assertOnTheNextServer("before", 10);
  }

  /** The checksums, the header of the packet, and the buffer of the next entries. */
  @FailsOnStock
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aFlushThatFindsNoMemoryLosesNoEntryAndNoBuffer(int allocation) throws Exception {
    var output = field(wal, "fsOut");
    Queue<ByteBuf> buffers = new ConcurrentLinkedQueue<>();
    var left = new AtomicInteger(Integer.MAX_VALUE);
    var failing =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ByteBufAllocator.class},
            (proxy, method, arguments) -> {
              if (left.decrementAndGet() == 0) {
                throw new OutOfMemoryError("says the test");
              }
              try {
                var buffer = (ByteBuf) method.invoke(UnpooledByteBufAllocator.DEFAULT, arguments);
                buffers.add(buffer);
                return buffer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    accessible(output, "alloc").set(output, failing);
    // From then on the buffer of the next entries is one of these too, which are not used again.
    assertThat(put("before", 10)).succeedsWithin(PATIENCE);
    left.set(allocation);

    assertThat(put("row", 1_000)).succeedsWithin(PATIENCE);
    // The third is not missed until the next entry comes.
    assertThat(put("behind", 10)).succeedsWithin(PATIENCE);
    assertThat(left.get()).as("allocations left").isNotPositive();
    assertThat(field(wal, "fsOut")).as("the log's output").isNotSameAs(output);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(buffers).allMatch(buffer -> buffer.refCnt() == 0));
    assertOnTheNextServer("row", 1_000);
    assertOnTheNextServer("behind", 10);
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    return accessible(of, name).get(of);
  }

  private static Field accessible(Object of, String name) throws NoSuchFieldException {
    var field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
