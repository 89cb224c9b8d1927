package io.offheap.hbase.operator.cli;

import static java.util.Map.entry;

import io.offheap.hbase.operator.plan.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What HBase 2.6.4 takes for the properties that a plan derives, where no file sets them: from
 * {@code hbase-default.xml} and, for those that it does not have, from the constants that the code
 * reads.
 */
final class HBaseDefaults {
  static final String BUFFER = "hbase.server.allocator.buffer.size";
  private static final String OLD_MEMSTORE = "hbase.regionserver.global.memstore.upperLimit";
  private static final long HANDLER_BYTES = 2 << 20;

  private static final Map<String, String> CONSTANTS =
      Map.ofEntries(
          // hbase-default.xml
          entry(RunningReader.HANDLERS, "30"),
          entry(RunningReader.INDEX_BLOCK, "131072"),
          entry(RunningReader.BLOOM_BLOCK, "131072"),
          entry(RunningReader.L1_SIZE, "0.4"),
          entry(RunningReader.OFF_HEAP_MEMSTORE, "0"),
          entry("hfile.block.cache.policy", "LRU"),
          entry("hbase.hregion.memstore.mslab.enabled", "true"),
          entry("hbase.hregion.memstore.mslab.chunksize", "2097152"),
          entry("hbase.dfs.client.read.shortcircuit.buffer.size", "131072"),
          // ByteBuffAllocator.DEFAULT_BUFFER_SIZE
          entry(BUFFER, "66560"),
          // BucketAllocator.DEFAULT_BUCKET_SIZES
          entry(
              "hbase.bucketcache.bucket.sizes",
              "5120,9216,17408,33792,41984,50176,58368,66560,99328,132096,197632,263168,394240,"
                  + "525312"),
          // MemorySizeUtil.getBucketCacheSize; with an engine it stops the region server
          entry(RunningReader.CACHE_SIZE, "0"),
          // BucketCache.DEFAULT_BACKING_MAP_PERSISTENCE_CHUNK_SIZE
          entry("hbase.bucketcache.persistence.chunksize", "10000000"),
          // CacheConfig.DEFAULT_CACHE_DATA_ON_READ
          entry("hbase.block.data.cacheonread", "true"),
          // RpcServer.DEFAULT_MAX_CALLQUEUE_SIZE, DEFAULT_MAX_REQUEST_SIZE
          entry("hbase.ipc.server.max.callqueue.size", "1073741824"),
          entry("hbase.ipc.max.request.size", "268435456"),
          // What a plan refuses to have set, and does nothing as it is
          entry("hbase.server.allocator.pool.enabled", "true"),
          entry("dfs.client.hedged.read.threadpool.size", "0"),
          entry(Running.SHORT_CIRCUIT, "false"));

  private HBaseDefaults() {}

  /**
   * The value of a property that no file sets.
   *
   * @param effective values of other properties, set or not
   */
  static Optional<String> of(String key, Function<String, Optional<String>> effective) {
    return switch (key) {
      case "hbase.regionserver.global.memstore.size" ->
          Optional.of(effective.apply(OLD_MEMSTORE).orElse("0.4"));
      case "hbase.server.allocator.max.buffer.count" ->
          number(RunningReader.HANDLERS, effective)
              .flatMap(
                  handlers ->
                      number(BUFFER, effective)
                          .map(buffer -> handlers * (HANDLER_BYTES / buffer) * 2))
              .map(String::valueOf);
      case "hbase.server.allocator.minimal.allocate.size" ->
          number(BUFFER, effective).map(buffer -> Long.toString(buffer / 6));
      default -> Optional.ofNullable(CONSTANTS.get(key));
    };
  }

  private static Optional<Long> number(String key, Function<String, Optional<String>> effective) {
    return effective.apply(key).flatMap(Kind.INT::read).filter(it -> it > 0);
  }
}
