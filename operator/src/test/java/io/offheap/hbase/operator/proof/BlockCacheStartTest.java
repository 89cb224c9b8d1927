package io.offheap.hbase.operator.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanResult;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CombinedBlockCache;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase creates the planned block cache in the planned size. */
class BlockCacheStartTest {
  private static final long MIB = 1L << 20;

  @ParameterizedTest
  @CsvSource({"32Mi, 32", "48Mi, 48", "128Mi, 128"})
  void offHeapStartsL1AndBucketCacheInDirectMemory(String bucketCacheSize, long mib) {
    var plan =
        plan("{mode: OffHeap, l1Fraction: '0.1', bucketCacheSize: " + bucketCacheSize + "}", "");

    var cache = BlockCacheFactory.createBlockCache(HBaseStart.hbaseSite(plan));
    try {
      assertThat(cache).isInstanceOf(CombinedBlockCache.class);
      var levels = cache.getBlockCaches();
      assertThat(levels[0]).isInstanceOf(LruBlockCache.class);
      assertThat(levels[0].getMaxSize()).isEqualTo(heapShare("0.1"));
      assertThat(levels[1]).isInstanceOf(BucketCache.class);
      assertThat(levels[1].getMaxSize()).isEqualTo(mib * MIB);
      assertThat(((BucketCache) levels[1]).getIoEngine()).contains("ByteBufferIOEngine");
    } finally {
      cache.shutdown();
    }
    HBaseStart.check(plan);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.1", "0.25", "0.35"})
  void lruStartsOneCacheOnHeap(String share) {
    var plan = plan("{mode: Lru, l1Fraction: " + share + "}", "");

    var cache = BlockCacheFactory.createBlockCache(HBaseStart.hbaseSite(plan));
    try {
      assertThat(cache).isInstanceOf(LruBlockCache.class);
      assertThat(cache.getMaxSize()).isEqualTo(heapShare(share));
    } finally {
      cache.shutdown();
    }
    HBaseStart.check(plan);
  }

  @Test
  void disabledStartsNoCache() {
    var plan = plan("{mode: Disabled}", "");

    assertThat(BlockCacheFactory.createBlockCache(HBaseStart.hbaseSite(plan))).isNull();
    HBaseStart.check(plan);
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.bucketcache.bucket.sizes, '5120,66561'",
    "hbase.bucketcache.bucket.sizes, 536870912",
    "hbase.bucketcache.size, 0",
    "hbase.bucketcache.ioengine, heap",
    "hfile.block.cache.size, 0.9",
    "hfile.block.cache.size, 0.00001",
    "hbase.regionserver.global.memstore.size, 0.75",
    "hbase.regionserver.global.memstore.size, -1",
    "hbase.server.allocator.buffer.size, 0",
    "hbase.server.allocator.max.buffer.count, 4294967297",
    "hfile.block.cache.policy, MRU"
  })
  void detectsConfigurationThatHBaseRefuses(String key, String value) {
    var plan = with(plan("{mode: OffHeap}", ""), key, value);

    assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> HBaseStart.check(plan));
  }

  @ParameterizedTest(name = "heap {0}, off-heap {1}")
  @CsvSource({"30Gi, 30Gi", "30Gi, 200Gi", "512Gi, 4Ti"})
  void startsPlanOfAnySize(String heap, String offHeap) {
    var plan =
        plan("{mode: OffHeap}", "    memory: {heap: " + heap + ", offHeap: " + offHeap + "}");

    HBaseStart.check(plan);
  }

  @ParameterizedTest
  @ValueSource(strings = {"file:/no/such/disk/cache", "files:/no/disk1/cache,/no/disk2/cache"})
  void leavesFilesOfPlanUntouched(String engine) {
    var plan = with(plan("{mode: OffHeap}", ""), "hbase.bucketcache.ioengine", engine);

    HBaseStart.check(plan);
    HBaseStart.check(with(plan, "hbase.bucketcache.persistent.path", "/no/such/disk/index"));
  }

  private static MemoryPlan plan(String blockCache, String memory) {
    var resource =
        String.join(
            "\n",
            "apiVersion: hbase.offheap.io/v1alpha1",
            "kind: HBaseCluster",
            "metadata: {name: cluster}",
            "spec:",
            "  zookeeper: {external: {quorum: 'zk:2181'}}",
            "  storage: {external: {rootDir: 'hdfs://ns/hbase'}}",
            "  regionServers:",
            memory.isEmpty() ? "    memory: {heap: 2Gi, offHeap: 512Mi}" : memory,
            "    blockCache: " + blockCache);
    var result = new Plans().ofDefaultGroup(Serialization.unmarshal(resource, HBaseCluster.class));
    if (result instanceof PlanResult.Planned planned) {
      return planned.plan();
    }
    throw new AssertionError(result);
  }

  /** The plan with a value that the planner refuses. */
  private static MemoryPlan with(MemoryPlan plan, String key, String value) {
    var settings = new ArrayList<Setting>();
    for (var setting : plan.settings()) {
      settings.add(
          setting.name().equals(key)
              ? Setting.stored(
                  setting.target(), key, value, setting.provenance(), "", setting.source())
              : setting);
    }
    if (settings.equals(plan.settings())) {
      settings.add(Setting.stored(Target.HBASE_SITE, key, value, Provenance.DECLARED, "", ""));
    }
    return new MemoryPlan(settings, plan.budget());
  }

  /** HBase takes shares of the heap that it runs with, here this JVM's. */
  private static long heapShare(String share) {
    long max = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
    return (long) (max * Float.parseFloat(share));
  }
}
