package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.RuleResults.line;
import static io.offheap.hbase.operator.tune.RuleResults.noChange;

import io.offheap.hbase.operator.plan.BlockRead;
import io.offheap.hbase.operator.plan.Bytes;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The allocator's pool has too few buffers, so that reads take memory from the heap (HBASE-21879,
 * best practice 1).
 *
 * <p>The pool is too small where all of its buffers are created, requests find none, and the heap
 * share reaches {@code minimal.allocate.size / buffer.size}. A sufficient pool stays below: the
 * rest of a request that goes to the heap is at most that part of a buffer.
 *
 * <p>One change is enough. With {@code h} bytes a second that requests took from the heap because
 * the pool was empty, and {@code p} bytes a second from the pool, {@code count * (h + p) / p}
 * buffers serve all of them, since a request holds each buffer for the same time (Little's law). A
 * fifth is added. The result is the mean number of buffers in use. A request takes many buffers at
 * once, so that the peak of a small pool is several times the mean; so the count is at least the
 * derived one, which covers what all handlers may hold.
 *
 * <p>The off-heap budget limits the count. The text states what more buffers would take from the
 * bucket cache. Where the resource allows, they take it, down to half of the cache as declared.
 */
final class PoolTooSmall implements Rule {
  static final String NAME = "PoolTooSmall";

  /** A fifth more than the misses of the window show: the next window may be busier. */
  private static final double MARGIN = 1.2;

  /** A tenth is the least that is worth a restart of the group. */
  private static final double LEAST_GROWTH = 1.1;

  /** A lower bound for the threshold, which is almost 0 where every request goes to the pool. */
  private static final double LEAST_SHARE = 0.001;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isProven() {
    return true;
  }

  @Override
  public String suspicion() {
    return BufferLeak.SUSPICION;
  }

  @Override
  public boolean isSymptomFelt() {
    return true;
  }

  @Override
  public OptionalDouble symptom(Evidence evidence) {
    long largest = largestRequest(evidence);
    return evidence.worst(server -> share(server, largest));
  }

  @Override
  public boolean isOneStep() {
    return true;
  }

  @Override
  public RuleResult evaluate(Evidence evidence) {
    return RuleResults.declared(NAME, evidence, TunedKey.BUFFER_COUNT)
        .orElseGet(() -> evaluateTraffic(evidence));
  }

  private static RuleResult evaluateTraffic(Evidence evidence) {
    long largest = largestRequest(evidence);
    var worst =
        evidence
            .worstServer(server -> share(server, largest))
            .flatMap(server -> AllocatorTraffic.of(server, largest));
    if (worst.isEmpty()) {
      return noChange(
          NAME,
          Reason.NO_EVIDENCE,
          "too few bytes were allocated, or the allocator's metrics are missing");
    }
    var traffic = worst.get();
    double threshold = threshold(evidence);
    if (traffic.missedShare() < threshold) {
      return noChange(
          NAME,
          Reason.WITHIN_LIMITS,
          "%s: %.2f %% of the allocated bytes missed the pool; at most %.2f %% is permitted",
          traffic.server().pod(),
          100 * traffic.missedShare(),
          100 * threshold);
    }
    if (traffic.created() < traffic.total()) {
      return noChange(
          NAME,
          Reason.WITHIN_LIMITS,
          "%s has created %.0f of %.0f buffers",
          traffic.server().pod(),
          traffic.created(),
          traffic.total());
    }
    return BufferLeak.evidence(traffic)
        .<RuleResult>map(it -> noChange(NAME, Reason.SUSPECTED, "%s", it))
        .orElseGet(() -> grow(evidence, traffic, threshold));
  }

  private static RuleResult grow(Evidence evidence, AllocatorTraffic traffic, double threshold) {
    double now = traffic.total();
    double exact =
        now * (traffic.missedPerSecond() + traffic.poolPerSecond()) / traffic.poolPerSecond();
    long byTraffic = (long) Math.min(Integer.MAX_VALUE, Math.ceil(exact * MARGIN));
    long wanted = Math.max(byTraffic, evidence.derived(TunedKey.BUFFER_COUNT));
    long cacheNow = evidence.cacheBytes();
    long leastCache =
        evidence.mayShrinkCache()
            ? Math.min(cacheNow, evidence.untuned().cacheBytes() / 2)
            : cacheNow;
    long count =
        RuleResults.largest(
            (long) now,
            wanted,
            it -> {
              var effect = evidence.effect(values(it));
              return effect.isPlan() && effect.cacheBytes() >= leastCache;
            });
    var sum =
        line(
            "%.0f buffers x (%.2f + %.2f) / %.2f MiB/s x %.1f = %d",
            now,
            mib(traffic.missedPerSecond()),
            mib(traffic.poolPerSecond()),
            mib(traffic.poolPerSecond()),
            MARGIN,
            byTraffic);
    if (wanted > byTraffic) {
      sum += line("; at least the derived %d", wanted);
    }
    var text = count == wanted ? sum : sum + "; " + end(evidence, count, wanted);
    if (count < now * LEAST_GROWTH) {
      boolean needsCache = !evidence.mayShrinkCache() && evidence.effect(values(wanted)).isPlan();
      return noChange(NAME, needsCache ? Reason.NOT_ALLOWED : Reason.NO_ROOM, "%s", text);
    }
    return RuleResults.propose(
        NAME, evidence, values(count), text, evidenceLines(traffic, threshold));
  }

  /** The largest possible count, and what the wanted one would take from the cache. */
  private static String end(Evidence evidence, long count, long wanted) {
    var all = evidence.effect(values(wanted));
    var budget = line("the off-heap budget ends at %d", count);
    if (!all.isPlan()) {
      return budget + ": " + all.refusal().orElse("");
    }
    var taken = Bytes.mib(evidence.cacheBytes() - all.cacheBytes());
    return evidence.mayShrinkCache()
        ? budget
            + ": all of them would take "
            + taken
            + ", and half of the "
            + evidence.cacheName()
            + " stays"
        : budget
            + ": the others would take "
            + taken
            + " from the "
            + evidence.cacheName()
            + ", which the resource does not allow";
  }

  private static List<String> evidenceLines(AllocatorTraffic traffic, double threshold) {
    return List.of(
        line(
            "%s: %.2f %% of the allocated bytes missed the pool; at most %.2f %% is permitted",
            traffic.server().pod(), 100 * traffic.missedShare(), 100 * threshold),
        line("all %.0f buffers are created", traffic.total()),
        line("%.1f requests a second found the pool empty", traffic.emptyPerSecond()),
        line("window of %d s", traffic.server().length().toSeconds()));
  }

  private static Map<TunedKey, Long> values(long count) {
    return Map.of(TunedKey.BUFFER_COUNT, count);
  }

  private static double threshold(Evidence evidence) {
    double minimal = evidence.plan().bufferPool().minimalBytes();
    return Math.max(LEAST_SHARE, minimal / evidence.planned(TunedKey.BUFFER_SIZE));
  }

  /** Bytes of the largest request: a block of a live table, or a buffer. */
  private static long largestRequest(Evidence evidence) {
    return Math.max(
        evidence.planned(TunedKey.BUFFER_SIZE),
        evidence.tables().stream()
            .mapToLong(
                it ->
                    BlockRead.bytes(
                        it.dataBlockBytes(), it.cellBytes(), evidence.bytesPerChecksum()))
            .max()
            .orElse(0));
  }

  private static OptionalDouble share(ServerWindow server, long largestRequest) {
    return AllocatorTraffic.of(server, largestRequest)
        .map(it -> OptionalDouble.of(it.missedShare()))
        .orElse(OptionalDouble.empty());
  }

  private static double mib(double bytes) {
    return bytes / Bytes.MIB;
  }
}
