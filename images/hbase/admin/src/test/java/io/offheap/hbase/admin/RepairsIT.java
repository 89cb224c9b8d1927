package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** The repairs of {@code hbck} on a real HBase that is damaged. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("verify")
class RepairsIT {
  private static final ServerName NEVER_EXISTED = ServerName.valueOf("localhost", 1, 1);

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

  @Test
  void repairsAreHandedToTheMaster() throws Exception {
    hbase.done("tables", "create", "t4", "--family", "d");
    var region = hbase.all("region", "regions", "list", "--table", "t4").get(0);
    var ids = hbase.all("procedure", "hbck", "unassigns", region, "--yes");
    await("the region is closed")
        .atMost(Duration.ofMinutes(2))
        .until(() -> !hbase.all("id", "procedures", "list").contains(ids.get(0)));
    assertThat(hbase.holders(region)).isEmpty();
    assertThat(hbase.all("procedure", "hbck", "assigns", region)).hasSize(1);
    await("the region is open")
        .atMost(Duration.ofMinutes(2))
        .until(() -> hbase.run("scan", "t4") == 0);
    assertThat(hbase.failure("hbck", "assigns", "0123456789abcdef0123456789abcdef"))
        .startsWith(
            "admin: the master does not know all of these regions: 0123456789abcdef0123456789abcdef");
    assertThat(hbase.run("hbck", "bypass", "1", "--yes")).isZero();
    assertThat(hbase.out()).containsPattern("1 +false");
    assertThat(hbase.error()).contains("was not bypassed");
    hbase.done("hbck", "fix-meta");
    hbase.done("hbck", "run-chore");
    assertThat(hbase.done("hbck", "set-table-state", "t4", "DISABLED", "--yes"))
        .isEqualTo("table t4 DISABLED (was ENABLED)\n");
    assertThat(hbase.admin().isTableDisabled(TableName.valueOf("t4"))).isTrue();
    assertThat(hbase.done("hbck", "set-table-state", "t4", "ENABLED", "--yes"))
        .isEqualTo("table t4 ENABLED (was DISABLED)\n");
    assertThat(hbase.done("hbck", "set-region-state", region, "CLOSED", "--yes"))
        .isEqualTo("region " + region + " CLOSED (was OPEN)\n");
    assertThat(hbase.done("hbck", "set-region-state", region, "OPEN", "--yes"))
        .isEqualTo("region " + region + " OPEN (was CLOSED)\n");
    assertThat(hbase.done("hbck", "set-region-state", region, "OPEN", "--yes"))
        .isEqualTo("region " + region + " OPEN (was OPEN)\n");
    assertThat(hbase.done("hbck", "recover-unknown", "--yes")).isEqualTo("PROCEDURE\n");
  }

  /** No server can open a region with a file that is no HFile, and the master tries for ever. */
  @Test
  void stuckRegionIsListedAndServesAfterItsProcedureIsBypassed(@TempDir Path folder)
      throws Exception {
    hbase.done("tables", "create", "t10", "--family", "d");
    hbase.put("t10", 3);
    hbase.done("regions", "flush", "--table", "t10");
    var region = hbase.all("region", "regions", "list", "--table", "t10").get(0);
    hbase.done("regions", "unassign", region, "--yes");
    var file = onlyStoreFile("t10", region);
    var kept = Files.move(file, folder.resolve("kept"));
    Files.write(file, new byte[4096]);

    var procedure = hbase.all("procedure", "hbck", "assigns", region).get(0);
    await("a server has refused to open it")
        .atMost(Duration.ofMinutes(1))
        .until(() -> hbase.all("parent", "procedures", "list", "--all").contains(procedure));

    assertThat(hbase.all("region", "regions", "in-transition")).contains(region);
    assertThat(hbase.all("id", "procedures", "list")).contains(procedure);
    assertThat(hbase.all("owner", "locks", "list")).contains(procedure);
    assertThat(hbase.all("name", "locks", "list")).contains(region);
    assertThat(hbase.failure("hbck", "assigns", region)).contains("a procedure works on region");

    assertThat(hbase.done("hbck", "bypass", procedure, "--override", "--recursive", "--yes"))
        .containsPattern(procedure + " +true");
    await("the procedure ends")
        .atMost(Duration.ofMinutes(1))
        .until(() -> !hbase.all("id", "procedures", "list").contains(procedure));
    Files.move(kept, file, StandardCopyOption.REPLACE_EXISTING);
    assertThat(hbase.all("procedure", "hbck", "assigns", region, "--override")).hasSize(1);

    await("the region is open")
        .atMost(Duration.ofMinutes(1))
        .until(() -> hbase.run("scan", "t10") == 0);
    assertThat(hbase.out()).contains("value2");
    assertThat(hbase.all("region", "regions", "in-transition")).doesNotContain(region);
  }

