package io.offheap.hbase.operator.plan;

import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The properties that a region server takes over while it runs, when it has to read its
 * configuration again, with the values that each may have. A property is one of them where all this
 * holds for HBase 2.6.4 and 2.5.13: its reader is notified of a change and uses the new value for
 * whatever comes next; it has its default again when the property is gone; and no other property is
 * needed for it to be right. A version that does not know a property takes it over as well.
 *
 * <p>Of what HBase reads again, these are left out, and restart as everything else does:
 *
 * <ul>
 *   <li>lengths of call queues: {@code RpcExecutor.resizeQueues} keeps the last one when the
 *       property is gone;
 *   <li>CoDel's parameters: the general queue alone takes them;
 *   <li>{@code BucketCache}'s factors, {@code hbase.hstore.flusher.count}, limits of scans and of
 *       rows in a batch: HBase 2.5 reads them at its start only, and of the factors each is right
 *       or wrong by the others;
 *   <li>{@code hbase.block.data.cacheonread} and {@code hbase.bucketcache.persistence.chunksize}:
 *       the plan decides them.
 * </ul>
 *
 * <p>A value that HBase could not start with is none of these either: on its way by a restart, one
 * server alone would fail of it.
 */
final class OnlineProperties {
  // Narrower than what HBase reads, which takes "True", "0x4" and "1.2e0" as well, and fixed: the
  // hash of what is declared has what is not taken over, so a value that is taken over from now on
  // would change the hash of pods that run, and an upgrade of the operator would restart them.
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
          // CompactSplit makes its PressureAwareCompactionThroughputController anew; the next
          // compaction takes it.
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
          // HRegionServer makes its flush throughput controller anew; the next flush takes it.
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
          // files reads. A table or family that says otherwise is not overruled.
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
          // HStore and the throughput controller make their OffPeakHours anew.
          key("hbase.offpeak.start.hour", Kind.INT, "OffPeakHours", HOUR),
          key("hbase.offpeak.end.hour", Kind.INT, "OffPeakHours", HOUR),
          // CacheConfig has fields of them; a store's writers and readers ask for them.
          key("hbase.rs.cacheblocksonwrite", Kind.BOOLEAN, "CacheConfig", FLAG),
          key("hbase.rs.evictblocksonclose", Kind.BOOLEAN, "CacheConfig", FLAG),
          // PrefetchExecutor.loadConfiguration; what waits to be prefetched waits anew.
          key(
                  "hbase.hfile.prefetch.delay",
                  Kind.INT,
                  "PrefetchExecutor",
                  integer(0, Integer.MAX_VALUE))
              .in(Unit.MILLISECONDS),
          key("hbase.hfile.prefetch.delay.variation", Kind.FLOAT, "PrefetchExecutor", SHARE),
          // RpcServer.refreshSlowLogConfiguration; each call's end is compared with them.
          key("hbase.ipc.warn.response.time", Kind.INT, "RpcServer", OR_NEVER)
              .in(Unit.MILLISECONDS),
          key("hbase.ipc.warn.response.size", Kind.INT, "RpcServer", OR_NEVER).in(Unit.BYTES),
          key("hbase.ipc.warn.response.time.scan", Kind.INT, "RpcServer", OR_NEVER)
              .in(Unit.MILLISECONDS),
          key("hbase.ipc.warn.response.size.scan", Kind.INT, "RpcServer", OR_NEVER).in(Unit.BYTES),
          // NettyRpcServer.configureNettyWatermarks sets them for connections that there are and
          // that come; where they contradict each other it says so and goes on without.
          key("hbase.server.netty.writable.watermark.low", Kind.INT, "NettyRpcServer", WATERMARK)
              .in(Unit.BYTES),
          key("hbase.server.netty.writable.watermark.high", Kind.INT, "NettyRpcServer", WATERMARK)
              .in(Unit.BYTES),
          key("hbase.server.netty.writable.watermark.fatal", Kind.INT, "NettyRpcServer", WATERMARK)
              .in(Unit.BYTES));

  private OnlineProperties() {}

  private static <T> Key<T> key(String name, Kind<T> kind, String source, Predicate<String> texts) {
    return Key.of(Target.HBASE_SITE, name, kind, source).online(texts);
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
