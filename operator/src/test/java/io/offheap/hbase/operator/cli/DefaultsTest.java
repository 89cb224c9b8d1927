package io.offheap.hbase.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Key;
import io.offheap.hbase.operator.plan.Keys;
import io.offheap.hbase.operator.plan.Target;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheFactory;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MemStoreLAB;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The registered defaults are those of HBase 2.6.4. */
class DefaultsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "hbase.regionserver.handler.count",
        "hfile.index.block.max.size",
        "io.storefile.bloom.block.size",
        "hfile.block.cache.size",
        "hfile.block.cache.policy",
        "hbase.hregion.memstore.mslab.enabled",
        "hbase.hregion.memstore.mslab.chunksize",
        "hbase.dfs.client.read.shortcircuit.buffer.size",
        "hbase.regionserver.offheap.global.memstore.size",
      })
  void equalsHBaseDefaultXml(String key) {
    assertThat(hbase(key)).isEqualTo(HBaseConfiguration.create().get(key));
  }

  @Test
  void equalsDefaultInHBaseCode() throws Exception {
    var none = HBaseConfiguration.create();
    var pool = ByteBuffAllocator.create(none, true);
    var bucketCache = Class.forName("org.apache.hadoop.hbase.io.hfile.bucket.BucketCache");

    assertThat(hbase("hbase.server.allocator.buffer.size"))
        .isEqualTo(Integer.toString(ByteBuffAllocator.DEFAULT_BUFFER_SIZE));
    assertThat(hbase("hbase.server.allocator.max.buffer.count"))
        .isEqualTo(Integer.toString(pool.getTotalBufferCount()));
    assertThat(hbase("hbase.server.allocator.minimal.allocate.size"))
        .isEqualTo(constant(pool, ByteBuffAllocator.class, "minSizeForReservoirUse"));
    assertThat(hbase("hbase.regionserver.global.memstore.size"))
        .isEqualTo(Float.toString(MemorySizeUtil.getGlobalMemStoreHeapPercent(none, false)));
    assertThat(hbase("hbase.block.data.cacheonread"))
        .isEqualTo(Boolean.toString(CacheConfig.DEFAULT_CACHE_DATA_ON_READ));
    assertThat(hbase("hbase.rs.prefetchblocksonopen"))
        .isEqualTo(Boolean.toString(CacheConfig.DEFAULT_PREFETCH_ON_OPEN));
    assertThat(hbase("hbase.ipc.server.max.callqueue.size"))
        .isEqualTo(constant(null, RpcServer.class, "DEFAULT_MAX_CALLQUEUE_SIZE"));
    assertThat(hbase("hbase.ipc.max.request.size"))
        .isEqualTo(Integer.toString(RpcServer.DEFAULT_MAX_REQUEST_SIZE));
    assertThat(hbase("hbase.bucketcache.persistence.chunksize"))
        .isEqualTo(constant(null, bucketCache, "DEFAULT_BACKING_MAP_PERSISTENCE_CHUNK_SIZE"));
    assertThat(hbase("hbase.bucketcache.acceptfactor"))
        .isEqualTo(constant(null, bucketCache, "DEFAULT_ACCEPT_FACTOR"));
    assertThat(hbase("hbase.bucketcache.minfactor"))
        .isEqualTo(constant(null, bucketCache, "DEFAULT_MIN_FACTOR"));
    assertThat(hbase("hbase.bucketcache.writer.threads"))
        .isEqualTo(Integer.toString(BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_THREADS));
    assertThat(hbase("hbase.bucketcache.writer.queuelength"))
        .isEqualTo(Integer.toString(BlockCacheFactory.DEFAULT_BUCKET_CACHE_WRITER_QUEUE));
    assertThat(hbase("hbase.hregion.memstore.mslab.max.allocation"))
        .isEqualTo(Integer.toString(MemStoreLAB.MAX_ALLOC_DEFAULT));
    assertThat(hbase("hbase.hstore.bytes.per.checksum"))
        .isEqualTo(Integer.toString(HFile.DEFAULT_BYTES_PER_CHECKSUM));
    assertThat(hbase("hbase.bucketcache.bucket.sizes")).isEqualTo(bucketSizes());
  }

  private static String bucketSizes() throws Exception {
    var field =
        Class.forName("org.apache.hadoop.hbase.io.hfile.bucket.BucketAllocator")
            .getDeclaredField("DEFAULT_BUCKET_SIZES");
    field.setAccessible(true);
    return Arrays.stream((int[]) field.get(null))
        .mapToObj(Integer::toString)
        .collect(Collectors.joining(","));
  }

  private static String constant(Object of, Class<?> type, String name) throws Exception {
    var field = type.getDeclaredField(name);
    field.setAccessible(true);
    return String.valueOf(field.get(of));
  }

  private static String hbase(String key) {
    return property(key).orElseThrow();
  }

  private static Optional<String> property(String key) {
    var context = new Key.Context(1, 0, 0, OptionalLong.empty(), DefaultsTest::property);
    return Keys.find(Target.HBASE_SITE, key).flatMap(it -> it.ownDefault().apply(context));
  }
}
