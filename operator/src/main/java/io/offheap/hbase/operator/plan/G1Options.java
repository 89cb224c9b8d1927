package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;

import io.offheap.hbase.operator.plan.Draft.Chosen;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The JVM's options: heap, direct memory and G1 on JDK 17.
 *
 * <p>Marking starts ({@code InitiatingHeapOccupancyPercent}) above the long-lived data: memstores,
 * on-heap cache, the bucket cache's index, and ten percent. The threshold is fixed, since an
 * adaptive IHOP uses the value only initially (since JDK 9). Above it there must be room for the
 * young generation, and G1's reserve for objects that are promoted while marking runs.
 */
final class G1Options {
  private static final String G1 = "JDK 17: G1";
  private static final String XIAOMI = "HBase practice at Xiaomi";
  private static final FieldPath DISK = FieldPath.of("disk");
  private static final FieldPath LOAD = FieldPath.of("load");
  private static final FieldPath CORES = FieldPath.of("resources.limits.cpu");
  private static final int IHOP_MARGIN = 10;

  /** HotSpot's bound of {@code G1ReservePercent}. */
  private static final long LARGEST_RESERVE = 50;

  private G1Options() {}

  static HeapRegions derive(
      Declared declared, MemorySizes sizes, HeapShares shares, IndexHeap index, Draft draft) {
    memory(sizes, draft);
    constant(draft, JvmKeys.USE_G1, true, "the plan is one for G1");
    // Before the options that it unlocks, else the JVM refuses them.
    constant(
        draft, JvmKeys.UNLOCK_EXPERIMENTAL, true, JvmKeys.NEW_SIZE_PERCENT + " is experimental");
    draft.numberInRange(
        JvmKeys.PAUSE_TARGET,
        declared.disk().maxGcPauseMillis(),
        1,
        60_000,
        Sentence.of(
            "{} {} (SSD 50, HDD 90, Offline 500)",
            Sentence.name(DISK),
            Input.choice(DISK.path(), declared.disk().text()).from(DISK)),
        XIAOMI);
    constant(draft, JvmKeys.ADAPTIVE_IHOP, false, "an adaptive IHOP uses the value only initially");
    var ihop = ihop(sizes, shares, index, draft);
    var regions = HeapRegions.derive(sizes.heap(), draft);
    var newSize =
        draft.numberInRange(
            JvmKeys.NEW_SIZE_PERCENT,
            declared.load().newSizePercent(),
            1,
            50,
            Sentence.of(
                "{} {} (Normal 2, Heavy 5)",
                Sentence.name(LOAD),
                Input.choice(LOAD.path(), declared.load().text()).from(LOAD)),
            XIAOMI);
    long reserve = draft.passedOn(JvmKeys.RESERVE_PERCENT, 0L, LARGEST_RESERVE);
    new MarkingRoom(ihop, newSize.value(), reserve, shares, index, sizes.heapBytes()).check(draft);
    checkLargestYoung(newSize.value(), draft);
    Survivors.derive(declared, regions, newSize.value(), draft);
    mixedCollections(sizes.heap(), draft);
    threads(declared.cores(), draft);
    toggle(draft, JvmKeys.PARALLEL_REFERENCES, "references are processed by all GC threads");
    toggle(
        draft, JvmKeys.EXIT_ON_OUT_OF_MEMORY, "the kubelet restarts a server that cannot continue");
    GcLog.derive(draft);
    return regions;
  }

  private static void memory(MemorySizes sizes, Draft draft) {
    var heap = sizes.heap();
    draft.fixed(
        JvmKeys.HEAP_AT_START,
        heap.bytes(),
        heap.reason().then("; a heap that grows moves every share"),
        G1,
        heap.field());
    size(JvmKeys.HEAP, heap, draft);
    size(JvmKeys.DIRECT_MEMORY, sizes.offHeap(), draft);
  }

  private static void size(Key<Long> key, MemorySizes.Size size, Draft draft) {
    if (size.isDeclared()) {
      draft.fromField(key, size.bytes(), size.reason(), size.field());
    } else {
      draft.fixed(key, size.bytes(), size.reason(), size.source(), size.field());
    }
  }

