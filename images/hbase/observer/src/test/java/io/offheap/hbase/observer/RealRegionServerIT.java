package io.offheap.hbase.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A region server that is not patched loads the observer because its configuration names it. */
@TestMethodOrder(OrderAnnotation.class)
class RealRegionServerIT {
  private static final String BEAN = "/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Observer";
  private static final int ROWS = 2_000;

  private static RegionServerProcess server;

  @BeforeAll
  static void start(@TempDir Path folder) throws IOException {
    server =
        RegionServerProcess.start(
            folder,
            Map.of(
                "hbase.coprocessor.regionserver.classes",
                ObserverCoprocessor.class.getName(),
                ObserverSettings.PERIOD,
                "1000",
                "hbase.bucketcache.ioengine",
                "offheap",
                "hbase.bucketcache.size",
                "33"));
    await("region server with its metrics")
        .atMost(Duration.ofMinutes(5))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> bean().hasNonNull("GcObservedSinceMillis"));
    readAndWrite();
  }

  private static void readAndWrite() throws IOException {
    var name = TableName.valueOf("observed");
    var family = Bytes.toBytes("f");
    try (var connection = ConnectionFactory.createConnection(server.clientConfiguration());
        var admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
              .build());
      try (var table = connection.getTable(name)) {
        var puts = new ArrayList<Put>();
        for (var row = 0; row < ROWS; row++) {
          puts.add(new Put(Bytes.toBytes(row)).addColumn(family, family, new byte[1_000]));
        }
        table.put(puts);
        admin.flush(name);
        for (var row = 0; row < ROWS; row++) {
          assertThat(table.get(new Get(Bytes.toBytes(row))).isEmpty()).isFalse();
        }
      }
    }
  }

  @AfterAll
  static void stop() throws InterruptedException {
    server.close();
  }

  private static JsonNode bean() throws IOException {
    var response = server.get(BEAN);
    return response.isEmpty()
        ? new ObjectMapper().createObjectNode()
        : new ObjectMapper().readTree(response).path("beans").path(0);
  }

  /** The bean with its attributes: HBase registers all anew some seconds after a region opened. */
  private static JsonNode whole() {
    return await("the bean")
        .atMost(Duration.ofMinutes(2))
        .until(RealRegionServerIT::bean, it -> it.hasNonNull("GcObservedSinceMillis"));
  }

  @Test
  @Order(1)
  void showsValuesInJmx() {
    // Hadoop's metrics system keeps a bean's values for ten seconds.
    await("values of after the reads")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> {
              var bean = bean();
              assertThat(bean.path("GcNormalCount").asLong()).isPositive();
              assertThat(bean.path("GcNormalPauseMicros").asLong()).isPositive();
              assertThat(bean.path("AllocatorPoolBytes").asLong()).isPositive();
              assertThat(bean.path("BucketCacheUsedBytes").asLong()).isPositive();
            });
  }

  @Test
  @Order(2)
  void knowsWhoHoldsDirectMemory() {
    var bean = whole();

    var bucketCache = bean.path("BucketCacheDirectBytes").asLong();
    var pool = bean.path("AllocatorPoolDirectBytes").asLong();
    assertThat(bucketCache).isEqualTo(33L << 20);
    assertThat(pool).isPositive();
    assertThat(bean.path("DirectUsedBytes").asLong())
        .isEqualTo(bucketCache + pool + bean.path("DirectOtherBytes").asLong());
    assertThat(bean.path("NettyUsedBytes").asLong()).isPositive();
    assertThat(bean.path("ProcessResidentBytes").asLong())
        .isGreaterThan(bean.path("DirectUsedBytes").asLong());
  }

  @Test
  @Order(2)
  void leavesOutWhatOnlyAPatchedAllocatorHas() throws IOException {
    var bean = whole();
    assertThat(bean.has("AllocatorCreatedBuffers")).isTrue();
    assertThat(bean.has("AllocatorBuffersInUse")).isFalse();
    assertThat(server.log()).contains("allocator does not report buffers in use");
  }

  @Test
  @Order(2)
  void showsTheSameToPrometheus() {
    await("the next collection of Hadoop's metrics system")
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () ->
                assertThat(server.get("/prometheus?qry=observer_"))
                    .contains("# TYPE observer_gc_normal_count counter")
                    .contains("# TYPE observer_allocator_pool_bytes counter")
                    .contains("# TYPE observer_survivor_bytes_age1 gauge")
                    .containsPattern("observer_gc_normal_count\\{context=\"regionserver\".*} [1-9]")
                    .containsPattern("observer_process_resident_bytes\\{.*} [1-9]"));
  }

  @Test
  @Order(3)
  void takesTheMetricsWithItWhenTheServerStops() throws InterruptedException, IOException {
    server.terminate();

    assertThat(server.isAlive()).isFalse();
    assertThat(server.log()).doesNotContain("did not stop cleanly", "ABORTING region server");
  }
}
