package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The everyday commands against a real HBase; repairs are in {@link RepairsIT}. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("verify")
class RealHBaseIT {
  private static RealHBase hbase;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    hbase = RealHBase.start(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    try (var closed = hbase) {
      assertThat(closed.process().isAlive()).isTrue();
    }
  }

  /** Before the others, while the region servers have no regions but HBase's own. */
  @Test
  @Order(1)
  void pageHasWhatTheCommandsPrint(@TempDir Path folder) throws Exception {
    var page = new AdminPage();
    page.substitute("file:///tmp/backup", folder.resolve("backup").toUri().toString());
    var servers = hbase.admin().getRegionServers().stream().sorted().toList();
    hbase.admin().balancerSwitch(false, true);
    hbase.move("hbase:meta", servers.get(0));
    hbase.move("hbase:namespace", servers.get(0));

    page.check(
        command -> {
          if (command.equals("regions list --table orders")) {
            hbase.move("orders", servers.get(1), servers.get(1), servers.get(0));
          } else if (command.startsWith("scan orders")) {
            putOrders();
          }
          hbase.run(command.split(" "));
          return hbase.out() + hbase.error();
        });
  }

  private static void putOrders() throws Exception {
    long now = System.currentTimeMillis();
    var family = Bytes.toBytes("d");
    try (var table = hbase.connection().getTable(TableName.valueOf("orders"))) {
      for (int i = 0; i < 20; i++) {
        table.put(
            new Put(Bytes.toBytes(String.format("%05d", 2 * i)), now)
                .addColumn(family, new byte[] {0, 1}, Bytes.toBytes(i))
                .addColumn(family, Bytes.toBytes("item"), Bytes.toBytes("item-" + i)));
      }
    }
  }

  @Test
  void tableIsCreatedAlteredDisabledAndDropped() throws Exception {
    hbase.done(
        "tables",
        "create",
        "t1",
        "--family",
        "d:BLOCKSIZE=16384",
        "--family",
        "e",
        "--split",
        "b,\\xFF\\x00",
        "--set",
        "MAX_FILESIZE=1000000000");
    var name = TableName.valueOf("t1");
    assertThat(hbase.admin().getDescriptor(name).getMaxFileSize()).isEqualTo(1_000_000_000L);
    assertThat(hbase.admin().getRegions(name).get(2).getStartKey()).isEqualTo(new byte[] {-1, 0});
    assertThat(hbase.all("table", "tables", "list")).contains("t1");
    assertThat(hbase.all("table", "tables", "list")).doesNotContain("hbase:meta");
    assertThat(hbase.failure("tables", "create", "t1", "--family", "d"))
        .isEqualTo("admin: table 't1' exists already\n");

    hbase.done(
        "tables",
        "alter",
        "t1",
        "--family",
        "d:COMPRESSION=GZ",
        "--family",
        "f",
        "--drop-family",
        "e",
        "--unset",
        "MAX_FILESIZE",
        "--set",
        "hbase.a=b",
        "--yes");
    assertThat(hbase.done("tables", "describe", "t1"))
        .contains("t1, enabled", "hbase.a=b", "family d", "BLOCKSIZE=16384", "COMPRESSION=GZ")
        .contains("family f")
        .doesNotContain("family e", "MAX_FILESIZE");

    assertThat(hbase.failure("tables", "drop", "t1", "--yes"))
        .startsWith("admin: the table must be disabled first: ");
    hbase.done("tables", "disable", "t1", "--yes");
    assertThat(hbase.done("tables", "list")).containsPattern("t1 +disabled +d,f");
    hbase.done("tables", "enable", "t1");
    hbase.done("tables", "disable", "t1", "--yes");
    hbase.done("tables", "drop", "t1", "--yes");
    assertThat(hbase.admin().tableExists(name)).isFalse();
    assertThat(hbase.failure("tables", "describe", "t1"))
        .isEqualTo("admin: table 't1' does not exist\n");
    for (var command :
        List.of(
            "tables enable t1",
            "tables alter t1 --family d",
            "regions list --table t1",
            "regions locate t1 a",
            "regions flush --table t1",
            "regions compact --table t1",
            "snapshots create t1 s",
            "scan t1",
            "get t1 a")) {
      assertThat(hbase.failure(command.split(" "))).isEqualTo("admin: table 't1' does not exist\n");
    }
  }

