package io.offheap.hbase.operator.plan;

import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The properties that a running region server applies when it reloads its configuration, with the
 * values that each may have. A property is listed where all this holds for HBase 2.6.4 and 2.5.13:
 * its reader is notified of a change and uses the new value from then on; without the property it
 * uses the default again; and its validity depends on no other property. A version without the
 * property ignores it.
 *
 * <p>These properties are reloaded by HBase but not listed, so that a change restarts the servers:
 *
 * <ul>
 *   <li>lengths of call queues: {@code RpcExecutor.resizeQueues} keeps the last value when the
 *       property is removed;
 *   <li>CoDel's parameters: only the general queue applies them;
 *   <li>{@code BucketCache}'s factors, {@code hbase.hstore.flusher.count}, limits of scans and of
 *       rows in a batch: HBase 2.5 reads them only at the start, and the validity of a factor
 *       depends on the others;
 *   <li>{@code hbase.block.data.cacheonread} and {@code hbase.bucketcache.persistence.chunksize}:
 *       the plan decides them.
 * </ul>
 *
 * <p>A value with which HBase cannot start is not listed either: in a rollout it fails on one
 * server only.
 */
final class OnlineProperties {
  // Narrower than HBase's parsers, which accept "True", "0x4" and "1.2e0" too, and fixed: the hash
  // of the declared values excludes online values, so a further online value would change the hash
  // of running pods, and an upgrade of the operator would restart them.
  private static final Pattern INTEGER = Pattern.compile("-?\\d{1,19}");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?[fF]?");
  private static final Predicate<String> COUNT = integer(1, 10_000);
  private static final Predicate<String> BYTES = integer(1, Long.MAX_VALUE);
  private static final Predicate<String> MILLIS = integer(1, Integer.MAX_VALUE);
  private static final Predicate<String> OR_NEVER = integer(-1, Integer.MAX_VALUE);
  private static final Predicate<String> WATERMARK = integer(0, Integer.MAX_VALUE);
  private static final Predicate<String> HOUR = integer(-1, 23);
  private static final Predicate<String> RATIO = decimal(1_000_000);
  private static final Predicate<String> SHARE = decimal(1);
  private static final Predicate<String> FLAG = Set.of("true", "false")::contains;

