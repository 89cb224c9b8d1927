package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.hfile.FixedFileTrailer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
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

/** The commands against a real HBase. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("verify")
class RealHBaseIT {
  private static HBaseProcess hbase;
  private static Connection connection;

  private String out;
  private String error;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    hbase = HBaseProcess.start(folder);
    try {
      var tool = new RealHBaseIT();
      await("HBase serves")
          .atMost(Duration.ofMinutes(3))
          .until(
              () -> {
                assertThat(hbase.isAlive()).isTrue();
                return tool.run("servers", "list", "-o", "json") == 0
                    && tool.json().size() == 3
                    && tool.run("scan", "hbase:meta") == 0;
              });
      connection = ConnectionFactory.createConnection(hbase.clientConfiguration());
    } catch (Throwable e) {
      Files.readAllLines(folder.resolve("hbase.log")).forEach(System.err::println);
      throw e;
    }
  }

  @AfterAll
  static void stop() throws Exception {
    try (var closedLast = hbase;
        var closedFirst = connection) {
      assertThat(hbase.isAlive()).isTrue();
    }
  }

  private int run(String... args) {
    var run = AdminRun.of(hbase.clientConfiguration(), args);
    out = run.out();
    error = run.error();
    return run.status();
  }

  /** Runs a command that must succeed without a remark. */
  private String done(String... args) {
    assertThat(run(args)).describedAs("%s: %s", List.of(args), error()).isZero();
    assertThat(error).isEmpty();
    return out;
  }

  private String error() {
    return error;
  }

  /** Runs a command that HBase must refuse. */
  private String failure(String... args) {
    assertThat(run(args)).describedAs("%s: %s", List.of(args), out).isEqualTo(AdminTool.FAILED);
    assertThat(error).startsWith("admin: ").doesNotContain("\tat ");
    assertThat(error.lines()).hasSize(1);
    return error;
  }

  private JsonArray json() {
    return JsonParser.parseString(out).getAsJsonArray();
  }

  private List<String> all(String field, String... args) {
    var command = new ArrayList<>(List.of(args));
    command.addAll(List.of("-o", "json"));
    done(command.toArray(new String[0]));
    return json().asList().stream()
        .map(JsonElement::getAsJsonObject)
        .map(row -> row.get(field))
        .map(value -> value.isJsonNull() ? null : value.getAsString())
        .toList();
  }

  private static Admin admin() throws Exception {
    return connection.getAdmin();
  }

  private static void put(String table, int rows) throws Exception {
    try (var target = connection.getTable(TableName.valueOf(table))) {
      for (int i = 0; i < rows; i++) {
        target.put(
            new Put(Bytes.toBytes(String.format("row%03d", i)))
                .addColumn(Bytes.toBytes("d"), Bytes.toBytes("q"), Bytes.toBytes("value" + i)));
      }
    }
  }

  /** Before the others, while the region servers have no regions but HBase's own. */
  @Test
  @Order(1)
  void pageHasWhatTheCommandsPrint(@TempDir Path folder) throws Exception {
    var page = new AdminPage();
    page.substitute("file:///tmp/backup", folder.resolve("backup").toUri().toString());
    var servers = admin().getRegionServers().stream().sorted().toList();
    admin().balancerSwitch(false, true);
    move("hbase:meta", servers.get(0));
    move("hbase:namespace", servers.get(0));

    page.check(
        command -> {
          if (command.equals("regions list --table orders")) {
            move("orders", servers.get(1), servers.get(1), servers.get(0));
          } else if (command.startsWith("scan orders")) {
            putOrders();
          }
          run(command.split(" "));
          return out + error;
        });
  }

  /** To these servers, in the order of the regions: HBase itself distributes them at random. */
  private static void move(String table, ServerName... servers) throws Exception {
    var regions = admin().getRegions(TableName.valueOf(table));
    assertThat(regions).hasSameSizeAs(servers);
    for (int i = 0; i < servers.length; i++) {
      if (!admin().getRegions(servers[i]).contains(regions.get(i))) {
        admin().move(regions.get(i).getEncodedNameAsBytes(), servers[i]);
      }
    }
  }

  private static void putOrders() throws Exception {
    long now = System.currentTimeMillis();
    var family = Bytes.toBytes("d");
    try (var table = connection.getTable(TableName.valueOf("orders"))) {
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
    done(
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
    assertThat(admin().getDescriptor(name).getMaxFileSize()).isEqualTo(1_000_000_000L);
    assertThat(admin().getRegions(name).get(2).getStartKey()).isEqualTo(new byte[] {-1, 0});
    assertThat(all("table", "tables", "list")).contains("t1");
    assertThat(all("table", "tables", "list")).doesNotContain("hbase:meta");
    assertThat(failure("tables", "create", "t1", "--family", "d"))
        .isEqualTo("admin: table 't1' exists already\n");

    done(
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
    assertThat(done("tables", "describe", "t1"))
        .contains("t1, enabled", "hbase.a=b", "family d", "BLOCKSIZE=16384", "COMPRESSION=GZ")
        .contains("family f")
        .doesNotContain("family e", "MAX_FILESIZE");

    assertThat(failure("tables", "drop", "t1", "--yes"))
        .startsWith("admin: the table must be disabled first: ");
    done("tables", "disable", "t1", "--yes");
    assertThat(done("tables", "list")).containsPattern("t1 +disabled +d,f");
    done("tables", "enable", "t1");
    done("tables", "disable", "t1", "--yes");
    done("tables", "drop", "t1", "--yes");
    assertThat(admin().tableExists(name)).isFalse();
    assertThat(failure("tables", "describe", "t1")).isEqualTo("admin: table 't1' does not exist\n");
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
      assertThat(failure(command.split(" "))).isEqualTo("admin: table 't1' does not exist\n");
    }
  }

  @Test
  void regionIsMovedSplitMergedAndFlushed() throws Exception {
    done("tables", "create", "t2", "--family", "d", "--split", "row030,row050");
    put("t2", 100);
    var regions = all("region", "regions", "list", "--table", "t2");
    assertThat(regions).hasSize(3);
    assertThat(run("regions", "list", "--table", "t2", "--limit", "1")).isZero();
    assertThat(out.lines()).hasSize(2);
    assertThat(error).contains("more than these 1 regions");
    var first = regions.get(0);
    assertThat(done("regions", "locate", "t2", "row029")).contains(first);
    var fullName = admin().getRegions(TableName.valueOf("t2")).get(0).getRegionNameAsString();

    var servers = all("server", "servers", "list");
    var target = servers.get(1);
    done("regions", "move", first, target);
    assertThat(all("region", "regions", "list", "--server", target)).contains(first);
    done("regions", "move", fullName, servers.get(2));
    assertThat(all("region", "regions", "list", "--server", servers.get(2))).contains(first);
    assertThat(failure("regions", "move", first, "nowhere"))
        .startsWith("admin: SERVER: 'nowhere' must be one live region server")
        .contains(target);
    assertThat(failure("regions", "move", "0123456789abcdef0123456789abcdef"))
        .startsWith("admin: there is no such region");

    done("regions", "unassign", first, "--yes");
    assertThat(holders(first)).isEmpty();
    done("regions", "assign", first);
    assertThat(holders(first)).hasSize(1);
    assertThat(done("regions", "in-transition").lines()).hasSize(1);
    done("regions", "flush", "--region", first);
    put("t2", 100);
    done("regions", "flush", "--table", "t2");
    // Too few files for a minor compaction.
    assertThat(storeFiles(first)).isEqualTo(2);
    done("regions", "compact", "--region", first, "--major");
    await("one file is left").until(() -> storeFiles(first) == 1);
    done("regions", "compact", "--table", "t2");
    await("the compaction ends")
        .until(() -> done("regions", "compaction", "--table", "t2").contains("NONE"));

    done("regions", "merge", first, regions.get(1));
    assertThat(all("startKey", "regions", "list", "--table", "t2")).containsExactly("", "row050");
    done("regions", "split", regions.get(2), "--at", "row070");
    assertThat(all("startKey", "regions", "list", "--table", "t2"))
        .containsExactly("", "row050", "row070");
    assertThat(done("scan", "t2", "--start", "row019", "--stop", "row022"))
        .contains("value19", "value21")
        .doesNotContain("value22");
  }

  @Test
  void switchesAndRuns() {
    assertThat(done("balancer", "off")).startsWith("balancer off (was ");
    assertThat(done("balancer", "state")).isEqualTo("BALANCER  off\n");
    assertThat(failure("balancer", "run")).startsWith("admin: the balancer did not run");
    assertThat(done("balancer", "on")).isEqualTo("balancer on (was off)\n");
    assertThat(done("normalizer", "on")).startsWith("normalizer on");
    assertThat(done("normalizer", "state")).isEqualTo("NORMALIZER  on\n");
    done("normalizer", "run");
    assertThat(done("normalizer", "off")).isEqualTo("normalizer off (was on)\n");
    assertThat(failure("normalizer", "run")).startsWith("admin: the normalizer did not run");
  }

  @Test
  void proceduresAndLocksAreListed() {
    done("tables", "create", "t3", "--family", "d");
    assertThat(done("procedures", "list", "--all")).contains("CreateTableProcedure", "SUCCESS");
    assertThat(all("procedure", "procedures", "list")).doesNotContain("CreateTableProcedure");
    assertThat(done("locks", "list")).startsWith("KIND  NAME  LOCK");
  }

  @Test
  void repairsAreHandedToTheMaster() throws Exception {
    done("tables", "create", "t4", "--family", "d");
    var region = all("region", "regions", "list", "--table", "t4").get(0);
    var ids = all("procedure", "hbck", "unassigns", region, "--yes");
    await("the region is closed")
        .until(() -> !all("id", "procedures", "list").contains(ids.get(0)));
    assertThat(holders(region)).isEmpty();
    assertThat(all("procedure", "hbck", "assigns", region)).hasSize(1);
    await("the region is open").until(() -> run("scan", "t4") == 0);
    assertThat(failure("hbck", "assigns", "0123456789abcdef0123456789abcdef"))
        .startsWith(
            "admin: the master does not know all of these regions: 0123456789abcdef0123456789abcdef");
    assertThat(run("hbck", "bypass", "1", "--yes")).isZero();
    assertThat(out).containsPattern("1 +false");
    assertThat(error).contains("was not bypassed");
    done("hbck", "fix-meta");
    done("hbck", "run-chore");
    assertThat(done("hbck", "set-table-state", "t4", "DISABLED", "--yes"))
        .isEqualTo("table t4 DISABLED (was ENABLED)\n");
    assertThat(admin().isTableDisabled(TableName.valueOf("t4"))).isTrue();
    assertThat(done("hbck", "set-table-state", "t4", "ENABLED", "--yes"))
        .isEqualTo("table t4 ENABLED (was DISABLED)\n");
    assertThat(done("hbck", "set-region-state", region, "CLOSED", "--yes"))
        .isEqualTo("region " + region + " CLOSED (was OPEN)\n");
    assertThat(done("hbck", "set-region-state", region, "OPEN", "--yes"))
        .isEqualTo("region " + region + " OPEN (was CLOSED)\n");
    assertThat(done("hbck", "set-region-state", region, "OPEN", "--yes"))
        .isEqualTo("region " + region + " OPEN (was OPEN)\n");
    assertThat(done("hbck", "recover-unknown", "--yes")).isEqualTo("PROCEDURE\n");
  }

  /** No server can open a region with a file that is no HFile, and the master tries for ever. */
  @Test
  void stuckRegionIsListedAndServesAfterItsProcedureIsBypassed(@TempDir Path folder)
      throws Exception {
    done("tables", "create", "t10", "--family", "d");
    put("t10", 3);
    done("regions", "flush", "--table", "t10");
    var region = all("region", "regions", "list", "--table", "t10").get(0);
    done("regions", "unassign", region, "--yes");
    var file = onlyStoreFile("t10", region);
    var kept = Files.move(file, folder.resolve("kept"));
    Files.write(file, new byte[4096]);

    var procedure = all("procedure", "hbck", "assigns", region).get(0);
    await("a server has refused to open it")
        .atMost(Duration.ofMinutes(1))
        .until(() -> all("parent", "procedures", "list", "--all").contains(procedure));

    assertThat(all("region", "regions", "in-transition")).contains(region);
    assertThat(all("id", "procedures", "list")).contains(procedure);
    assertThat(all("owner", "locks", "list")).contains(procedure);
    assertThat(all("name", "locks", "list")).contains(region);
    assertThat(failure("hbck", "assigns", region)).contains("a procedure works on region");

    assertThat(done("hbck", "bypass", procedure, "--override", "--recursive", "--yes"))
        .containsPattern(procedure + " +true");
    await("the procedure ends")
        .atMost(Duration.ofMinutes(1))
        .until(() -> !all("id", "procedures", "list").contains(procedure));
    Files.move(kept, file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(all("procedure", "hbck", "assigns", region, "--override")).hasSize(1);

    await("the region is open").atMost(Duration.ofMinutes(1)).until(() -> run("scan", "t10") == 0);
    assertThat(out).contains("value2");
    assertThat(all("region", "regions", "in-transition")).doesNotContain(region);
  }

  /** Last, since it ends a region server. The rows are in its log alone. */
  @Test
  @Order(Integer.MAX_VALUE)
  void regionsOfServerThatIsRecoveredAreOpenedElsewhereWithTheirRows() throws Exception {
    done("tables", "create", "t11", "--family", "d");
    var region = all("region", "regions", "list", "--table", "t11").get(0);
    var servers = admin().getRegionServers().stream().sorted().toList();
    var ended = servers.get(0);
    move("t11", ended);
    put("t11", 3);

    var procedure = all("procedure", "hbck", "recover", ended.getServerName(), "--yes").get(0);
    await("the procedure ends")
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              int row = all("id", "procedures", "list", "--all").indexOf(procedure);
              return all("state", "procedures", "list", "--all").get(row).equals("SUCCESS");
            });

    assertThat(holders(region)).containsExactly(servers.get(1));
    assertThat(done("scan", "t11")).contains("value0", "value2");
    assertThat(done("servers", "list")).containsPattern(ended + " +regionserver +dead");
  }

  /** The region servers that hold a region, by their own word. */
  private static List<ServerName> holders(String region) throws Exception {
    var holders = new ArrayList<ServerName>();
    for (var server : admin().getRegionServers()) {
      if (admin().getRegions(server).stream().anyMatch(it -> isNamed(it, region))) {
        holders.add(server);
      }
    }
    return holders;
  }

  private static boolean isNamed(RegionInfo info, String region) {
    return info.getEncodedName().equals(region);
  }

  private static int storeFiles(String region) throws Exception {
    return admin().getRegionMetrics(holders(region).get(0)).stream()
        .filter(it -> RegionInfo.encodeRegionName(it.getRegionName()).equals(region))
        .findFirst()
        .orElseThrow()
        .getStoreFileCount();
  }

  private static Path onlyStoreFile(String table, String region) throws Exception {
    var store = hbase.folder().resolve("root/data/default/" + table + "/" + region + "/d");
    try (var files = Files.list(store)) {
      var all = files.filter(it -> !it.getFileName().toString().startsWith(".")).toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }

  @Test
  void drainedServerGetsNoRegionsUntilItIsRecommissioned() throws Exception {
    done("tables", "create", "t12", "--family", "d");
    var region = all("region", "regions", "list", "--table", "t12").get(0);
    var servers = admin().getRegionServers().stream().sorted().toList();
    var server = servers.get(0).getServerName();
    move("t12", servers.get(0));
    done("servers", "decommission", server, "--offload");
    await("its regions are moved").until(() -> admin().getRegions(servers.get(0)).isEmpty());
    await("the other server has opened it")
        .until(() -> holders(region).equals(List.of(servers.get(1))));
    assertThat(all("server", "servers", "draining")).containsExactly(server);
    assertThat(all("state", "servers", "list"))
        .containsExactlyInAnyOrder("active", "draining", "live");
    done("servers", "recommission", server);
    assertThat(all("server", "servers", "draining")).isEmpty();
    assertThat(failure("servers", "decommission", "localhost"))
        .contains("must be one live region server");
  }

  @Test
  void snapshotIsClonedRestoredExportedAndDeleted(@TempDir Path folder) throws Exception {
    done("tables", "create", "t5", "--family", "d");
    put("t5", 3);
    done("snapshots", "create", "t5", "s5");
    assertThat(failure("snapshots", "create", "t5", "s5")).contains("exists already");
    assertThat(all("snapshot", "snapshots", "list", "--table", "t5")).containsExactly("s5");
    done("snapshots", "clone", "s5", "t5b");
    assertThat(done("scan", "t5b")).contains("value2");

    put("t5", 5);
    assertThat(failure("snapshots", "restore", "s5", "--yes")).contains("disabled");
    done("tables", "disable", "t5", "--yes");
    done("snapshots", "restore", "s5", "--yes");
    done("tables", "enable", "t5");
    assertThat(done("scan", "t5")).contains("value2").doesNotContain("value3");

    var target = folder.resolve("backup");
    done("snapshots", "export", "s5", "--no-checksums", "--to", target.toUri().toString());
    try (var files = Files.walk(target)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains(".snapshotinfo", "data.manifest");
    }
    assertThat(failure("snapshots", "export", "none", "--to", target.toUri().toString()))
        .isEqualTo("admin: snapshot 'none' does not exist\n");
    var url = new org.apache.hadoop.fs.Path(target.toUri()).toString().replaceFirst("/$", "");
    assertThat(failure("snapshots", "export", "s5", "--to", url))
        .startsWith("admin: snapshot 's5' exists already at " + url);
    assertThat(failure("snapshots", "import", "s5", "--from", url))
        .startsWith("admin: snapshot 's5' exists already at file:")
        .endsWith(" (--overwrite)\n");

    done("snapshots", "delete", "s5", "--yes");
    assertThat(all("snapshot", "snapshots", "list", "--table", "t5")).isEmpty();
    assertThat(failure("snapshots", "delete", "s5", "--yes")).contains("does not exist");
    assertThat(failure("snapshots", "restore", "s5", "--yes")).contains("s5");
  }

  /** The table and all of its files are deleted: what is read afterwards was in the export. */
  @Test
  void exportedSnapshotIsImportedAfterItsTableIsDeleted(@TempDir Path folder) throws Exception {
    var url = new org.apache.hadoop.fs.Path(folder.resolve("backup").toUri()).toString();
    done("tables", "create", "t8", "--family", "d");
    put("t8", 3);
    done("snapshots", "create", "t8", "s8");
    done("snapshots", "export", "s8", "--no-checksums", "--to", url);
    done("snapshots", "delete", "s8", "--yes");
    done("tables", "disable", "t8", "--yes");
    done("tables", "drop", "t8", "--yes");
    FileUtils.deleteDirectory(hbase.folder().resolve("root/archive/data/default/t8").toFile());

    done("snapshots", "import", "s8", "--no-checksums", "--from", url);

    assertThat(all("snapshot", "snapshots", "list", "--table", "t8")).containsExactly("s8");
    done("snapshots", "clone", "s8", "t8");
    assertThat(done("scan", "t8")).contains("value0", "value2");
    done("snapshots", "import", "s8", "--no-checksums", "--overwrite", "--from", url);
    assertThat(all("snapshot", "snapshots", "list", "--table", "t8")).containsExactly("s8");
    assertThat(failure("snapshots", "import", "none", "--from", url))
        .startsWith("admin: snapshot 'none' does not exist at " + url);
    assertThat(failure("snapshots", "import", "s8", "--from", "hdfs://localhost:1/hbase"))
        .startsWith(
            "admin: the file system of hdfs://localhost:1/hbase does not accept connections");
    var own = hbase.folder().resolve("root").toUri().toString();
    assertThat(failure("snapshots", "import", "s8", "--overwrite", "--from", own))
        .endsWith(" is this cluster's own root directory\n");
    assertThat(all("snapshot", "snapshots", "list", "--table", "t8")).containsExactly("s8");
  }

  @Test
  void interruptedImportNeedsOverwrite(@TempDir Path folder) throws Exception {
    var url = folder.resolve("backup").toUri().toString();
    done("tables", "create", "t9", "--family", "d");
    done("snapshots", "create", "t9", "s9");
    done("snapshots", "export", "s9", "--no-checksums", "--to", url);
    done("snapshots", "delete", "s9", "--yes");
    Files.createDirectories(hbase.folder().resolve("root/.hbase-snapshot/.tmp/s9"));

    assertThat(failure("snapshots", "import", "s9", "--no-checksums", "--from", url))
        .contains("is under way or was interrupted; --overwrite deletes it and starts again");
    done("snapshots", "import", "s9", "--no-checksums", "--overwrite", "--from", url);

    assertThat(all("snapshot", "snapshots", "list", "--table", "t9")).containsExactly("s9");
  }

  @Test
  void rowsAreShownInBytesThatCanBeGivenBack() throws Exception {
    done("tables", "create", "t6", "--family", "d");
    try (var table = connection.getTable(TableName.valueOf("t6"))) {
      for (int i = 0; i < 12; i++) {
        table.put(
            new Put(new byte[] {(byte) 0xff, (byte) i})
                .addColumn(Bytes.toBytes("d"), new byte[] {0}, 7, new byte[300]));
      }
    }
    assertThat(run("scan", "t6", "-o", "json")).isZero();
    assertThat(json()).hasSize(10);
    assertThat(error).contains("there are more rows than 10 (--limit)");
    var last = json().get(9).getAsJsonObject();
    assertThat(last.get("row").getAsString()).isEqualTo("\\xFF\\x09");
    assertThat(last.get("valueLength").getAsInt()).isEqualTo(300);
    assertThat(last.get("value").getAsString()).hasSize(256 * 4 + 3).endsWith("\\x00...");
    assertThat(all("row", "scan", "t6", "--reverse", "--start", "\\xFF\\x01"))
        .containsExactly("\\xFF\\x01", "\\xFF\\x00");
    assertThat(all("row", "scan", "t6", "--prefix", "\\xFF\\x0B")).containsExactly("\\xFF\\x0B");
    assertThat(all("timestamp", "get", "t6", "\\xFF\\x09", "--column", "d:\\x00"))
        .containsExactly("7");
    assertThat(failure("get", "t6", "none")).contains("no such row or column: 'none'");
    assertThat(failure("get", "t6", "\\xFF\\x09", "--column", "x")).contains("x");
  }

  /** With the codecs that the image sets, by HFiles that a region server writes and reads. */
  @ParameterizedTest
  @ValueSource(strings = {"ZSTD", "SNAPPY", "GZ"})
  void compressedTableIsWrittenAndRead(String compression) throws Exception {
    var table = "t7" + compression;
    done("tables", "create", table, "--family", "d:BLOCKCACHE=false,COMPRESSION=" + compression);
    put(table, 100);
    done("regions", "flush", "--table", table);

    assertThat(done("get", table, "row042")).contains("value42");
    var region = admin().getRegions(TableName.valueOf(table)).get(0).getEncodedName();
    var store = hbase.folder().resolve("root/data/default/" + table + "/" + region + "/d");
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
    hbase.signal("STOP");
    try {
      assertThat(failure("tables", "list", "--timeout", "2"))
          .startsWith("admin: no response within 2 s (--timeout), waiting for ");
    } finally {
      hbase.signal("CONT");
    }
  }
}
