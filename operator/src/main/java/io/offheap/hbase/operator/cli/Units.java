package io.offheap.hbase.operator.cli;

import static java.util.Map.entry;

import java.util.Map;
import java.util.Optional;

/**
 * Units of plain numbers. The names do not tell: of {@code hfile.block.cache.size}, {@code
 * hbase.bucketcache.size} and {@code hbase.server.allocator.buffer.size} the first is a share of
 * the heap, the second MiB and the third bytes.
 */
final class Units {
  private static final String BYTES = "bytes";
  private static final String SHARE = "of the heap";

  private static final Map<String, String> UNITS =
      Map.ofEntries(
          entry("hbase.regionserver.handler.count", "handlers"),
          entry("hfile.index.block.max.size", BYTES),
          entry("io.storefile.bloom.block.size", BYTES),
          entry("hbase.server.allocator.buffer.size", BYTES),
          entry("hbase.server.allocator.max.buffer.count", "buffers"),
          entry("hbase.server.allocator.minimal.allocate.size", BYTES),
          entry("hbase.bucketcache.bucket.sizes", BYTES),
          entry("hbase.bucketcache.size", "MiB"),
          entry("hbase.regionserver.global.memstore.size", SHARE),
          entry("hfile.block.cache.size", SHARE),
          entry("hbase.hregion.memstore.mslab.chunksize", BYTES),
          entry("hbase.ipc.server.max.callqueue.size", BYTES),
          entry("hbase.ipc.max.request.size", BYTES),
          entry("org.apache.hbase.thirdparty.io.netty.maxDirectMemory", BYTES),
          entry("jdk.nio.maxCachedBufferSize", BYTES),
          entry("MaxGCPauseMillis", "ms"),
          entry("InitiatingHeapOccupancyPercent", "% of the heap"),
          entry("G1NewSizePercent", "% of the heap"),
          entry("G1OldCSetRegionThresholdPercent", "% of the heap"),
          entry("MaxTenuringThreshold", "young collections"),
          entry("G1MixedGCCountTarget", "mixed collections"),
          entry("ParallelGCThreads", "threads"),
          entry("ConcGCThreads", "threads"));

  private Units() {}

  /** The unit of a key's value, unless the value says it. */
  static Optional<String> of(String key) {
    return Optional.ofNullable(UNITS.get(key));
  }
}
