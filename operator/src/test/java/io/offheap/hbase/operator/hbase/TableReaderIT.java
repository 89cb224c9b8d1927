package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.Waits.LONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.plan.TableBlocks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The operator's client, with HBase itself. */
@ResourceLock(HBaseJvm.CLIENT_THREADS)
class TableReaderIT {
  private static final int CLUSTERS = 20;

  /** Event loops and lookups, for any number of connections. */
  private static final int MOST_THREADS = 12;

  private static final ResourceID CLUSTER = new ResourceID("real", "test");

  @TempDir static Path folder;

  private static RealHBase hbase;
  private static HBaseConnections connections;

  @BeforeAll
  static void start() throws Exception {
    hbase = RealHBase.start(folder);
    connections = new HBaseConnections();
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .until(() -> read(new TableReader()) != null);
  }

  @AfterAll
  static void stop() throws Exception {
    connections.close();
    hbase.close();
  }

  private static CompletableFuture<AsyncConnection> connection() {
    return connections.get(CLUSTER, List.of(hbase.regionServer()));
  }

  private static LiveTables read(TableReader reader) throws Exception {
    return connection().thenCompose(reader::read).get(LONG.toSeconds(), SECONDS);
  }

  @Test
  void readsBlockSizesAndLargestCells() throws Exception {
    var admin = connection().get(10, SECONDS).getAdmin();
    var large = TableName.valueOf("large");
    var reader = new TableReader();
    admin
        .createTable(
            TableDescriptorBuilder.newBuilder(large)
                .setValue("io.storefile.bloom.block.size", "4096")
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder("a".getBytes(UTF_8))
                        .setBlocksize(131072)
                        .setConfiguration("hfile.index.block.max.size", "262144")
                        .build())
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("b"))
                .build(),
            IntStream.rangeClosed(1, 9).mapToObj(i -> bytes("row" + i)).toArray(byte[][]::new))
        .get(LONG.toSeconds(), SECONDS);

    assertThat(read(reader).families())
        .as("an empty table")
        .containsExactly(
            new TableBlocks("large/a", 131072, 262144, 4096, 0),
            new TableBlocks("large/b", 65536, 0, 4096, 0));

    var table = connection().get(10, SECONDS).getTable(large);
    for (int i = 0; i < 1000; i++) {
      var put = new Put(bytes("row" + i));
      put.addColumn(bytes("a"), bytes("q"), new byte[4000]);
      put.addColumn(bytes("b"), bytes("q"), new byte[100]);
      table.put(put).get(10, SECONDS);
    }

    var tables = read(reader);
    assertThat(tables.isComplete()).isTrue();
    assertThat(tables.unsampled()).isEmpty();
    assertThat(tables.families())
        .as("an empty table is sampled again at once")
        .containsExactly(
            new TableBlocks("large/a", 131072, 262144, 4096, 4096),
            new TableBlocks("large/b", 65536, 0, 4096, 0));

    admin.disableTable(large).get(LONG.toSeconds(), SECONDS);
    var other = read(new TableReader());
    assertThat(other.unsampled())
        .as("a disabled table")
        .containsExactlyInAnyOrder("large/a", "large/b");
    assertThat(read(reader).families()).isEqualTo(tables.families());
  }

  @Test
  void clustersWithoutResponseDelayNoOtherAndLeaveNothingBehind() throws Exception {
    connection().get(10, SECONDS);
    try (var frozen = new FrozenServer()) {
      var pending = new ArrayList<CompletableFuture<LiveTables>>();
      for (int i = 0; i < CLUSTERS; i++) {
        var address = i % 2 == 0 ? frozen.address() : FrozenServer.closedAddress();
        var id = new ResourceID("frozen-" + i, "test");
        pending.add(connections.get(id, List.of(address)).thenCompose(new TableReader()::read));
        var another = connections.get(id, List.of(address));
        another.cancel(true);
      }
      assertThat(clientThreads()).as("threads of all together").isLessThanOrEqualTo(MOST_THREADS);

      assertThat(connection().thenCompose(new TableReader()::read))
          .as("another cluster, meanwhile")
          .succeedsWithin(Duration.ofSeconds(8));

      assertThat(pending).allSatisfy(it -> assertThat(it).failsWithin(Duration.ofSeconds(30)));
      await()
          .atMost(LONG)
          .untilAsserted(() -> assertThat(frozen.open()).as("open connections").isZero());
      assertThat(clientThreads()).as("threads afterwards").isLessThanOrEqualTo(MOST_THREADS);
      assertThat(frozen.accepted()).as("one attempt for each cluster").isEqualTo(CLUSTERS / 2);
    }
  }

  private static long clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(
            it ->
                Stream.of("hbase-io", "hbase-hosts", "RPCClient", "Registry-endpoints")
                    .anyMatch(it::startsWith))
        .count();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
