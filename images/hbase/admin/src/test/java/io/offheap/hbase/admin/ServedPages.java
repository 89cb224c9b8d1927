package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A real master and real region servers that serve their own pages, with two tables. */
final class ServedPages implements AutoCloseable {
  /** A table with one region, one row and a snapshot. */
  static final TableName TABLE = TableName.valueOf("t");

  static final String SNAPSHOT = "s";

  /** A table with a region for each of {@link #WRITES}, in this order. */
  static final TableName SPLIT = TableName.valueOf("u");

  /** Rows that were written; as texts, in another order than as numbers. */
  static final int[] WRITES = {12, 3, 100};

  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final HBaseProcess process;
  private Connection connection;
  private String master;
  private String regionServer;
  private String region;
  private Path storeFile;

  private ServedPages(HBaseProcess process) {
    this.process = process;
  }

  static ServedPages start(Path folder) throws Exception {
    var pages = new ServedPages(HBaseProcess.start(folder));
    try {
      pages.connection = ConnectionFactory.createConnection(pages.process.clientConfiguration());
      await("HBase serves")
          .atMost(Duration.ofMinutes(3))
          .ignoreExceptions()
          .until(pages::hasServers);
      pages.fillTables();
      pages.find();
      return pages;
    } catch (Throwable e) {
      Files.readAllLines(folder.resolve("hbase.log")).forEach(System.err::println);
      pages.close();
      throw e;
    }
  }

  private boolean hasServers() throws IOException {
    assertThat(isAlive()).isTrue();
    try (var admin = admin()) {
      return admin.getRegionServers().size() == 2 && admin.tableExists(TableName.META_TABLE_NAME);
    }
  }

  private void fillTables() throws IOException {
    try (var admin = admin()) {
      var family = ColumnFamilyDescriptorBuilder.of(FAMILY);
      admin.createTable(TableDescriptorBuilder.newBuilder(TABLE).setColumnFamily(family).build());
      put(TABLE, "row");
      admin.flush(TABLE);
      admin.snapshot(SNAPSHOT, TABLE);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(SPLIT).setColumnFamily(family).build(),
          new byte[][] {Bytes.toBytes("1"), Bytes.toBytes("2")});
      for (int i = 0; i < WRITES.length; i++) {
        for (int row = 0; row < WRITES[i]; row++) {
          put(SPLIT, i + "-" + row);
        }
      }
    }
  }

  private void put(TableName name, String row) throws IOException {
    try (var table = connection.getTable(name)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes("a value")));
    }
  }

  private void find() throws IOException {
    try (var admin = admin();
        var locator = connection.getRegionLocator(TABLE)) {
      var location = locator.getAllRegionLocations().get(0);
      region = location.getRegion().getEncodedName();
      var metrics = admin.getClusterMetrics();
      master = "http://localhost:" + metrics.getMasterInfoPort();
      regionServer =
          "http://localhost:"
              + metrics.getLiveServerMetrics().get(location.getServerName()).getInfoServerPort();
    }
    var family = process.folder().resolve("root/data/default/t").resolve(region).resolve("f");
    try (var files = Files.list(family)) {
      storeFile = files.filter(it -> !it.getFileName().toString().startsWith(".")).findAny().get();
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Admin admin() throws IOException {
    return connection.getAdmin();
  }

  /** The master's address. */
  String master() {
    return master;
  }

  /** The address of the region server that serves {@link #region}. */
  String regionServer() {
    return regionServer;
  }

  /** The encoded name of the only region of {@link #TABLE}. */
  String region() {
    return region;
  }

  /** A file of this region. */
  Path storeFile() {
    return storeFile;
  }

  @Override
  public void close() throws Exception {
    try {
      if (connection != null) {
        connection.close();
      }
    } finally {
      process.close();
    }
  }
}
