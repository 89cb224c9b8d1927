package io.offheap.hbase.operator.tune;

import static io.offheap.hbase.operator.tune.RuleResults.line;
import static io.offheap.hbase.operator.tune.RuleResults.noChange;

import io.offheap.hbase.operator.plan.G1Sums;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.RuleResult.Reason;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Marking starts before there is garbage to find, or too late to find it in time.
 *
 * <p>G1 starts marking at the end of a young collection where old and humongous regions hold more
 * than {@code heap * IHOP / 100} ({@code G1Policy::need_to_start_conc_mark}). All in bytes:
 *
 * <ul>
 *   <li><b>Too early</b>: mixed collections leave {@code low} in the old generation, which is over
 *       the threshold or less than G1's waste, 5 % of the heap, below it. These bytes are
 *       long-lived (memstores, on-heap cache, the bucket cache's index), so marking starts again
 *       and again and frees little (the Xiaomi talk: 70 mixed collections in 15 minutes). More than
 *       one start a minute is too many. IHOP becomes {@code 100 * low / heap + 10}: the talk's
 *       memstore + L1 + 10 %, with measured in place of planned bytes. It is at least the derived
 *       value, since memstores may have been flushed just before the window.
 *   <li><b>Too late</b>: an evacuation found no space, the whole heap was collected, or the old
 *       generation grew into the reserve: {@code peak > heap - young - reserve}. It grew by {@code
 *       growth} from the start of marking until mixed collections freed regions. G1's adaptive IHOP
 *       ({@code G1AdaptiveIHOPControl}) starts marking at {@code heap * (100 - G1ReservePercent -
 *       G1HeapWastePercent) / 100 - growth - young}; the rule sets the same.
 * </ul>
 *
 * <p>{@code young} is the smallest young generation that G1 aimed at. IHOP stays below that value
 * and below the plan's limit, {@code IHOP + G1NewSizePercent + G1ReservePercent <= 100}, and above
 * {@code low} plus G1's waste, below which marking would never end. Where they are not declared,
 * {@code G1ReservePercent} is 10 and {@code G1HeapWastePercent} is 5.
 */
final class MarkingTooEarlyOrLate implements Rule {
  static final String NAME = "MarkingTooEarlyOrLate";
  private static final int MARGIN_PERCENT = 10;
  private static final double MOST_STARTS_PER_MINUTE = 1;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isProven() {
    return true;
  }

  /** No real region server has been seen on which marking began too late. */
  @Override
  public boolean isProven(RuleResult.Proposal proposal, Evidence evidence) {
    return proposal.values().get(TunedKey.IHOP) > evidence.planned(TunedKey.IHOP);
  }

  @Override
  public String suspicion() {
    return "the heap is too small for long-lived data, or objects on the heap leak";
  }

  @Override
  public boolean isSymptomFelt() {
    return true;
  }

  /** Share of the time in collections of all kinds, which both mistakes raise. */
  @Override
  public OptionalDouble symptom(Evidence evidence) {
    return evidence.worst(Pauses::share);
  }

  @Override
  public RuleResult evaluate(Evidence evidence) {
    return RuleResults.declared(NAME, evidence, TunedKey.IHOP)
        .orElseGet(() -> evaluateHeaps(evidence));
  }

  private static RuleResult evaluateHeaps(Evidence evidence) {
    var heaps = evidence.servers().stream().flatMap(it -> Heap.of(it, evidence).stream()).toList();
    if (heaps.isEmpty()) {
      return noChange(NAME, Reason.NO_EVIDENCE, "no server reports its old generation");
    }
    // Late marking stops a server, early marking only costs time: late marking comes first.
    for (Heap heap : heaps) {
      if (heap.isLate()) {
        return lower(evidence, heap);
      }
    }
    for (Heap heap : heaps) {
      if (heap.isEarly()) {
        return raise(evidence, heap, heaps);
      }
    }
    return noChange(
        NAME,
        Reason.WITHIN_LIMITS,
        "marking starts at %d %%; mixed collections leave up to %.0f %% of the heap",
        evidence.planned(TunedKey.IHOP),
        heaps.stream().mapToDouble(it -> it.percent(it.low())).max().orElse(0));
  }

  private static RuleResult lower(Evidence evidence, Heap heap) {
    long now = evidence.planned(TunedKey.IHOP);
    long ihop = Math.max(heap.adaptiveIhop(), heap.leastIhop());
    var text =
        line(
            "100 x (%.2f x %s - %s grown since marking started - %s young) / heap = %d, at least"
                + " %d for long-lived data",
            heap.usablePercent() / 100.0,
            mib(heap.heapBytes()),
            mib(heap.growth()),
            mib(heap.young()),
            heap.adaptiveIhop(),
            heap.leastIhop());
    if (ihop >= now) {
      return noChange(NAME, Reason.BOUNDED, "%s; IHOP is %d, and the heap is too small", text, now);
    }
    return propose(evidence, heap, ihop, text);
  }

  private static RuleResult raise(Evidence evidence, Heap heap, List<Heap> heaps) {
    long now = evidence.planned(TunedKey.IHOP);
    long room =
        G1Sums.mostIhop(evidence.planned(TunedKey.NEW_SIZE_PERCENT), evidence.reservePercent());
    long most = heaps.stream().mapToLong(Heap::adaptiveIhop).min().orElse(room);
    long byWindow = (long) Math.ceil(heap.percent(heap.low())) + MARGIN_PERCENT;
    long wanted = Math.max(byWindow, evidence.derived(TunedKey.IHOP));
    long ihop = Math.min(wanted, Math.min(room, most));
    var text =
        line(
            "100 x %s that mixed collections leave / %s + %d = %d%s; at most %d for the young"
                + " generation and the reserve, %d for growth while marking runs",
            mib(heap.low()),
            mib(heap.heapBytes()),
            MARGIN_PERCENT,
            byWindow,
            wanted > byWindow ? line("; at least the derived %d", wanted) : "",
            room,
            most);
    return ihop <= now
        ? noChange(NAME, Reason.BOUNDED, "%s; IHOP is %d, and the heap is too small", text, now)
        : propose(evidence, heap, ihop, text);
  }

  private static RuleResult propose(Evidence evidence, Heap heap, long ihop, String text) {
    return RuleResults.propose(
        NAME,
        evidence,
        Map.of(TunedKey.IHOP, ihop),
        text,
        List.of(
            line(
                "%s: the old generation between %s and %s; marking starts at %s",
                heap.server().pod(), mib(heap.low()), mib(heap.peak()), mib(heap.threshold())),
            line("marking started %.2f times a minute", heap.startsPerMinute()),
            line("%.1f regions freed by each mixed collection", heap.freedPerMixed()),
            line("%.0f failed evacuations and full collections", heap.failures()),
            line("window of %d s", heap.server().length().toSeconds())));
  }

  private static String mib(double bytes) {
    return line("%.0f MiB", bytes / (1 << 20));
  }

  /** A server's heap over the window, in bytes; G1's reserve and waste in percent of the heap. */
  @RecordBuilder
  record Heap(
      ServerWindow server,
      double heapBytes,
      double threshold,
      double low,
      double peak,
      double growth,
      double young,
      double failures,
      double startsPerMinute,
      long reservePercent,
      long wastePercent) {
    static Optional<Heap> of(ServerWindow server, Evidence evidence) {
      var low = server.min(Metric.OLD_AFTER_GC_BYTES);
      var starts = server.perSecond(Metric.GC_CONCURRENT_START_COUNT);
      if (low.isEmpty() || starts.isEmpty()) {
        return Optional.empty();
      }
      double heap = evidence.heapBytes();
      double threshold = heap * evidence.planned(TunedKey.IHOP) / 100;
      double peak = server.max(Metric.OLD_AFTER_GC_BYTES).orElse(0);
      double leastYoung =
          (double) evidence.regionBytes()
              * G1Sums.leastYoungRegions(
                  evidence.regions(), evidence.planned(TunedKey.NEW_SIZE_PERCENT));
      double started = server.last(Metric.MARKING_START_OLD_BYTES).orElse(threshold);
      double failures =
          server.delta(Metric.EVACUATION_FAILED_COUNT).orElse(0)
              + server.delta(Metric.GC_FULL_COUNT).orElse(0);
      return Optional.of(
          MarkingTooEarlyOrLateHeapBuilder.builder()
              .server(server)
              .heapBytes(heap)
              .threshold(threshold)
              .low(low.getAsDouble())
              .peak(peak)
              .growth(Math.max(0, peak - started))
              .young(server.min(Metric.YOUNG_TARGET_BYTES).orElse(leastYoung))
              .failures(failures)
              .startsPerMinute(60 * starts.getAsDouble())
              .reservePercent(evidence.reservePercent())
              .wastePercent(evidence.plan().effective(JvmKeys.HEAP_WASTE_PERCENT))
              .build());
    }

    double percent(double bytes) {
      return 100 * bytes / heapBytes;
    }

    boolean isLate() {
      double reserve = heapBytes * reservePercent / 100;
      return failures > 0 || peak > heapBytes - young - reserve;
    }

    boolean isEarly() {
      double room = threshold - low;
      return startsPerMinute > MOST_STARTS_PER_MINUTE && room < heapBytes * wastePercent / 100;
    }

    /** The heap that G1's adaptive IHOP divides. */
    long usablePercent() {
      return 100 - reservePercent - wastePercent;
    }

    long adaptiveIhop() {
      return (long) Math.floor(usablePercent() - percent(growth + young));
    }

    long leastIhop() {
      return (long) Math.ceil(percent(low)) + wastePercent;
    }

    double freedPerMixed() {
      double mixed = server.delta(Metric.GC_MIXED_COUNT).orElse(0);
      return server.delta(Metric.MIXED_REGIONS_FREED_COUNT).orElse(0) / Math.max(1, mixed);
    }
  }
}