  @Test
  void regionIsMovedSplitMergedAndFlushed() throws Exception {
    hbase.done("tables", "create", "t2", "--family", "d", "--split", "row030,row050");
    hbase.put("t2", 100);
    var regions = hbase.all("region", "regions", "list", "--table", "t2");
    assertThat(regions).hasSize(3);
    assertThat(hbase.run("regions", "list", "--table", "t2", "--limit", "1")).isZero();
    assertThat(hbase.out().lines()).hasSize(2);
    assertThat(hbase.error()).contains("more than these 1 regions");
    var first = regions.get(0);
    assertThat(hbase.done("regions", "locate", "t2", "row029")).contains(first);
    var fullName = hbase.admin().getRegions(TableName.valueOf("t2")).get(0).getRegionNameAsString();

    var servers = hbase.all("server", "servers", "list");
    var target = servers.get(1);
    hbase.done("regions", "move", first, target);
    assertThat(hbase.all("region", "regions", "list", "--server", target)).contains(first);
    hbase.done("regions", "move", fullName, servers.get(2));
    assertThat(hbase.all("region", "regions", "list", "--server", servers.get(2))).contains(first);
    assertThat(hbase.failure("regions", "move", first, "nowhere"))
        .startsWith("admin: SERVER: 'nowhere' must be one live region server")
        .contains(target);
    assertThat(hbase.failure("regions", "move", "0123456789abcdef0123456789abcdef"))
        .startsWith("admin: there is no such region");

    hbase.done("regions", "unassign", first, "--yes");
    assertThat(hbase.holders(first)).isEmpty();
    hbase.done("regions", "assign", first);
    assertThat(hbase.holders(first)).hasSize(1);
    assertThat(hbase.done("regions", "in-transition").lines()).hasSize(1);
    hbase.done("regions", "flush", "--region", first);
    hbase.put("t2", 100);
    hbase.done("regions", "flush", "--table", "t2");
    // Too few files for a minor compaction.
    assertThat(storeFiles(first)).isEqualTo(2);
    hbase.done("regions", "compact", "--region", first, "--major");
    await("one file is left").atMost(Duration.ofMinutes(2)).until(() -> storeFiles(first) == 1);
    hbase.done("regions", "compact", "--table", "t2");
    await("the compaction ends")
        .atMost(Duration.ofMinutes(2))
        .until(() -> hbase.done("regions", "compaction", "--table", "t2").contains("NONE"));

    hbase.done("regions", "merge", first, regions.get(1));
    assertThat(hbase.all("startKey", "regions", "list", "--table", "t2"))
        .containsExactly("", "row050");
    hbase.done("regions", "split", regions.get(2), "--at", "row070");
    assertThat(hbase.all("startKey", "regions", "list", "--table", "t2"))
        .containsExactly("", "row050", "row070");
    assertThat(hbase.done("scan", "t2", "--start", "row019", "--stop", "row022"))
        .contains("value19", "value21")
        .doesNotContain("value22");
  }

  @Test
  void switchesAndRuns() {
    assertThat(hbase.done("balancer", "off")).startsWith("balancer off (was ");
    assertThat(hbase.done("balancer", "state")).isEqualTo("BALANCER  off\n");
    assertThat(hbase.failure("balancer", "run")).startsWith("admin: the balancer did not run");
    assertThat(hbase.done("balancer", "on")).isEqualTo("balancer on (was off)\n");
    assertThat(hbase.done("normalizer", "on")).startsWith("normalizer on");
    assertThat(hbase.done("normalizer", "state")).isEqualTo("NORMALIZER  on\n");
    hbase.done("normalizer", "run");
    assertThat(hbase.done("normalizer", "off")).isEqualTo("normalizer off (was on)\n");
    assertThat(hbase.failure("normalizer", "run")).startsWith("admin: the normalizer did not run");
  }

  @Test
  void proceduresAndLocksAreListed() {
    hbase.done("tables", "create", "t3", "--family", "d");
    assertThat(hbase.done("procedures", "list", "--all"))
        .contains("CreateTableProcedure", "SUCCESS");
    assertThat(hbase.all("procedure", "procedures", "list")).doesNotContain("CreateTableProcedure");
    assertThat(hbase.done("locks", "list")).startsWith("KIND  NAME  LOCK");
  }

  private static int storeFiles(String region) throws Exception {
    return hbase.admin().getRegionMetrics(hbase.holders(region).get(0)).stream()
        .filter(it -> RegionInfo.encodeRegionName(it.getRegionName()).equals(region))
        .findFirst()
        .orElseThrow()
        .getStoreFileCount();
  }

