package io.offheap.hbase.operator.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.render.Topology;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;

/**
 * The part of a region server's start that reads a plan, called for real on the {@code
 * hbase-site.xml} that the operator writes: heap shares, allocator and block cache.
 *
 * <p>It takes next to no memory, whatever the plan's size: the allocator creates its buffers on
 * request, the caches' maps their tables with the first block, and the bucket cache's own memory is
 * replaced by a sparse file.
 */
public final class HBaseStart {
  /** The list of buckets is made at once, and a cache that starts small starts large as well. */
  private static final long LARGEST_CACHE_MIB = 4096;

  /** Properties that need memory or files which the test lacks. */
  private static final Pattern ENGINE = Pattern.compile("offheap.*|(files?|mmap|pmem):.+");

  /** {@code hbase-default.xml} takes longer to read than all that is checked here. */
  private static final Configuration DEFAULTS = HBaseConfiguration.create();

  static {
    // HBase logs each cache that it starts, which is too much for thousands of plans.
    Configurator.setLevel("org.apache.hadoop.hbase", Level.WARN);
  }

  private HBaseStart() {}

  /**
   * Starts what a plan configures, and stops it.
   *
   * @throws AssertionError if HBase refuses or replaces a value of the plan
   */
  public static void check(MemoryPlan plan) {
    var conf = hbaseSite(plan);
    try {
      checkHeapShares(plan, conf);
      checkAllocator(plan, conf);
      checkBlockCache(plan, conf);
    } catch (RuntimeException e) {
      throw new AssertionError("HBase refuses " + plan.hbaseSite(), e);
    }
  }

  /** The file that the operator writes, read as a region server reads it. */
  static Configuration hbaseSite(MemoryPlan plan) {
    var zookeeper = new Topology.ZooKeeper("zk:2181", "/hbase", List.of());
    var topology = new Topology(zookeeper, "hdfs://ns/hbase", Optional.empty());
    var xml = ConfigFiles.regionServer(topology, plan).get("hbase-site.xml");
    var site = new Configuration(false);
    site.addResource(new ByteArrayInputStream(xml.getBytes(UTF_8)));
    var conf = new Configuration(DEFAULTS);
    site.forEach(property -> conf.set(property.getKey(), property.getValue()));
    return conf;
  }

  private static void checkHeapShares(MemoryPlan plan, Configuration conf) {
    MemorySizeUtil.validateRegionServerHeapMemoryAllocation(conf);
    assertThat(MemorySizeUtil.getGlobalMemStoreHeapPercent(conf, false))
        .as("memstore share, which HBase replaces where it is out of range")
        .isEqualTo(share(plan, "hbase.regionserver.global.memstore.size"));
    assertThat(MemorySizeUtil.getBlockCacheHeapPercent(conf))
        .isEqualTo(share(plan, HConstants.HFILE_BLOCK_CACHE_SIZE_KEY));
  }

  private static float share(MemoryPlan plan, String key) {
    return Float.parseFloat(plan.hbaseSite().get(key));
  }

  private static void checkAllocator(MemoryPlan plan, Configuration conf) {
    boolean enabled = conf.getBoolean(ByteBuffAllocator.ALLOCATOR_POOL_ENABLED_KEY, true);
    var allocator = ByteBuffAllocator.create(conf, enabled);
    assertThat(allocator.isReservoirEnabled()).isTrue();
    assertThat((long) allocator.getBufferSize())
        .isEqualTo(number(plan, ByteBuffAllocator.BUFFER_SIZE_KEY));
    assertThat((long) allocator.getTotalBufferCount())
        .isEqualTo(number(plan, ByteBuffAllocator.MAX_BUFFER_COUNT_KEY));
    assertThat((long) conf.getInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, -1))
        .isEqualTo(number(plan, ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY));
  }

  private static void checkBlockCache(MemoryPlan plan, Configuration conf) {
    var engine = plan.hbaseSite().get(HConstants.BUCKET_CACHE_IOENGINE_KEY);
    if (engine == null) {
      assertThat(conf.get(HConstants.BUCKET_CACHE_IOENGINE_KEY)).isNull();
      start(conf, Optional.empty());
      return;
    }
    var planned = new BigDecimal(plan.hbaseSite().get(HConstants.BUCKET_CACHE_SIZE_KEY));
    assertThat(MemorySizeUtil.getBucketCacheSize(conf))
        .as("bucket cache of %s MiB, which HBase reads as a float", planned)
        .isEqualTo(planned.multiply(BigDecimal.valueOf(1 << 20)).longValue());
    var most = BigDecimal.valueOf(Math.max(LARGEST_CACHE_MIB, leastCacheMib(conf)));
    conf.set(HConstants.BUCKET_CACHE_SIZE_KEY, planned.min(most).toPlainString());
    long bytes = MemorySizeUtil.getBucketCacheSize(conf);
    if (ENGINE.matcher(engine).matches()) {
      inSparseFile(conf, () -> start(conf, Optional.of(bytes)));
    } else {
      start(conf, Optional.of(bytes));
    }
  }

  /** HBase wants a bucket for each size, and a bucket is four times the largest. */
  private static long leastCacheMib(Configuration conf) {
    var sizes = conf.getInts(BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY);
    long largest = 0;
    for (int size : sizes) {
      largest = Math.max(largest, size);
    }
    return 4L * sizes.length * largest / (1 << 20) + 1;
  }

  private static void inSparseFile(Configuration conf, Runnable check) {
    try {
      var file = Files.createTempFile("bucket-cache", "");
      var index = Path.of(file + ".index");
      conf.set(HConstants.BUCKET_CACHE_IOENGINE_KEY, "file:" + file);
      if (conf.get(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY) != null) {
        conf.set(HConstants.BUCKET_CACHE_PERSISTENT_PATH_KEY, index.toString());
      }
      try {
        check.run();
      } finally {
        Files.deleteIfExists(file);
        Files.deleteIfExists(index);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(Configuration conf, Optional<Long> bucketCacheBytes) {
    var cache = BlockCacheFactory.createBlockCache(conf);
    if (cache == null) {
      assertThat(MemorySizeUtil.getOnHeapCacheSize(conf)).isNegative();
      assertThat(bucketCacheBytes).as("HBase leaves it out where there is no L1").isEmpty();
      return;
    }
    try {
      assertSizes(cache, conf, bucketCacheBytes);
    } finally {
      cache.shutdown();
    }
  }

  private static void assertSizes(
      BlockCache cache, Configuration conf, Optional<Long> bucketCacheBytes) {
    long l1 = MemorySizeUtil.getOnHeapCacheSize(conf);
    var levels = cache.getBlockCaches();
    if (bucketCacheBytes.isEmpty()) {
      assertThat(levels).isNull();
      assertThat(cache.getMaxSize()).isEqualTo(l1);
    } else {
      assertThat(levels).hasSize(2);
      assertThat(levels[0].getMaxSize()).isEqualTo(l1);
      assertThat(levels[1].getMaxSize()).isEqualTo(bucketCacheBytes.get());
    }
  }

  private static long number(MemoryPlan plan, String key) {
    return Long.parseLong(plan.hbaseSite().get(key));
  }
}
