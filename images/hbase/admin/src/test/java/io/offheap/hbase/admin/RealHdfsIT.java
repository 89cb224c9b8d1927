package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code admin hdfs} against a real name node and data node, and against none. */
class RealHdfsIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private String out;
  private String error;

  private int run(Configuration configuration, String... args) {
    var run = AdminRun.of(configuration, args);
    out = run.out();
    error = run.error();
    return run.status();
  }

  private String done(Configuration configuration, String... args) {
    assertThat(run(configuration, args)).describedAs("%s", error).isZero();
    return out;
  }

  private String failure(Configuration configuration, String... args) {
    assertThat(run(configuration, args)).describedAs(out).isEqualTo(AdminTool.FAILED);
    assertThat(error.lines()).hasSize(1);
    return error;
  }

  private JsonObject report(Configuration client) {
    return JsonParser.parseString(done(client, "hdfs", "report", "-o", "json")).getAsJsonObject();
  }

  @Test
  void safeModeEndsByHandWithoutDataNodeAndLostBlocksAreListed(@TempDir Path folder)
      throws Exception {
    try (var hdfs = new HdfsServers(folder)) {
      hdfs.startNameNode();
      var client = hdfs.clientConfiguration();
      hdfs.startDataNode();
      await("the data node registers")
          .atMost(PATIENCE)
          .until(() -> done(client, "hdfs", "safe-mode", "get").contains("LIVE DATA NODES  1"));
      assertThat(out).contains("SAFE MODE        off", "DEAD DATA NODES  0");
      await("the data node reports its storage")
          .atMost(PATIENCE)
          .until(() -> report(client).get("capacity").getAsLong() > 0);
      write(client, "/hbase/data/a", "/hbase/data/b", "/other");
      assertThat(done(client, "hdfs", "corrupt-files")).isEqualTo("FILE  BLOCK  LENGTH  STATE\n");
      assertThat(done(client, "hdfs", "safe-mode", "leave", "--yes"))
          .isEqualTo("safe mode off (was off)\n");
      assertThat(done(client, "hdfs", "report"))
          .containsPattern("CAPACITY +[0-9.]+[KMGT]i")
          .containsPattern("localhost:\\d+ +live +[0-9.]+[KMGT]i");

      hdfs.stopDataNode();
      hdfs.stopNameNode();
      hdfs.startNameNode();

      assertThat(done(client, "hdfs", "safe-mode", "get"))
          .contains("SAFE MODE        on", "LIVE DATA NODES  0");
      assertThat(failure(client, "hdfs", "corrupt-files"))
          .startsWith("admin: the name node is in safe mode and does not know yet");
      assertThat(done(client, "hdfs", "safe-mode", "leave", "--yes"))
          .startsWith("safe mode off (was on)");
      assertThat(done(client, "hdfs", "safe-mode", "get")).contains("SAFE MODE        off");
      await("the name node knows what is missing")
          .atMost(PATIENCE)
          .until(() -> report(client).get("missingBlocks").getAsLong() == 3);
      assertThat(done(client, "hdfs", "corrupt-files", "--path", "/hbase"))
          .containsPattern("/hbase/data/a +blk_\\d+ +5 +missing\n")
          .containsPattern("/hbase/data/b +blk_\\d+ +5 +missing\n")
          .doesNotContain("/other");
      assertThat(done(client, "hdfs", "corrupt-files", "--limit", "1").lines()).hasSize(2);
      assertThat(error).isEqualTo("admin: there are more files than 1 (--limit)\n");

      hdfs.startDataNode();

      await("the blocks are reported")
          .atMost(PATIENCE)
          .until(() -> done(client, "hdfs", "corrupt-files").lines().count() == 1);
    }
  }

  private static void write(Configuration client, String... files) throws IOException {
    try (var hdfs = FileSystem.newInstance(client)) {
      for (var file : files) {
        try (var out = hdfs.create(new org.apache.hadoop.fs.Path(file))) {
          out.write(new byte[5]);
        }
      }
    }
  }

  @Test
  void silentNameNodeIsNotWaitedForLongerThanTheDeadline() throws IOException {
    try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      long started = System.nanoTime();

      assertThat(failure(clientOf(silent.getLocalPort()), "hdfs", "report", "--timeout", "2"))
          .isEqualTo(
              "admin: no response within 2 s (--timeout), waiting for the name node of"
                  + " hdfs://localhost:"
                  + silent.getLocalPort()
                  + "; a procedure that was begun in HBase may continue there\n");

      assertThat(System.nanoTime() - started).isBetween(1_900_000_000L, 60_000_000_000L);
    }
  }

  @Test
  void nameNodeThatDoesNotRunIsReportedBeforeTheDeadline() throws IOException {
    int port;
    try (var closed = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    long started = System.nanoTime();

    assertThat(failure(clientOf(port), "hdfs", "safe-mode", "get"))
        .isEqualTo(
            "admin: the name node of hdfs://localhost:"
                + port
                + " does not accept connections or does not respond: Connection refused\n");

    assertThat(System.nanoTime() - started).isLessThan(40_000_000_000L);
  }

  private static Configuration clientOf(int port) {
    var configuration = new Configuration();
    configuration.set("fs.defaultFS", "hdfs://localhost:" + port);
    configuration.set("hbase.rootdir", "/hbase");
    return configuration;
  }

  @Test
  void rootDirectoryOutsideOfHdfsIsRefused(@TempDir Path folder) {
    var configuration = new Configuration();
    configuration.set("hbase.rootdir", folder.toUri().toString());

    assertThat(failure(configuration, "hdfs", "report"))
        .startsWith("admin: hbase.rootdir: 'file:")
        .contains("must be in HDFS");
  }
}