  /** A master that starts reads from hbase:meta where the regions are. */
  @Test
  void regionOfServerThatNeverExistedServesAfterRecoverUnknown() throws Exception {
    hbase.done("tables", "create", "t13", "--family", "d");
    hbase.put("t13", 3);
    var region = onlyRegion("t13");
    try (var meta = hbase.connection().getTable(TableName.META_TABLE_NAME)) {
      meta.put(
          new Put(region.getRegionName())
              .addColumn(
                  HConstants.CATALOG_FAMILY,
                  HConstants.SERVER_QUALIFIER,
                  Bytes.toBytes(NEVER_EXISTED.getAddress().toString()))
              .addColumn(
                  HConstants.CATALOG_FAMILY,
                  HConstants.STARTCODE_QUALIFIER,
                  Bytes.toBytes(NEVER_EXISTED.getStartCode()))
              .addColumn(
                  HConstants.CATALOG_FAMILY,
                  HConstants.SERVERNAME_QUALIFIER,
                  Bytes.toBytes(NEVER_EXISTED.getServerName())));
    }
    hbase.restart();
    assertThat(hbase.all("server", "regions", "list", "--table", "t13"))
        .containsExactly(NEVER_EXISTED.getServerName());
    assertThat(hbase.holders(region.getEncodedName())).isEmpty();
    assertThat(hbase.failure("scan", "t13", "--timeout", "20"))
        .isEqualTo("admin: a server does not accept connections: Connection refused\n");
    assertThat(hbase.all("region", "regions", "in-transition")).isEmpty();

    var procedures = hbase.all("procedure", "hbck", "recover-unknown", "--yes");

    assertThat(procedures).hasSize(1);
    awaitSuccess(procedures.get(0));
    assertThat(hbase.holders(region.getEncodedName())).hasSize(1);
    assertThat(hbase.done("scan", "t13")).contains("value0", "value2");
    assertThat(hbase.all("procedure", "hbck", "recover-unknown", "--yes")).isEmpty();
  }

  /** The region that fills the hole is a new one: the files of the lost one stay, unread. */
  @Test
  void tableWithHoleInMetaTakesRowsAgainAfterFixMeta() throws Exception {
    hbase.done("tables", "create", "t14", "--family", "d", "--split", "row002");
    hbase.put("t14", 4);
    hbase.done("regions", "flush", "--table", "t14");
    var lost = hbase.admin().getRegions(TableName.valueOf("t14")).get(1);
    try (var meta = hbase.connection().getTable(TableName.META_TABLE_NAME)) {
      meta.delete(new Delete(lost.getRegionName()));
    }
    hbase.restart();
    assertThat(startKeys("t14")).containsExactly("");
    assertThat(hbase.failure("regions", "list", "--table", "t14"))
        .isEqualTo("admin: IOException: Unable to find region for row002 in t14\n");
    assertThat(hbase.done("get", "t14", "row001")).contains("value1");
    assertThat(hbase.failure("get", "t14", "row003", "--timeout", "5"))
        .startsWith("admin: no response within 5 s");

    hbase.done("hbck", "fix-meta");

    await("the hole is filled")
        .atMost(Duration.ofMinutes(1))
        .until(() -> startKeys("t14").equals(List.of("", "row002")));
    await("its region is open")
        .atMost(Duration.ofMinutes(1))
        .until(() -> hbase.run("scan", "t14") == 0);
    assertThat(hbase.out()).contains("value0", "value1").doesNotContain("value3");
    hbase.put("t14", 4);
    assertThat(hbase.done("get", "t14", "row003")).contains("value3");
    assertThat(onlyStoreFile("t14", lost.getEncodedName())).exists();
  }

  private static RegionInfo onlyRegion(String table) throws IOException {
    var regions = hbase.admin().getRegions(TableName.valueOf(table));
    assertThat(regions).hasSize(1);
    return regions.get(0);
  }

  /** As hbase:meta has them; the commands need a table without holes. */
  private static List<String> startKeys(String table) throws IOException {
    return hbase.admin().getRegions(TableName.valueOf(table)).stream()
        .map(it -> Bytes.toString(it.getStartKey()))
        .toList();
  }

  private static void awaitSuccess(String procedure) {
    await("the procedure ends")
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              int row = hbase.all("id", "procedures", "list", "--all").indexOf(procedure);
              return hbase.all("state", "procedures", "list", "--all").get(row).equals("SUCCESS");
            });
  }

  /** Last, since it ends a region server. The rows are in its log alone. */
  @Test
  @Order(Integer.MAX_VALUE)
  void regionsOfServerThatIsRecoveredAreOpenedElsewhereWithTheirRows() throws Exception {
    hbase.done("tables", "create", "t11", "--family", "d");
    var region = hbase.all("region", "regions", "list", "--table", "t11").get(0);
    var servers = hbase.admin().getRegionServers().stream().sorted().toList();
    var ended = servers.get(0);
    hbase.move("t11", ended);
    hbase.put("t11", 3);

    var procedure =
        hbase.all("procedure", "hbck", "recover", ended.getServerName(), "--yes").get(0);
    awaitSuccess(procedure);

    assertThat(hbase.holders(region)).containsExactly(servers.get(1));
    assertThat(hbase.done("scan", "t11")).contains("value0", "value2");
    assertThat(hbase.done("servers", "list")).containsPattern(ended + " +regionserver +dead");
  }

  private static Path onlyStoreFile(String table, String region) throws Exception {
    var store =
        hbase.process().folder().resolve("root/data/default/" + table + "/" + region + "/d");
    try (var files = Files.list(store)) {
      var all = files.filter(it -> !it.getFileName().toString().startsWith(".")).toList();
      assertThat(all).hasSize(1);
      return all.get(0);
    }
  }
}
