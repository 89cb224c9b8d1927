package io.offheap.hbase.operator.proof;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanResult;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.render.Topology;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketAllocatorStart;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every plan passes HBase's start-up code, called on the rendered {@code hbase-site.xml}, which
 * verifies the planner's rules against HBase.
 */
class HBaseStartTest {
  static List<Path> resources() throws IOException {
    try (var vectors = Files.list(Path.of("src", "test", "resources", "plans"));
        var examples = Files.list(Path.of("..", "examples"))) {
      return Stream.concat(vectors, examples)
          .filter(path -> path.toString().endsWith(".yaml"))
          .filter(path -> read(path).contains("kind: HBaseCluster"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("resources")
  void heapSharesPassCheckOfRegionServer(Path resource) {
    var plan = plan(resource);
    var conf = hbaseSite(plan);

    assertThatCode(() -> MemorySizeUtil.validateRegionServerHeapMemoryAllocation(conf))
        .doesNotThrowAnyException();

    var memstore = plan.hbaseSite().get("hbase.regionserver.global.memstore.size");
    assertThat(MemorySizeUtil.getGlobalMemStoreHeapPercent(conf, false))
        .as("memstore share, which HBase replaces where it is out of range")
        .isEqualTo(Float.parseFloat(memstore));
    assertThat(MemorySizeUtil.getBlockCacheHeapPercent(conf))
        .isEqualTo(Float.parseFloat(plan.hbaseSite().get("hfile.block.cache.size")));
  }

  @ParameterizedTest
  @MethodSource("resources")
  void allocatorMatchesPlan(Path resource) {
    var plan = plan(resource);

    var allocator = ByteBuffAllocator.create(hbaseSite(plan), true);

    assertThat(allocator.isReservoirEnabled()).isTrue();
    assertThat(allocator.getBufferSize())
        .isEqualTo(number(plan, "hbase.server.allocator.buffer.size"));
    assertThat(allocator.getTotalBufferCount())
        .isEqualTo(number(plan, "hbase.server.allocator.max.buffer.count"));
  }

  @ParameterizedTest
  @MethodSource("resources")
  void bucketCacheSizesMatchPlan(Path resource) {
    var plan = plan(resource);
    var conf = hbaseSite(plan);
    var declared = plan.hbaseSite().get("hbase.bucketcache.size");
    if (declared == null) {
      assertThat(conf.get("hbase.bucketcache.ioengine")).isNull();
      return;
    }
    long bytes = MemorySizeUtil.getBucketCacheSize(conf);
    assertThat(bytes).isEqualTo(Long.parseLong(declared) << 20);
    var sizes =
        Arrays.stream(conf.getStrings(BlockCacheFactory.BUCKET_CACHE_BUCKETS_KEY))
            .mapToInt(Integer::parseInt)
            .toArray();
    assertThat(Arrays.stream(sizes)).allMatch(size -> size % 256 == 0);
    assertThatCode(() -> BucketAllocatorStart.check(bytes, sizes)).doesNotThrowAnyException();
  }

  private static long number(MemoryPlan plan, String key) {
    return Long.parseLong(plan.hbaseSite().get(key));
  }

  private static MemoryPlan plan(Path resource) {
    var result =
        new Plans().ofDefaultGroup(Serialization.unmarshal(read(resource), HBaseCluster.class));
    assertThat(result).isInstanceOf(PlanResult.Planned.class);
    return ((PlanResult.Planned) result).plan();
  }

  /** The file that the operator writes, read as a region server reads it. */
  private static Configuration hbaseSite(MemoryPlan plan) {
    var zookeeper = new Topology.ZooKeeper("zk:2181", "/hbase", List.of());
    var topology = new Topology(zookeeper, "hdfs://ns/hbase", Optional.empty());
    var site = ConfigFiles.regionServer(topology, plan).get("hbase-site.xml");
    var conf = HBaseConfiguration.create();
    conf.addResource(new ByteArrayInputStream(site.getBytes(UTF_8)));
    return conf;
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
