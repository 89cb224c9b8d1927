package io.offheap.hbase.report.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;

/** The table that YCSB reads and writes. */
public final class LoadTable {
  static final TableName NAME = TableName.valueOf("report");
  private static final String SNAPSHOT = "report";
  static final byte[] FAMILY = "f".getBytes(US_ASCII);
  // What the name of YCSB's rows begins with; the digits of a long follow.
  private static final String PREFIX = "user";

  private static final long DEADLINE_NANOS = 120_000_000_000L;
  private static final long POLL_MILLIS = 200;

  private LoadTable() {}

  /**
   * Makes it ({@code make REGIONS}), takes a snapshot of it ({@code snapshot}), which flushes it,
   * brings it back to what the snapshot has ({@code restore}), spreads its regions over so many
   * servers ({@code spread SERVERS}) or waits until the master counts so many of them ({@code
   * servers SERVERS}).
   */
  public static void main(String[] args) throws IOException, InterruptedException {
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
        case "servers" -> awaitServers(admin, Integer.parseInt(args[1]));
        case "spread" -> {
          awaitServers(admin, Integer.parseInt(args[1]));
          spread(admin);
        }
        default -> throw new IllegalArgumentException(args[0]);
      }
    }
  }

  /** Waits until each region of each table is open, as the servers themselves report. */
  static void awaitRegions() throws IOException, InterruptedException {
    try (var connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        var admin = connection.getAdmin()) {
      var regions = new HashSet<RegionInfo>();
      for (TableName name : admin.listTableNames()) {
        regions.addAll(admin.getRegions(name));
      }
      await("regions", () -> served(admin).containsAll(regions));
    }
  }

  /** A number that grows until something is done. */
  interface Counter {
    long count() throws IOException;
  }

  /** Waits until a counter is not 0 and was the same for some seconds. */
  static void awaitStill(String what, Counter counter) throws IOException, InterruptedException {
    var still = new Still();
    await(what, () -> still.isSo(System.nanoTime(), counter.count()));
  }

  /** Whether a number has been the same for some seconds. */
  static final class Still {
    // Twice the time after which regions begin to read ahead.
    static final long NANOS = 3_000_000_000L;
    private long value;
    private long since;

    boolean isSo(long nanos, long present) {
      if (present != value) {
        value = present;
        since = nanos;
      }
      return value != 0 && nanos - since >= NANOS;
    }
  }

  private static void awaitServers(Admin admin, int servers)
      throws IOException, InterruptedException {
    await("servers", () -> admin.getRegionServers().size() == servers);
  }

  /** Each server gets as many, whatever the balancer would do and when. */
  private static void spread(Admin admin) throws IOException, InterruptedException {
    admin.balancerSwitch(false, true);
    var regions = admin.getRegions(NAME);
    // A region that is being assigned cannot be moved.
    await("regions", () -> served(admin).containsAll(regions));
    var servers = admin.getRegionServers().stream().sorted().toList();
    for (int i = 0; i < regions.size(); i++) {
      admin.move(regions.get(i).getEncodedNameAsBytes(), servers.get(i % servers.size()));
    }
  }

  /** Returns the regions that the servers themselves report; one that starts has none yet. */
  static Set<RegionInfo> served(Admin admin) throws IOException {
    var served = new HashSet<RegionInfo>();
    for (var server : admin.getRegionServers()) {
      try {
        served.addAll(admin.getRegions(server));
      } catch (ServerNotRunningYetException e) {
        // The master lists a server before it responds.
      }
    }
    return served;
  }

  /** Whether a server responds; the master lists one before it does. */
  static boolean isOnline(Admin admin, ServerName server) throws IOException {
    try {
      admin.getRegions(server);
      return true;
    } catch (ServerNotRunningYetException e) {
      return false;
    }
  }

  /** A state of the cluster. */
  interface Condition {
    boolean holds() throws IOException;
  }

  /**
   * Waits for a state.
   *
   * @throws IOException if it does not come, or cannot be seen
   */
  static void await(String what, Condition condition) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!condition.holds()) {
      if (System.nanoTime() - begin > DEADLINE_NANOS) {
        throw new IOException("no " + what + " after two minutes");
      }
      Thread.sleep(POLL_MILLIS);
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
