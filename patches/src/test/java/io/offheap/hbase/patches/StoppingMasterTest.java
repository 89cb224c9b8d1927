package io.offheap.hbase.patches;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A master that stops still responds for a while, and has lost its state by then. */
class StoppingMasterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final HBaseTestingUtility UTIL = new HBaseTestingUtility();
  private static final CountDownLatch CLOSING = new CountDownLatch(1);
  private static final CountDownLatch MAY_CLOSE = new CountDownLatch(1);

  /** Holds the table's region when it begins to close. */
  public static class HoldsClose implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean isAborted) {
      CLOSING.countDown();
      try {
        MAY_CLOSE.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @BeforeAll
  static void start() throws Exception {
    var conf = UTIL.getConfiguration();
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    // HBase's half a minute is too short for a master on a busy machine.
    conf.setLong("hbase.master.start.timeout.localHBaseCluster", 300_000);
    UTIL.startMiniCluster(
        StartMiniClusterOption.builder().numMasters(2).numRegionServers(2).numDataNodes(1).build());
    UTIL.getAdmin().balancerSwitch(false, true);
    UTIL.getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setCoprocessor(HoldsClose.class.getName())
                .build());
    try (var table = UTIL.getConnection().getTable(TABLE)) {
      table.put(new Put(ROW).addColumn(FAMILY, ROW, ROW));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    MAY_CLOSE.countDown();
    UTIL.shutdownMiniCluster();
  }

  @Test
  @FailsOnStock
  void aRegionThatIsMovedMeanwhileEndsNoRegionServer() throws Exception {
    var cluster = UTIL.getMiniHBaseCluster();
    var from = UTIL.getRSForFirstRegionInTable(TABLE);
    var to = UTIL.getOtherRegionServer(from);
    var region = UTIL.getAdmin().getRegions(TABLE).get(0).getEncodedNameAsBytes();
    var master = cluster.getMaster();

    var moved =
        CompletableFuture.runAsync(
            () -> {
              try {
                UTIL.getAdmin().move(region, to.getServerName());
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    CLOSING.await();
    // As the master does when it stops, seconds before its last response.
    master.getAssignmentManager().stop();
    MAY_CLOSE.countDown();
    await("a response").atMost(PATIENCE).until(() -> from.isAborted() || mustRetry());
    assertThat(from.isAborted()).as("the server that it was on aborted").isFalse();
    master.stop("another is to take over");

    // To where it was sent or back: the next master may know the one server before the other.
    await("the closed region open again")
        .atMost(PATIENCE)
        .until(() -> to.getRegions(TABLE).size() + from.getRegions(TABLE).size() == 1);
    assertThat(from.isAborted()).as("the server that it was on aborted").isFalse();
    assertThat(cluster.getMaster()).as("active master").isNotSameAs(master);
    moved.handle((done, failed) -> failed).get();
    try (var table = UTIL.getConnection().getTable(TABLE)) {
      assertThat(table.get(new Get(ROW)).value()).isEqualTo(ROW);
    }
  }

  /** A region server pauses before it reports to the master once more. */
  private static boolean mustRetry() {
    return Thread.getAllStackTraces().values().stream()
        .anyMatch(
            frames ->
                Stream.of(frames)
                        .anyMatch(
                            it ->
                                it.getClassName().equals(HRegionServer.class.getName())
                                    && it.getMethodName().equals("reportRegionStateTransition"))
                    && Stream.of(frames).anyMatch(it -> it.getMethodName().equals("sleep")));
  }
}
