package io.offheap.hbase.report.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The table that YCSB reads and writes. */
public final class LoadTable {
  static final TableName NAME = TableName.valueOf("report");
  private static final String SNAPSHOT = "report";
  static final byte[] FAMILY = "f".getBytes(US_ASCII);
  // What the name of YCSB's rows begins with; the digits of a long follow.
  private static final String PREFIX = "user";

  private LoadTable() {}

  /**
   * Makes it ({@code make REGIONS}), takes a snapshot of it ({@code snapshot}), which flushes it,
   * or brings it back to what the snapshot has ({@code restore}).
   */
  public static void main(String[] args) throws IOException {
    try (var connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        var admin = connection.getAdmin()) {
      switch (args[0]) {
        case "make" -> make(admin, Integer.parseInt(args[1]));
        case "snapshot" -> admin.snapshot(SNAPSHOT, NAME);
        case "restore" -> {
          admin.disableTable(NAME);
          admin.restoreSnapshot(SNAPSHOT, false);
          admin.enableTable(NAME);
        }
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
  }

  private static void make(Admin admin, int regions) throws IOException {
    var table =
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setRegionSplitPolicyClassName(
                "org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy")
            .build();
    byte[][] splits = splits(regions);
    if (splits.length == 0) {
      admin.createTable(table);
    } else {
      admin.createTable(table, splits);
    }
  }

  /** As YCSB names a row, with its property {@code zeropadding} as 19. */
  static String rowName(long hash) {
    return PREFIX + "%019d".formatted(hash);
  }

  static long hash(String row) {
    return Long.parseLong(row, PREFIX.length(), row.length(), 10);
  }

  /** YCSB's rows are hashes, so each region gets as many. */
  static byte[][] splits(int regions) {
    var splits = new byte[regions - 1][];
    Arrays.setAll(splits, i -> rowName(Long.MAX_VALUE / regions * (i + 1)).getBytes(US_ASCII));
    return splits;
  }
}
