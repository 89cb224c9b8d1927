package io.offheap.hbase.observer;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.BlockCache;
import org.apache.hadoop.hbase.io.hfile.bucket.BucketCache;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hbase.thirdparty.io.netty.util.internal.PlatformDependent;

/**
 * Direct memory by holder.
 *
 * <p>The JDK's own pool counts what {@code -XX:MaxDirectMemorySize} limits. Netty counts separately
 * unless it uses buffers with a cleaner, in which case it is in the JDK's pool and its own counter
 * shows {@link ObserverMetrics#UNKNOWN}.
 */
final class DirectMemory {
  private static final long MEBIBYTE = 1L << 20;
  private static final List<String> FILE_ENGINES = List.of("file:", "files:", "mmap:");

  private final RegionServerServices server;
  private final BufferPoolMXBean direct;
  private final boolean ramBuffer = hasRamBuffer();

  private DirectMemory(RegionServerServices server) {
    this.server = server;
    this.direct = pool("direct").orElseThrow();
  }

  static void publish(ObserverMetrics metrics, RegionServerServices server) {
    var memory = new DirectMemory(server);
    metrics.gauge("directUsedBytes", memory.direct::getMemoryUsed);
    metrics.gauge("directCapacityBytes", memory.direct::getTotalCapacity);
    metrics.gauge("directBuffers", memory.direct::getCount);
    pool("mapped").ifPresent(mapped -> metrics.gauge("mappedUsedBytes", mapped::getMemoryUsed));
    metrics.gauge("nettyUsedBytes", PlatformDependent::usedDirectMemory);
    metrics.gauge("nettyMaxBytes", PlatformDependent::maxDirectMemory);
    metrics.gauge("bucketCacheCapacityBytes", () -> memory.bucketCache(BlockCache::getMaxSize));
    metrics.gauge("bucketCacheUsedBytes", () -> memory.bucketCache(BlockCache::getCurrentSize));
    metrics.gauge("bucketCacheDirectBytes", memory::bucketCacheDirectBytes);
    metrics.gauge("ramBufferDirectBytes", memory::ramBufferDirectBytes);
    metrics.gauge("memstoreOffHeapUsedBytes", memory::memstoreBytes);
    metrics.gauge("memstoreOffHeapLimitBytes", memory::memstoreLimitBytes);
    metrics.gauge("directOtherBytes", memory::otherBytes);
  }

  private static Optional<BufferPoolMXBean> pool(String name) {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals(name))
        .findFirst();
  }

  // Read each time, because HBase starts its coprocessors before its other parts.
  private long bucketCache(ToLongFunction<BlockCache> figure) {
    return server.getBlockCache().stream()
        .flatMap(DirectMemory::parts)
        .filter(BucketCache.class::isInstance)
        .mapToLong(figure)
        .sum();
  }

  private static Stream<BlockCache> parts(BlockCache cache) {
    var parts = cache.getBlockCaches();
    return parts == null ? Stream.of(cache) : Arrays.stream(parts);
  }

  private long bucketCacheDirectBytes() {
    return engine(configuration()).startsWith("offheap")
        ? piecesBytes(bucketCache(BlockCache::getMaxSize))
        : 0;
  }

  private long ramBufferDirectBytes() {
    return ramBuffer && bucketCache(BlockCache::getMaxSize) > 0
        ? ramBufferDirectBytes(configuration())
        : 0;
  }

  /**
   * Direct memory of the copies of blocks that a bucket cache in files has beside it, in bytes. A
   * block in another engine is read where it lies.
   */
  static long ramBufferDirectBytes(Configuration configuration) {
    return FILE_ENGINES.stream().anyMatch(engine(configuration)::startsWith)
            && configuration.getBoolean("hbase.bucketcache.rambuffer.enable", false)
        ? piecesBytes(configuration.getLong("hbase.bucketcache.rambuffer.size", 0) * MEBIBYTE)
        : 0;
  }

  // Of the image's own HBase: a published one ignores its keys.
  private static boolean hasRamBuffer() {
    try {
      Class.forName(
          "org.apache.hadoop.hbase.io.hfile.bucket.RAMBuffer",
          false,
          BucketCache.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static String engine(Configuration configuration) {
    return configuration.get(HConstants.BUCKET_CACHE_IOENGINE_KEY, "");
  }

  /**
   * HBase allocates it in pieces of 4 MiB, or of a sixteenth if it has less than 64 MiB
   * (ByteBufferArray).
   */
  private static long piecesBytes(long capacity) {
    var piece = Math.min(4 * MEBIBYTE, roundUp(capacity / 16, 32 * 1024));
    return piece == 0 ? 0 : roundUp(capacity, piece);
  }

  private static long roundUp(long value, long to) {
    return -Math.floorDiv(-value, to) * to;
  }

  private long memstoreBytes() {
    return server.getRegionServerAccounting().getGlobalMemStoreOffHeapSize();
  }

  private long memstoreLimitBytes() {
    return configuration().getLong(MemorySizeUtil.OFFHEAP_MEMSTORE_SIZE_KEY, 0) * MEBIBYTE;
  }

  /** The rest: the JDK's per-thread buffers, HDFS, and chunks that are not full. */
  private long otherBytes() {
    return Math.max(
        0,
        direct.getMemoryUsed()
            - bucketCacheDirectBytes()
            - ramBufferDirectBytes()
            - memstoreBytes()
            - AllocatorMetrics.poolDirectBytes(server.getRpcServer().getByteBuffAllocator()));
  }

  private Configuration configuration() {
    return server.getConfiguration();
  }
}