  @Test
  void drainedServerGetsNoRegionsUntilItIsRecommissioned() throws Exception {
    hbase.done("tables", "create", "t12", "--family", "d");
    var region = hbase.all("region", "regions", "list", "--table", "t12").get(0);
    var servers = hbase.admin().getRegionServers().stream().sorted().toList();
    var server = servers.get(0).getServerName();
    hbase.move("t12", servers.get(0));
    hbase.done("servers", "decommission", server, "--offload");
    await("its regions are moved")
        .atMost(Duration.ofMinutes(2))
        .until(() -> hbase.admin().getRegions(servers.get(0)).isEmpty());
    await("the other server has opened it")
        .atMost(Duration.ofMinutes(2))
        .until(() -> hbase.holders(region).equals(List.of(servers.get(1))));
    assertThat(hbase.all("server", "servers", "draining")).containsExactly(server);
    assertThat(hbase.all("state", "servers", "list"))
        .containsExactlyInAnyOrder("active", "draining", "live");
    hbase.done("servers", "recommission", server);
    assertThat(hbase.all("server", "servers", "draining")).isEmpty();
    assertThat(hbase.failure("servers", "decommission", "localhost"))
        .contains("must be one live region server");
  }

  @Test
  void snapshotIsClonedRestoredExportedAndDeleted(@TempDir Path folder) throws Exception {
    hbase.done("tables", "create", "t5", "--family", "d");
    hbase.put("t5", 3);
    hbase.done("snapshots", "create", "t5", "s5");
    assertThat(hbase.failure("snapshots", "create", "t5", "s5")).contains("exists already");
    assertThat(hbase.all("snapshot", "snapshots", "list", "--table", "t5")).containsExactly("s5");
    hbase.done("snapshots", "clone", "s5", "t5b");
    assertThat(hbase.done("scan", "t5b")).contains("value2");

    hbase.put("t5", 5);
    assertThat(hbase.failure("snapshots", "restore", "s5", "--yes")).contains("disabled");
    hbase.done("tables", "disable", "t5", "--yes");
    hbase.done("snapshots", "restore", "s5", "--yes");
    hbase.done("tables", "enable", "t5");
    assertThat(hbase.done("scan", "t5")).contains("value2").doesNotContain("value3");

    var target = folder.resolve("backup");
    hbase.done("snapshots", "export", "s5", "--no-checksums", "--to", target.toUri().toString());
    try (var files = Files.walk(target)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains(".snapshotinfo", "data.manifest");
    }
    assertThat(hbase.failure("snapshots", "export", "none", "--to", target.toUri().toString()))
        .isEqualTo("admin: snapshot 'none' does not exist\n");
    var url = new org.apache.hadoop.fs.Path(target.toUri()).toString().replaceFirst("/$", "");
    assertThat(hbase.failure("snapshots", "export", "s5", "--to", url))
        .startsWith("admin: snapshot 's5' exists already at " + url);
    assertThat(hbase.failure("snapshots", "import", "s5", "--from", url))
        .startsWith("admin: snapshot 's5' exists already at file:")
        .endsWith(" (--overwrite)\n");

    hbase.done("snapshots", "delete", "s5", "--yes");
    assertThat(hbase.all("snapshot", "snapshots", "list", "--table", "t5")).isEmpty();
    assertThat(hbase.failure("snapshots", "delete", "s5", "--yes")).contains("does not exist");
    assertThat(hbase.failure("snapshots", "restore", "s5", "--yes")).contains("s5");
  }

  /** The table and all of its files are deleted: what is read afterwards was in the export. */
  @Test
  void exportedSnapshotIsImportedAfterItsTableIsDeleted(@TempDir Path folder) throws Exception {
    var url = new org.apache.hadoop.fs.Path(folder.resolve("backup").toUri()).toString();
    hbase.done("tables", "create", "t8", "--family", "d");
    hbase.put("t8", 3);
    hbase.done("snapshots", "create", "t8", "s8");
    hbase.done("snapshots", "export", "s8", "--no-checksums", "--to", url);
    hbase.done("snapshots", "delete", "s8", "--yes");
    hbase.done("tables", "disable", "t8", "--yes");
    hbase.done("tables", "drop", "t8", "--yes");
    FileUtils.deleteDirectory(
        hbase.process().folder().resolve("root/archive/data/default/t8").toFile());

    hbase.done("snapshots", "import", "s8", "--no-checksums", "--from", url);

    assertThat(hbase.all("snapshot", "snapshots", "list", "--table", "t8")).containsExactly("s8");
    hbase.done("snapshots", "clone", "s8", "t8");
    assertThat(hbase.done("scan", "t8")).contains("value0", "value2");
    hbase.done("snapshots", "import", "s8", "--no-checksums", "--overwrite", "--from", url);
    assertThat(hbase.all("snapshot", "snapshots", "list", "--table", "t8")).containsExactly("s8");
    assertThat(hbase.failure("snapshots", "import", "none", "--from", url))
        .startsWith("admin: snapshot 'none' does not exist at " + url);
    assertThat(hbase.failure("snapshots", "import", "s8", "--from", "hdfs://localhost:1/hbase"))
        .startsWith(
            "admin: the file system of hdfs://localhost:1/hbase does not accept connections");
    var own = hbase.process().folder().resolve("root").toUri().toString();
    assertThat(hbase.failure("snapshots", "import", "s8", "--overwrite", "--from", own))
        .endsWith(" is this cluster's own root directory\n");
    assertThat(hbase.all("snapshot", "snapshots", "list", "--table", "t8")).containsExactly("s8");
  }

