package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code admin snapshots} between two HDFS, whose checksums are compared. */
@Tag("verify")
class SnapshotExportIT {
  private HBaseProcess hbase;

  @Test
  void snapshotGoesToAnotherHdfsAndBackAndItsChecksumsAreCompared(@TempDir Path folder)
      throws Exception {
    try (var hdfs = new HdfsServers(folder.resolve("hdfs"));
        var other = new HdfsServers(folder.resolve("other"))) {
      for (var servers : new HdfsServers[] {hdfs, other}) {
        servers.startNameNode();
        servers.startDataNode();
      }
      hbase = HBaseProcess.start(folder, URI.create(url(hdfs, "/hbase")));
      try (var closed = hbase) {
        await("HBase serves").atMost(Duration.ofMinutes(3)).until(hbase::serves);
        done("tables", "create", "t", "--family", "d");
        put(3);
        done("snapshots", "create", "t", "s");

        done("snapshots", "export", "s", "--to", url(other, "/backup"));

        // A local file has none that could be compared.
        var local = folder.resolve("local").toUri().toString();
        assertThat(
                AdminRun.of(hbase.clientConfiguration(), "snapshots", "export", "s", "--to", local))
            .satisfies(
                it -> {
                  assertThat(it.status()).isEqualTo(AdminTool.FAILED);
                  assertThat(it.error()).contains("ExportSnapshot ended with status");
                });

        done("snapshots", "delete", "s", "--yes");
        done("tables", "disable", "t", "--yes");
        done("tables", "drop", "t", "--yes");
        try (var files = FileSystem.newInstance(hdfs.clientConfiguration())) {
          files.delete(new org.apache.hadoop.fs.Path("/hbase/archive/data/default/t"), true);
        }
        done("snapshots", "import", "s", "--from", url(other, "/backup"));
        done("snapshots", "clone", "s", "t");
        assertThat(done("scan", "t")).contains("value0", "value2");
      }
    }
  }

  private static String url(HdfsServers hdfs, String folder) {
    return hdfs.clientConfiguration().get(FileSystem.FS_DEFAULT_NAME_KEY) + folder;
  }

  private String done(String... args) {
    var run = AdminRun.of(hbase.clientConfiguration(), args);
    assertThat(run.status()).describedAs("%s", run.error()).isZero();
    return run.out();
  }

  private void put(int rows) throws Exception {
    try (var connection = ConnectionFactory.createConnection(hbase.clientConfiguration());
        var table = connection.getTable(TableName.valueOf("t"))) {
      for (int i = 0; i < rows; i++) {
        table.put(
            new Put(Bytes.toBytes("row" + i))
                .addColumn(Bytes.toBytes("d"), Bytes.toBytes("q"), Bytes.toBytes("value" + i)));
      }
    }
  }
}