  private static Chosen<Long> ihop(
      MemorySizes sizes, HeapShares shares, IndexHeap indexHeap, Draft draft) {
    long index = indexHeap.bytes() * 100 / sizes.heapBytes();
    var shareOfHeap = shares.memstore().value().add(shares.l1().value());
    long derived =
        shareOfHeap.multiply(BigDecimal.valueOf(100)).setScale(0, RoundingMode.HALF_UP).longValue()
            + IHOP_MARGIN
            + index;
    var formula =
        Sentence.of(
            "100 x (memstore {} + on-heap cache {}) + 10 + {}, the whole percent of the heap that"
                + " the bucket cache's index takes ({})",
            Input.share(HBaseKeys.MEMSTORE_SHARE.name(), shares.memstore().value()),
            Input.share(HBaseKeys.L1_SHARE.name(), shares.l1().value()),
            Input.number("bucket cache index", index, Unit.PERCENT_OF_HEAP),
            Input.mib("bucket cache index", indexHeap.bytes()));
    return draft.numberInRange(
        JvmKeys.IHOP, derived, 1, 100, formula, XIAOMI + ": IHOP over memstore + L1");
  }

  /** A JVM does not start if the largest young generation is smaller than the smallest. */
  private static void checkLargestYoung(long newSizePercent, Draft draft) {
    if (draft.declared(JvmKeys.MAX_NEW_SIZE_PERCENT).isPresent()) {
      draft.numberInRange(
          JvmKeys.MAX_NEW_SIZE_PERCENT,
          JvmKeys.MAX_NEW_SIZE_PERCENT.constantDefault(),
          newSizePercent,
          100,
          Sentence.of("G1's default"),
          G1);
    }
  }

  private static void mixedCollections(MemorySizes.Size heap, Draft draft) {
    draft.numberInRange(
        JvmKeys.MIXED_COUNT_TARGET,
        heap.bytes() < 50 * GIB ? 32 : 64,
        1,
        1000,
        Sentence.of(
            "32 below a heap of 50 GiB, 64 from there on, which has more regions; the heap is {}",
            heap.mib(JvmKeys.HEAP.name())),
        XIAOMI);
    draft.numberInRange(
        JvmKeys.OLD_CSET_PERCENT,
        5,
        1,
        100,
        Sentence.of("at most 5 % of the heap in one mixed collection"),
        XIAOMI);
  }

  private static void threads(int cores, Draft draft) {
    var parallel =
        draft.numberInRange(
            JvmKeys.PARALLEL_THREADS,
            ProcessMemory.parallelThreads(cores),
            1,
            ProcessMemory.MOST_THREADS,
            Sentence.of(
                "max(min({} cores, 8), floor(2/3 x cores))",
                Input.number("cores", cores, Unit.CORES).from(CORES)),
            XIAOMI + "; HotSpot up to 8 cores");
    var concurrent =
        draft.numberInRange(
            JvmKeys.CONCURRENT_THREADS,
            Math.max(1, parallel.value() / 4),
            1,
            1024,
            Sentence.of(
                "a quarter of " + JvmKeys.PARALLEL_THREADS + " {}, at least 1",
                Input.number(JvmKeys.PARALLEL_THREADS.name(), parallel.value(), Unit.THREADS)),
            XIAOMI);
    if (concurrent.value() > parallel.value()) {
      draft.problem(
          concurrent.field(),
          JvmKeys.CONCURRENT_THREADS
              + " "
              + concurrent.value()
              + " is over "
              + JvmKeys.PARALLEL_THREADS
              + " "
              + parallel.value()
              + ", with which no JVM starts; must be at most "
              + parallel.value());
    }
  }

  private static void constant(Draft draft, Key<Boolean> key, boolean on, String reason) {
    draft.constant(key, on, reason, G1);
  }

  /** On, unless it is declared off: no other value depends on it. */
  private static void toggle(Draft draft, Key<Boolean> key, String reason) {
    draft.value(key, true, Sentence.of(reason), G1);
  }
}
