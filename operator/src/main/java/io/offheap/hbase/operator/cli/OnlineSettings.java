package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.Target;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a region server takes over while it runs, by {@code update_config} in HBase's shell or by a
 * SIGHUP: the properties that the {@code onConfigurationChange} methods of HBase 2.6.4 read again
 * (SimpleRpcScheduler, RpcExecutor, NettyRpcServer, RSRpcServices, MemStoreFlusher, CompactSplit
 * with both throughput controllers, CacheConfig, PrefetchExecutor, BucketCache, and HStore for
 * compaction policies). Everything else waits for a start: allocator, bucket cache, heap shares,
 * MSLAB and handlers, all options of the JVM, and the container.
 */
final class OnlineSettings {
  private static final Set<String> PROPERTIES =
      Set.of(
          "hbase.ipc.server.max.callqueue.length",
          "hbase.ipc.server.priority.max.callqueue.length",
          "hbase.ipc.server.replication.max.callqueue.length",
          "hbase.ipc.server.bulkload.max.callqueue.length",
          "hbase.ipc.server.callqueue.codel.target.delay",
          "hbase.ipc.server.callqueue.codel.interval",
          "hbase.ipc.server.callqueue.codel.lifo.threshold",
          "hbase.server.netty.writable.watermark.low",
          "hbase.server.netty.writable.watermark.high",
          "hbase.server.netty.writable.watermark.fatal",
          "hbase.rpc.rows.warning.threshold",
          "hbase.rpc.rows.size.threshold.reject",
          "hbase.server.scanner.max.result.size",
          "hbase.hstore.flusher.count",
          "hbase.regionserver.thread.compaction.large",
          "hbase.regionserver.thread.compaction.small",
          "hbase.regionserver.thread.split",
          "hbase.regionserver.thread.compaction.throttle",
          "hbase.hstore.compaction.min",
          "hbase.hstore.compaction.max",
          "hbase.hstore.compaction.min.size",
          "hbase.hstore.compaction.max.size",
          "hbase.hstore.compaction.max.size.offpeak",
          "hbase.hstore.compaction.ratio",
          "hbase.hstore.compaction.ratio.offpeak",
          "hbase.offpeak.start.hour",
          "hbase.offpeak.end.hour",
          "hbase.block.data.cacheonread",
          "hbase.rs.cacheblocksonwrite",
          "hbase.rs.evictblocksonclose",
          "hbase.hfile.prefetch.delay",
          "hbase.hfile.prefetch.delay.variation",
          "hbase.bucketcache.acceptfactor",
          "hbase.bucketcache.minfactor",
          "hbase.bucketcache.extrafreefactor",
          "hbase.bucketcache.single.factor",
          "hbase.bucketcache.multi.factor",
          "hbase.bucketcache.memory.factor",
          "hbase.bucketcache.queue.addition.waittime",
          "hbase.bucketcache.persist.intervalinmillis",
          "hbase.bucketcache.persistence.chunksize");

  /** Throughput controllers are made anew. */
  private static final Pattern THROUGHPUT =
      Pattern.compile("hbase\\.hstore\\.(compaction|flush)\\.throughput\\..+");

  private OnlineSettings() {}

  /** Whether a running region server takes a new value over. */
  static boolean contains(Target target, String key) {
    return target == Target.HBASE_SITE
        && (PROPERTIES.contains(key) || THROUGHPUT.matcher(key).matches());
  }
}
