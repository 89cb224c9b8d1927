package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;

import io.offheap.hbase.operator.plan.Draft.Chosen;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * The JVM's options: heap, direct memory and G1 on JDK 17.
 *
 * <p>Marking starts ({@code InitiatingHeapOccupancyPercent}) above what lives long by design:
 * memstores, on-heap cache and the bucket cache's index, and ten percent more. It is fixed, since
 * an adaptive IHOP takes the value as a first guess only (since JDK 9). Above it there must be room
 * for the young generation and for what is promoted while marking runs, another ten percent.
 */
final class G1Options {
  private static final String G1 = "JDK 17: G1";
  private static final String XIAOMI = "HBase practice at Xiaomi";
  private static final int IHOP_MARGIN = 10;
  private static final int LARGEST_YOUNG = 60;

  private G1Options() {}

  static HeapRegions derive(
      Declared declared, MemorySizes sizes, HeapShares shares, IndexHeap index, Draft draft) {
    memory(sizes, draft);
    constant(draft, JvmKeys.USE_G1, true, "the plan is one for G1");
    // Before the options that it unlocks, else the JVM does not know them.
    constant(draft, JvmKeys.UNLOCK_EXPERIMENTAL, true, "G1NewSizePercent is experimental");
    draft.numberInRange(
        JvmKeys.PAUSE_TARGET,
        declared.disk().maxGcPauseMillis(),
        1,
        60_000,
        "spec.regionServers.disk " + declared.disk().text() + " (SSD 50, HDD 90, Offline 500)",
        XIAOMI);
    constant(
        draft,
        JvmKeys.ADAPTIVE_IHOP,
        false,
        "an adaptive IHOP takes the value as a first guess only");
    var ihop = ihop(sizes.heapBytes(), shares, index, draft);
    var regions = HeapRegions.derive(sizes.heapBytes(), draft);
    var newSize =
        draft.numberInRange(
            JvmKeys.NEW_SIZE_PERCENT,
            declared.load().newSizePercent(),
            1,
            50,
            "spec.regionServers.load " + declared.load().text() + " (Normal 2, Heavy 5)",
            XIAOMI);
    new MarkingRoom(ihop, newSize.value(), shares, index, sizes.heapBytes()).check(draft);
    checkLargestYoung(newSize.value(), draft);
    Survivors.derive(declared, regions, newSize.value(), draft);
    mixedCollections(sizes.heapBytes(), draft);
    threads(declared.cores(), draft);
    toggle(draft, JvmKeys.PARALLEL_REFERENCES, "references are processed by all GC threads");
    toggle(draft, JvmKeys.EXIT_ON_OUT_OF_MEMORY, "the kubelet restarts what cannot go on");
    GcLog.derive(draft);
    return regions;
  }

  private static void memory(MemorySizes sizes, Draft draft) {
    var heap = sizes.heap();
    draft.fixed(
        JvmKeys.HEAP_AT_START,
        heap.bytes(),
        heap.reason() + "; a heap that grows moves every share",
        G1,
        heap.field());
    draft.fixed(JvmKeys.HEAP, heap.bytes(), heap.reason(), heap.source(), heap.field());
    var offHeap = sizes.offHeap();
    draft.fixed(
        JvmKeys.DIRECT_MEMORY,
        offHeap.bytes(),
        offHeap.reason(),
        offHeap.source(),
        offHeap.field());
  }

  private static Chosen<Long> ihop(long heap, HeapShares shares, IndexHeap indexHeap, Draft draft) {
    long index = indexHeap.bytes() * 100 / heap;
    var shareOfHeap = shares.memstore().value().add(shares.l1().value());
    long derived =
        shareOfHeap.multiply(BigDecimal.valueOf(100)).setScale(0, RoundingMode.HALF_UP).longValue()
            + IHOP_MARGIN
            + index;
    var reason =
        String.format(
            Locale.ROOT,
            "100 x (memstore %s + on-heap cache %s) + 10 + %d, the whole percent of the heap that"
                + " the bucket cache's index takes (%s)",
            shares.memstore().value().toPlainString(),
            shares.l1().value().toPlainString(),
            index,
            mib(indexHeap.bytes()));
    return draft.numberInRange(
        JvmKeys.IHOP, derived, 1, 100, reason, XIAOMI + ": IHOP over memstore + L1");
  }

  /** A JVM does not start with a largest young generation that is under the smallest. */
  private static void checkLargestYoung(long newSizePercent, Draft draft) {
    if (draft.declared(JvmKeys.MAX_NEW_SIZE_PERCENT).isPresent()) {
      draft.numberInRange(
          JvmKeys.MAX_NEW_SIZE_PERCENT, LARGEST_YOUNG, newSizePercent, 100, "G1's own", G1);
    }
  }

  private static void mixedCollections(long heap, Draft draft) {
    draft.numberInRange(
        JvmKeys.MIXED_COUNT_TARGET,
        heap < 50 * GIB ? 32 : 64,
        1,
        1000,
        "32 under a heap of 50 GiB, 64 from there: more regions to share out",
        XIAOMI);
    draft.numberInRange(
        JvmKeys.OLD_CSET_PERCENT,
        5,
        1,
        100,
        "at most 5 % of the heap in one mixed collection",
        XIAOMI);
  }

  private static void threads(int cores, Draft draft) {
    var parallel =
        draft.numberInRange(
            JvmKeys.PARALLEL_THREADS,
            ProcessMemory.parallelThreads(cores),
            1,
            ProcessMemory.MOST_THREADS,
            "floor(2/3 x " + cores + " cores), at least 1",
            XIAOMI);
    var concurrent =
        draft.numberInRange(
            JvmKeys.CONCURRENT_THREADS,
            Math.max(1, parallel.value() / 4),
            1,
            1024,
            "a quarter of ParallelGCThreads " + parallel.value() + ", at least 1",
            XIAOMI);
    if (concurrent.value() > parallel.value()) {
      draft.problem(
          concurrent.field(),
          "ConcGCThreads "
              + concurrent.value()
              + " is over ParallelGCThreads "
              + parallel.value()
              + ", with which no JVM starts; at most "
              + parallel.value()
              + " is right");
    }
  }

  private static void constant(Draft draft, Key<Boolean> key, boolean on, String reason) {
    draft.constant(key, on, reason, G1);
  }

  /** On, unless a person switches it off: nothing else follows from it. */
  private static void toggle(Draft draft, Key<Boolean> key, String reason) {
    draft.value(key, true, reason, G1);
  }
}
