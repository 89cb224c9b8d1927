package io.offheap.hbase.operator.render;

import static java.util.Map.entry;

import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The properties that a region server takes over while it runs, when it is told to read its
 * configuration again. A property is one of them where all this holds for HBase 2.6.4 and 2.5.13:
 * its reader is told of a change and uses the new value for whatever comes next; it has its default
 * again when the property is gone; and no other property is needed for it to be right. A version
 * that does not know a property takes it over as well.
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
public final class OnlineKeys {
  /** The file that has them. */
  public static final String FILE = "hbase-online.xml";

  /** The property that names the values which are in force. */
  public static final String REVISION = "hbase.offheap.online.revision";

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

  /** Each with the values that it may have. */
  private static final Map<String, Predicate<String>> KEYS =
      Map.ofEntries(
          // CompactSplit.onConfigurationChange sets the sizes of its thread pools.
          entry("hbase.regionserver.thread.compaction.large", COUNT),
          entry("hbase.regionserver.thread.compaction.small", COUNT),
          entry("hbase.regionserver.thread.split", COUNT),
          // CompactSplit makes its PressureAwareCompactionThroughputController anew; the next
          // compaction takes it.
          entry("hbase.hstore.compaction.throughput.higher.bound", BYTES),
          entry("hbase.hstore.compaction.throughput.lower.bound", BYTES),
          entry("hbase.hstore.compaction.throughput.offpeak", BYTES),
          entry("hbase.hstore.compaction.throughput.tune.period", MILLIS),
          entry("hbase.hstore.compaction.throughput.control.check.interval", BYTES),
          // HRegionServer makes its flush throughput controller anew; the next flush takes it.
          entry("hbase.hstore.flush.throughput.upper.bound", BYTES),
          entry("hbase.hstore.flush.throughput.lower.bound", BYTES),
          entry("hbase.hstore.flush.throughput.tune.period", MILLIS),
          entry("hbase.hstore.flush.throughput.control.check.interval", BYTES),
          // HStore gives its CompactionPolicy a new CompactionConfiguration, which each choice of
          // files reads. A table or family that says otherwise is not overruled.
          entry("hbase.hstore.compaction.min", integer(2, 10_000)),
          entry("hbase.hstore.compaction.max", integer(2, 10_000)),
          entry("hbase.hstore.compaction.min.size", BYTES),
          entry("hbase.hstore.compaction.max.size", BYTES),
          entry("hbase.hstore.compaction.max.size.offpeak", BYTES),
          entry("hbase.hstore.compaction.ratio", RATIO),
          entry("hbase.hstore.compaction.ratio.offpeak", RATIO),
          entry("hbase.hstore.min.locality.to.skip.major.compact", SHARE),
          entry("hbase.regionserver.thread.compaction.throttle", BYTES),
          entry("hbase.hregion.majorcompaction", integer(0, Long.MAX_VALUE)),
          entry("hbase.hregion.majorcompaction.jitter", SHARE),
          // HStore and the throughput controller make their OffPeakHours anew.
          entry("hbase.offpeak.start.hour", HOUR),
          entry("hbase.offpeak.end.hour", HOUR),
          // CacheConfig has fields of them; a store's writers and readers ask for them.
          entry("hbase.rs.cacheblocksonwrite", FLAG),
          entry("hbase.rs.evictblocksonclose", FLAG),
          // PrefetchExecutor.loadConfiguration; what waits to be prefetched waits anew.
          entry("hbase.hfile.prefetch.delay", integer(0, Integer.MAX_VALUE)),
          entry("hbase.hfile.prefetch.delay.variation", SHARE),
          // RpcServer.refreshSlowLogConfiguration; each call's end is compared with them.
          entry("hbase.ipc.warn.response.time", OR_NEVER),
          entry("hbase.ipc.warn.response.size", OR_NEVER),
          entry("hbase.ipc.warn.response.time.scan", OR_NEVER),
          entry("hbase.ipc.warn.response.size.scan", OR_NEVER),
          // NettyRpcServer.configureNettyWatermarks sets them for connections that there are and
          // that come; where they contradict each other it says so and goes on without.
          entry("hbase.server.netty.writable.watermark.low", WATERMARK),
          entry("hbase.server.netty.writable.watermark.high", WATERMARK),
          entry("hbase.server.netty.writable.watermark.fatal", WATERMARK));

  private OnlineKeys() {}

  /** Whether a running region server takes this value over. */
  public static boolean contains(Target target, String key, String value) {
    return target == Target.HBASE_SITE
        && KEYS.containsKey(key)
        && KEYS.get(key).test(value.strip());
  }

  /** What of a plan a running region server takes over. */
  public static MemoryPlan online(MemoryPlan plan) {
    return part(plan, true);
  }

  /** What of a plan a region server is started with. */
  public static MemoryPlan atStart(MemoryPlan plan) {
    return part(plan, false);
  }

  private static MemoryPlan part(MemoryPlan plan, boolean online) {
    List<Setting> settings =
        plan.settings().stream()
            .filter(it -> contains(it.target(), it.key(), it.value()) == online)
            .toList();
    return new MemoryPlan(settings, online ? List.of() : plan.budget());
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
