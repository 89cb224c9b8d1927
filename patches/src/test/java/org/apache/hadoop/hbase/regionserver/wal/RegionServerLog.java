package org.apache.hadoop.hbase.regionserver.wal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A region server's log over a real HDFS. */
abstract class RegionServerLog {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final TableName TABLE = TableName.valueOf("t");
  static final byte[] FAMILY = Bytes.toBytes("f");

  private final HBaseTestingUtility util = new HBaseTestingUtility();
  private HRegionServer server;
  HRegion region;
  AsyncFSWAL wal;

  @BeforeEach
  void start() throws Exception {
    var conf = util.getConfiguration();
    conf.setInt(HConstants.MASTER_INFO_PORT, -1);
    conf.setInt(HConstants.REGIONSERVER_INFO_PORT, -1);
    // HBase's half a minute is too short for a master on a busy machine.
    conf.setLong("hbase.master.start.timeout.localHBaseCluster", 300_000);
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
  void stop() throws Exception {
    util.killMiniHBaseCluster();
    util.shutdownMiniZKCluster();
    // HDFS closes the files of its clients. A killed server closes its log at the same time, and
    // the second to close it may fail, or, as published, wait for ever on a connection that has
    // ended.
    var hdfs = CompletableFuture.runAsync(this::stopHdfs);
    try {
      hdfs.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      // It ends with the JVM, as the server does.
    }
  }

  private void stopHdfs() {
    try {
      util.shutdownMiniDFSCluster();
    } catch (IllegalStateException e) {
      // The file of a killed server waits for an acknowledgement. It ends with the JVM.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] value(String row, int size) {
    byte[] value = new byte[size];
    new Random(row.hashCode() + size).nextBytes(value);
    return value;
  }

  /** Without a request, which would take of the same memory. */
  CompletableFuture<Void> put(String row, int... sizes) {
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

  void assertOnTheNextServer(String row, int... sizes) throws IOException {
    server.abort("says the test");
    util.waitUntilAllRegionsAssigned(TABLE, 3 * PATIENCE.toMillis());
    try (var table = util.getConnection().getTable(TABLE)) {
      var result = table.get(new Get(Bytes.toBytes(row)));
      for (int size : sizes) {
        assertThat(result.getValue(FAMILY, Bytes.toBytes(size))).isEqualTo(value(row, size));
      }
    }
  }
}