  @Test
  void interruptedImportNeedsOverwrite(@TempDir Path folder) throws Exception {
    var url = folder.resolve("backup").toUri().toString();
    hbase.done("tables", "create", "t9", "--family", "d");
    hbase.done("snapshots", "create", "t9", "s9");
    hbase.done("snapshots", "export", "s9", "--no-checksums", "--to", url);
    hbase.done("snapshots", "delete", "s9", "--yes");
    Files.createDirectories(hbase.process().folder().resolve("root/.hbase-snapshot/.tmp/s9"));

    assertThat(hbase.failure("snapshots", "import", "s9", "--no-checksums", "--from", url))
        .contains("is under way or was interrupted; --overwrite deletes it and starts again");
    hbase.done("snapshots", "import", "s9", "--no-checksums", "--overwrite", "--from", url);

    assertThat(hbase.all("snapshot", "snapshots", "list", "--table", "t9")).containsExactly("s9");
  }

  @Test
  void rowsAreShownInBytesThatCanBeGivenBack() throws Exception {
    hbase.done("tables", "create", "t6", "--family", "d");
    try (var table = hbase.connection().getTable(TableName.valueOf("t6"))) {
      for (int i = 0; i < 12; i++) {
        table.put(
            new Put(new byte[] {(byte) 0xff, (byte) i})
                .addColumn(Bytes.toBytes("d"), new byte[] {0}, 7, new byte[300]));
      }
    }
    assertThat(hbase.run("scan", "t6", "-o", "json")).isZero();
    assertThat(hbase.json()).hasSize(10);
    assertThat(hbase.error()).contains("there are more rows than 10 (--limit)");
    var last = hbase.json().get(9).getAsJsonObject();
    assertThat(last.get("row").getAsString()).isEqualTo("\\xFF\\x09");
    assertThat(last.get("valueLength").getAsInt()).isEqualTo(300);
    assertThat(last.get("value").getAsString()).hasSize(256 * 4 + 3).endsWith("\\x00...");
    assertThat(hbase.all("row", "scan", "t6", "--reverse", "--start", "\\xFF\\x01"))
        .containsExactly("\\xFF\\x01", "\\xFF\\x00");
    assertThat(hbase.all("row", "scan", "t6", "--prefix", "\\xFF\\x0B"))
        .containsExactly("\\xFF\\x0B");
    assertThat(hbase.all("timestamp", "get", "t6", "\\xFF\\x09", "--column", "d:\\x00"))
        .containsExactly("7");
    assertThat(hbase.failure("get", "t6", "none")).contains("no such row or column: 'none'");
    assertThat(hbase.failure("get", "t6", "\\xFF\\x09", "--column", "x")).contains("x");
  }

  /** With the codecs that the image sets, by HFiles that a region server writes and reads. */
  @ParameterizedTest
  @ValueSource(strings = {"ZSTD", "SNAPPY", "GZ"})
  void compressedTableIsWrittenAndRead(String compression) throws Exception {
    var table = "t7" + compression;
    hbase.done(
        "tables", "create", table, "--family", "d:BLOCKCACHE=false,COMPRESSION=" + compression);
    hbase.put(table, 100);
    hbase.done("regions", "flush", "--table", table);

    assertThat(hbase.done("get", table, "row042")).contains("value42");
    var region = hbase.admin().getRegions(TableName.valueOf(table)).get(0).getEncodedName();
    var store =
        hbase.process().folder().resolve("root/data/default/" + table + "/" + region + "/d");
    assertThat(compressions(store)).containsExactly(compression);
  }

  private static List<String> compressions(Path store) throws Exception {
    var compressions = new ArrayList<String>();
    var local = FileSystem.getLocal(new Configuration());
    for (var file : local.listStatus(new org.apache.hadoop.fs.Path(store.toUri()))) {
      try (var in = local.open(file.getPath())) {
        compressions.add(
            FixedFileTrailer.readFromStream(in, file.getLen()).getCompressionCodec().name());
      }
    }
    return compressions;
  }

  @Test
  void stoppedHBaseIsNotWaitedForLongerThanTheDeadline() throws Exception {
    hbase.process().signal("STOP");
    try {
      assertThat(hbase.failure("tables", "list", "--timeout", "2"))
          .startsWith("admin: no response within 2 s (--timeout), waiting for ");
    } finally {
      hbase.process().signal("CONT");
    }
  }
}