  static final List<Key<?>> ALL =
      List.of(
          // CompactSplit.onConfigurationChange sets the sizes of its thread pools.
          key("hbase.regionserver.thread.compaction.large", Kind.INT, "CompactSplit", COUNT)
              .in(Unit.THREADS),
          key("hbase.regionserver.thread.compaction.small", Kind.INT, "CompactSplit", COUNT)
              .in(Unit.THREADS),
          key("hbase.regionserver.thread.split", Kind.INT, "CompactSplit", COUNT).in(Unit.THREADS),
          // CompactSplit creates a new PressureAwareCompactionThroughputController for the next
          // compaction.
          key(
                  "hbase.hstore.compaction.throughput.higher.bound",
                  Kind.LONG,
                  "PressureAwareCompactionThroughputController",
                  BYTES)
              .in(Unit.BYTES),
          key(
                  "hbase.hstore.compaction.throughput.lower.bound",
                  Kind.LONG,
                  "PressureAwareCompactionThroughputController",
                  BYTES)
              .in(Unit.BYTES),
          key(
                  "hbase.hstore.compaction.throughput.offpeak",
                  Kind.LONG,
                  "PressureAwareCompactionThroughputController",
                  BYTES)
              .in(Unit.BYTES),
          key(
                  "hbase.hstore.compaction.throughput.tune.period",
                  Kind.INT,
                  "PressureAwareCompactionThroughputController",
                  MILLIS)
              .in(Unit.MILLISECONDS),
          key(
                  "hbase.hstore.compaction.throughput.control.check.interval",
                  Kind.LONG,
                  "PressureAwareCompactionThroughputController",
                  BYTES)
              .in(Unit.BYTES),
          // HRegionServer creates a new flush throughput controller for the next flush.
          key(
                  "hbase.hstore.flush.throughput.upper.bound",
                  Kind.LONG,
                  "PressureAwareFlushThroughputController",
                  BYTES)
              .in(Unit.BYTES),
          key(
                  "hbase.hstore.flush.throughput.lower.bound",
                  Kind.LONG,
                  "PressureAwareFlushThroughputController",
                  BYTES)
              .in(Unit.BYTES),
          key(
                  "hbase.hstore.flush.throughput.tune.period",
                  Kind.INT,
                  "PressureAwareFlushThroughputController",
                  MILLIS)
              .in(Unit.MILLISECONDS),
          key(
                  "hbase.hstore.flush.throughput.control.check.interval",
                  Kind.LONG,
                  "PressureAwareFlushThroughputController",
                  BYTES)
              .in(Unit.BYTES),
          // HStore gives its CompactionPolicy a new CompactionConfiguration, which each choice of
          // files reads. The setting of a table or family takes precedence.
          key(
              "hbase.hstore.compaction.min",
              Kind.INT,
              "CompactionConfiguration",
              integer(2, 10_000)),
          key(
              "hbase.hstore.compaction.max",
              Kind.INT,
              "CompactionConfiguration",
              integer(2, 10_000)),
          key("hbase.hstore.compaction.min.size", Kind.LONG, "CompactionConfiguration", BYTES)
              .in(Unit.BYTES),
          key("hbase.hstore.compaction.max.size", Kind.LONG, "CompactionConfiguration", BYTES)
              .in(Unit.BYTES),
          key(
                  "hbase.hstore.compaction.max.size.offpeak",
                  Kind.LONG,
                  "CompactionConfiguration",
                  BYTES)
              .in(Unit.BYTES),
          key("hbase.hstore.compaction.ratio", Kind.FLOAT, "CompactionConfiguration", RATIO),
          key(
              "hbase.hstore.compaction.ratio.offpeak",
              Kind.FLOAT,
              "CompactionConfiguration",
              RATIO),
          key(
              "hbase.hstore.min.locality.to.skip.major.compact",
              Kind.FLOAT,
              "CompactionConfiguration",
              SHARE),
          key(
                  "hbase.regionserver.thread.compaction.throttle",
                  Kind.LONG,
                  "CompactionConfiguration",
                  BYTES)
              .in(Unit.BYTES),
          key(
                  "hbase.hregion.majorcompaction",
                  Kind.LONG,
                  "CompactionConfiguration",
                  integer(0, Long.MAX_VALUE))
              .in(Unit.MILLISECONDS),
          key("hbase.hregion.majorcompaction.jitter", Kind.FLOAT, "CompactionConfiguration", SHARE),
          // HStore and the throughput controller create new OffPeakHours.
          key("hbase.offpeak.start.hour", Kind.INT, "OffPeakHours", HOUR),
          key("hbase.offpeak.end.hour", Kind.INT, "OffPeakHours", HOUR),
          // CacheConfig has fields for them, which writers and readers of a store use.
          key("hbase.rs.cacheblocksonwrite", Kind.BOOLEAN, "CacheConfig", FLAG),
          key("hbase.rs.evictblocksonclose", Kind.BOOLEAN, "CacheConfig", FLAG),
          // PrefetchExecutor.loadConfiguration; waiting prefetches are scheduled anew.
          key(
                  "hbase.hfile.prefetch.delay",
                  Kind.INT,
                  "PrefetchExecutor",
                  integer(0, Integer.MAX_VALUE))
              .in(Unit.MILLISECONDS),
          key("hbase.hfile.prefetch.delay.variation", Kind.FLOAT, "PrefetchExecutor", SHARE),
          // RpcServer.refreshSlowLogConfiguration; applied at the end of each call.
          key("hbase.ipc.warn.response.time", Kind.INT, "RpcServer", OR_NEVER)
              .in(Unit.MILLISECONDS),
          key("hbase.ipc.warn.response.size", Kind.INT, "RpcServer", OR_NEVER).in(Unit.BYTES),
          key("hbase.ipc.warn.response.time.scan", Kind.INT, "RpcServer", OR_NEVER)
              .in(Unit.MILLISECONDS),
          key("hbase.ipc.warn.response.size.scan", Kind.INT, "RpcServer", OR_NEVER).in(Unit.BYTES),
          // NettyRpcServer.configureNettyWatermarks sets them for present and new connections;
          // contradicting values are logged and ignored.
          key("hbase.server.netty.writable.watermark.low", Kind.INT, "NettyRpcServer", WATERMARK)
              .in(Unit.BYTES),
          key("hbase.server.netty.writable.watermark.high", Kind.INT, "NettyRpcServer", WATERMARK)
              .in(Unit.BYTES),
          key("hbase.server.netty.writable.watermark.fatal", Kind.INT, "NettyRpcServer", WATERMARK)
              .in(Unit.BYTES));

  private OnlineProperties() {}

  private static <T> Key<T> key(String name, Kind<T> kind, String source, Predicate<String> texts) {
    return HBaseKeys.key(name, kind, source).online(texts);
  }

  private static Predicate<String> integer(long least, long most) {
    return text -> {
      if (!INTEGER.matcher(text).matches()) {
        return false;
      }
      var value = new BigInteger(text);
      return value.compareTo(BigInteger.valueOf(least)) >= 0
          && value.compareTo(BigInteger.valueOf(most)) <= 0;
    };
  }

  private static Predicate<String> decimal(double most) {
    return text -> DECIMAL.matcher(text).matches() && Double.parseDouble(text) <= most;
  }
}
