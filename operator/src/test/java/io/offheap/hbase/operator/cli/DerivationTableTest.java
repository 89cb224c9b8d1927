package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Derived numbers of the vectors, apart from the golden files, so that an updated golden file
 * cannot hide a wrong number.
 */
class DerivationTableTest {
  private static final String ALLOCATOR = "hbase.server.allocator.";

  @ParameterizedTest
  @CsvSource({
    "hbase-21879-case-1, hbase.server.allocator.buffer.size,           133120",
    "hbase-21879-case-1, hbase.server.allocator.max.buffer.count,      16131",
    "hbase-21879-case-1, hbase.server.allocator.minimal.allocate.size, 0",
    "hbase-21879-case-1, hfile.block.cache.size,                       0",
    "hbase-21879-case-2, hbase.server.allocator.buffer.size,           133120",
    "hbase-21879-case-2, hbase.server.allocator.max.buffer.count,      16131",
    "hbase-21879-case-2, hbase.server.allocator.minimal.allocate.size, 0",
    "hbase-21879-case-2, hfile.block.cache.size,                       0.175",
    "hbase-21879-case-2, hbase.bucketcache.size,                       36864",
    "hbase-21879-case-2, hbase.bucketcache.ioengine,                   offheap",
    "defaults,           hbase.server.allocator.buffer.size,           66560",
    "defaults,           hbase.server.allocator.max.buffer.count,      1860",
    "defaults,           hbase.server.allocator.minimal.allocate.size, 11093",
    "offheap-read-path,  hfile.block.cache.size,                       0.2",
    "offheap-read-path,  hbase.bucketcache.size,                       104448",
    "xiaomi-test-after-tuning, hbase.regionserver.global.memstore.size, 0.45",
    "xiaomi-test-after-tuning, hfile.block.cache.size,                  0.1",
  })
  void derivesHBaseSite(String vector, String key, String value) throws Exception {
    assertThat(Vectors.plan(vector).hbaseSite()).containsEntry(key, value);
  }

  @ParameterizedTest
  @CsvSource({
    "hbase-21879-case-2,        -XX:InitiatingHeapOccupancyPercent=68",
    "hbase-21879-case-2,        -XX:MaxDirectMemorySize=50g",
    "xiaomi-test-before-tuning, -Xms30g",
    "xiaomi-test-before-tuning, -Xmx30g",
    "xiaomi-test-before-tuning, -XX:MaxDirectMemorySize=30g",
    "xiaomi-test-before-tuning, -XX:+UseG1GC",
    "xiaomi-test-before-tuning, -XX:InitiatingHeapOccupancyPercent=65",
    "xiaomi-test-before-tuning, -XX:-G1UseAdaptiveIHOP",
    "xiaomi-test-before-tuning, -XX:MaxGCPauseMillis=90",
    "xiaomi-test-before-tuning, -XX:G1HeapRegionSize=32m",
    "xiaomi-test-before-tuning, -XX:G1MixedGCCountTarget=32",
    "xiaomi-test-before-tuning, -XX:MaxTenuringThreshold=1",
    "xiaomi-test-before-tuning, -XX:ParallelGCThreads=16",
    "xiaomi-test-before-tuning, -XX:ConcGCThreads=4",
    "xiaomi-test-before-tuning, -XX:+ParallelRefProcEnabled",
    "xiaomi-test-before-tuning, -XX:G1OldCSetRegionThresholdPercent=5",
    "xiaomi-test-before-tuning, -XX:SurvivorRatio=8",
    "xiaomi-test-before-tuning, -XX:G1NewSizePercent=1",
    "xiaomi-test-after-tuning,  -XX:InitiatingHeapOccupancyPercent=65",
    "xiaomi-test-after-tuning,  -XX:MaxGCPauseMillis=90",
    "xiaomi-test-after-tuning,  -XX:G1HeapRegionSize=32m",
    "xiaomi-test-after-tuning,  -XX:G1MixedGCCountTarget=32",
    "xiaomi-test-after-tuning,  -XX:MaxTenuringThreshold=1",
    "xiaomi-test-after-tuning,  -XX:ParallelGCThreads=16",
    "xiaomi-test-after-tuning,  -XX:ConcGCThreads=4",
    "xiaomi-test-after-tuning,  -XX:G1OldCSetRegionThresholdPercent=2",
    "xiaomi-test-after-tuning,  -XX:SurvivorRatio=4",
    "xiaomi-test-after-tuning,  -XX:G1NewSizePercent=4",
  })
  void jvmOptions(String vector, String option) throws Exception {
    assertThat(Vectors.plan(vector).jvmOptions()).contains(option);
  }

  @ParameterizedTest
  @CsvSource({
    "xiaomi-cluster-ssd-normal,      50, 2",
    "xiaomi-cluster-ssd-heavy,       50, 5",
    "xiaomi-cluster-hdd-normal,      90, 2",
    "xiaomi-cluster-hdd-heavy,       90, 5",
    "xiaomi-cluster-offline-normal, 500, 2",
    "xiaomi-cluster-offline-heavy,  500, 5",
  })
  void derivesXiaomiClusters(String vector, int pauseMillis, int newSizePercent) throws Exception {
    assertThat(Vectors.plan(vector).jvmOptions())
        .contains(
            "-Xms50g",
            "-Xmx50g",
            "-XX:MaxDirectMemorySize=50g",
            "-XX:MaxGCPauseMillis=" + pauseMillis,
            "-XX:G1NewSizePercent=" + newSizePercent,
            "-XX:InitiatingHeapOccupancyPercent=65",
            "-XX:ParallelGCThreads=16",
            "-XX:ConcGCThreads=4",
            "-XX:MaxTenuringThreshold=1",
            "-XX:G1HeapRegionSize=32m",
            "-XX:G1MixedGCCountTarget=64",
            "-XX:G1OldCSetRegionThresholdPercent=5");
  }

  @Test
  void derivesNoBucketCacheWithoutBlockCache() throws Exception {
    var plan = Vectors.plan("hbase-21879-case-1");

    assertThat(plan.hbaseSite()).doesNotContainKey("hbase.bucketcache.size");
    assertThat(plan.hbaseSite()).doesNotContainKey("hbase.bucketcache.ioengine");
  }

  @Test
  void reasonOfBufferCountQuotesGuide() throws Exception {
    var count = Vectors.plan("defaults").setting(Target.HBASE_SITE, ALLOCATOR + "max.buffer.count");

    assertThat(count).get().extracting(Setting::sentence).asString().contains("1860", "1890");
  }

  @ParameterizedTest
  @CsvSource({
    "xiaomi-test-before-tuning, SurvivorRatio, 33554432",
    "xiaomi-test-after-tuning,  SurvivorRatio, 83886080",
  })
  void reasonStatesSurvivorSizeOfG1(String vector, String key, String bytes) throws Exception {
    var survivors = Vectors.plan(vector).setting(Target.JVM, key);

    assertThat(survivors).get().extracting(Setting::sentence).asString().contains(bytes + " bytes");
  }
}
