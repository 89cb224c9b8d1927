package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.RuleResults.line;
import static io.offheap.hbase.operator.tune.RuleResults.noChange;

import io.offheap.hbase.operator.plan.BlockRead;
import io.offheap.hbase.operator.plan.Bytes;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * The allocator's pool has too few buffers, so that reads go to the heap (HBASE-21879, best
 * practice 1).
 *
 * <p>It is too small where all of its buffers are made, requests find none, and the heap's share of
 * the allocated bytes reaches {@code minimal.allocate.size / buffer.size}, which a pool that
 * suffices stays under: what is left of a request is at most that part of a buffer.
 *
 * <p>The count in one step: with {@code h} bytes a second that requests had to take from the heap
 * because the pool was empty, and {@code p} bytes a second from the pool, {@code count * (h + p) /
 * p} buffers serve all of them, since every request holds a buffer for as long (Little's law); and
 * a fifth more. {@code h} is at most the heap's bytes, which count small requests too, and at most
 * the requests that found the pool empty times the largest one.
 *
 * <p>That is what is held on average. Of a few dozen buffers the peak is several times as much,
 * since a request takes many at once; so the count becomes at least the one that the plan derives
 * from what every handler may hold.
 *
 * <p>The count ends where the off-heap budget does. The text states what the rest would take from
 * the bucket cache, and it is taken where the resource allows, down to half of the cache as
 * declared.
 */
final class PoolTooSmall implements Rule {
  static final String NAME = "PoolTooSmall";

  private static final String SUSPICION =
      "buffers leak, and the pool is large enough: whoever takes them does not return them";

  /** A fifth more than the misses of the window show: the next one may be busier. */
  private static final double MARGIN = 1.2;

  /** A tenth is the least that is worth a restart of the group. */
  private static final double LEAST_GROWTH = 1.1;

  /** Where all comes from the pool, the threshold is next to nothing; this much is chance. */
  private static final double LEAST_SHARE = 0.001;

  /** Under so many bytes a window, a few requests decide. */
  private static final double FEWEST_BYTES = 16 << 20;

  /** Of a pool, held all the time; and of the busiest traffic, at the quietest time. */
  private static final double ALMOST_ALL = 0.9;

  private static final double ALMOST_NONE = 0.1;

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
    return SUSPICION;
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
            .flatMap(server -> Traffic.of(server, largest));
    if (worst.isEmpty()) {
      return noChange(
          NAME,
          Reason.NO_EVIDENCE,
          "too few bytes were allocated, or the allocator's metrics are missing");
    }
    var traffic = worst.get();
    double threshold = threshold(evidence);
    if (traffic.share() < threshold) {
      return noChange(
          NAME,
          Reason.WITHIN_LIMITS,
          "%s: %.2f %% of the allocated bytes missed the pool; at most %.2f %% is permitted",
          traffic.server().pod(),
          100 * traffic.share(),
          100 * threshold);
    }
    if (traffic.created() < traffic.total()) {
      return noChange(
          NAME,
          Reason.WITHIN_LIMITS,
          "%s has made %.0f of %.0f buffers",
          traffic.server().pod(),
          traffic.created(),
          traffic.total());
    }
    return leak(traffic).orElseGet(() -> grow(evidence, traffic, threshold));
  }

  /** No count helps where buffers do not come back. */
  private static Optional<RuleResult> leak(Traffic traffic) {
    var server = traffic.server();
    if (traffic.poolPerSecond() == 0) {
      return Optional.of(
          noChange(
              NAME,
              Reason.SUSPECTED,
              "%s: not one of %.0f buffers came back in %d s; %s",
              server.pod(),
              traffic.total(),
              server.length().toSeconds(),
              SUSPICION));
    }
    var inUse = server.min(Metric.ALLOCATOR_BUFFERS_IN_USE);
    double busiest = bytesPerSecond(server).max().orElse(0);
    double quietest = bytesPerSecond(server).min().orElse(0);
    if (inUse.isEmpty()
        || inUse.getAsDouble() < ALMOST_ALL * traffic.total()
        || quietest > ALMOST_NONE * busiest) {
      return Optional.empty();
    }
    return Optional.of(
        noChange(
            NAME,
            Reason.SUSPECTED,
            "%s: at least %.0f of %.0f buffers stayed in use while traffic fell from %.1f to %.1f"
                + " MiB/s; %s",
            server.pod(),
            inUse.getAsDouble(),
            traffic.total(),
            mib(busiest),
            mib(quietest),
            SUSPICION));
  }

  /** From reading to reading. */
  private static DoubleStream bytesPerSecond(ServerWindow server) {
    var heap = server.rates(Metric.ALLOCATOR_HEAP_BYTES).toArray();
    var pool = server.rates(Metric.ALLOCATOR_POOL_BYTES).toArray();
    return IntStream.range(0, Math.min(heap.length, pool.length))
        .mapToDouble(it -> heap[it] + pool[it]);
  }

  private static RuleResult grow(Evidence evidence, Traffic traffic, double threshold) {
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

  /** Where the budget ends, and what the rest would take. */
  private static String end(Evidence evidence, long count, long wanted) {
    var all = evidence.effect(values(wanted));
    var budget = line("the off-heap budget ends at %d", count);
    if (!all.isPlan()) {
      return budget + ": " + all.refusal().orElse("");
    }
    var taken = Bytes.mib(evidence.cacheBytes() - all.cacheBytes());
    return evidence.mayShrinkCache()
        ? budget + ": all of them would take " + taken + ", and half of the bucket cache stays"
        : budget
            + ": the others would take "
            + taken
            + " from the bucket cache, which the resource does not allow";
  }

  private static List<String> evidenceLines(Traffic traffic, double threshold) {
    return List.of(
        line(
            "%s: %.2f %% of the allocated bytes missed the pool; at most %.2f %% is permitted",
            traffic.server().pod(), 100 * traffic.share(), 100 * threshold),
        line("all %.0f buffers are made", traffic.total()),
        line("%.1f requests a second found the pool empty", traffic.emptyPerSecond()),
        line("window of %d s", traffic.server().length().toSeconds()));
  }

  private static Map<String, String> values(long count) {
    return Map.of(TunedKey.BUFFER_COUNT.key(), TunedKey.BUFFER_COUNT.write(count));
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
            .mapToLong(it -> BlockRead.bytes(it.dataBlockBytes(), it.cellBytes()))
            .max()
            .orElse(0));
  }

  private static OptionalDouble share(ServerWindow server, long largestRequest) {
    return Traffic.of(server, largestRequest)
        .map(it -> OptionalDouble.of(it.share()))
        .orElse(OptionalDouble.empty());
  }

  private static double mib(double bytes) {
    return bytes / (1 << 20);
  }

  /**
   * What a server's allocator gave out, in bytes and requests a second.
   *
   * @param missedPerSecond bytes that the heap gave because the pool was empty
   */
  private record Traffic(
      ServerWindow server,
      double missedPerSecond,
      double poolPerSecond,
      double emptyPerSecond,
      double created,
      double total) {
    static Optional<Traffic> of(ServerWindow server, long largestRequest) {
      var heap = server.perSecond(Metric.ALLOCATOR_HEAP_BYTES);
      var pool = server.perSecond(Metric.ALLOCATOR_POOL_BYTES);
      var empty = server.perSecond(Metric.ALLOCATOR_POOL_EMPTY_COUNT);
      var created = server.last(Metric.ALLOCATOR_CREATED_BUFFERS);
      var total = server.last(Metric.ALLOCATOR_TOTAL_BUFFERS);
      if (heap.isEmpty()
          || pool.isEmpty()
          || empty.isEmpty()
          || created.isEmpty()
          || total.isEmpty()) {
        return Optional.empty();
      }
      double bytes = (heap.getAsDouble() + pool.getAsDouble()) * server.length().toSeconds();
      if (bytes < FEWEST_BYTES || total.getAsDouble() < 1) {
        return Optional.empty();
      }
      return Optional.of(
          new Traffic(
              server,
              Math.min(heap.getAsDouble(), empty.getAsDouble() * largestRequest),
              pool.getAsDouble(),
              empty.getAsDouble(),
              created.getAsDouble(),
              total.getAsDouble()));
    }

    double share() {
      return missedPerSecond == 0 ? 0 : missedPerSecond / (missedPerSecond + poolPerSecond);
    }
  }
}
