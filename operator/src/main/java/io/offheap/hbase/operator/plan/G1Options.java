package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Target.HBASE_SITE;
import static io.offheap.hbase.operator.plan.Target.JVM;

import io.offheap.hbase.operator.plan.Draft.Chosen;
import io.offheap.hbase.operator.plan.Draft.Field;
import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * The JVM's options: heap, direct memory and G1 on JDK 17.
 *
 * <p>Marking starts ({@code InitiatingHeapOccupancyPercent}) above what lives long by design:
 * memstores, on-heap cache and the bucket cache's index, and ten percent more. It is fixed, since
 * an adaptive IHOP would take the value as a first guess only. Above it there must be room for the
 * young generation and for what is promoted while marking runs, another ten percent.
 */
final class G1Options {
  private static final String G1 = "JDK 17: G1";
  private static final String XIAOMI = "HBase practice at Xiaomi";
  private static final int IHOP_MARGIN = 10;
  private static final int MARKING_RESERVE = 10;
  private static final int TARGET_SURVIVOR_RATIO = 50;
  private static final long CHUNK_BYTES = 2 * MIB;

  /** From this heap on, regions for whole MSLAB chunks still leave G1 512 of them. */
  private static final long HEAP_FOR_WHOLE_CHUNKS = 4 * GIB;

  private G1Options() {}

  static void derive(Declared declared, HeapShares shares, OffHeapBudget offHeap, Draft draft) {
    long heap = declared.heapBytes();
    memory(declared, draft);
    toggle(draft, "UseG1GC", true, "the plan is one for G1");
    // Before the options that it unlocks, else the JVM does not know them.
    toggle(draft, "UnlockExperimentalVMOptions", true, "G1NewSizePercent is experimental");
    number(
        draft,
        "MaxGCPauseMillis",
        declared.disk().maxGcPauseMillis(),
        1,
        60_000,
        "spec.regionServers.disk " + declared.disk() + " (SSD 50, HDD 90, Offline 500)",
        XIAOMI);
    toggle(draft, "G1UseAdaptiveIHOP", false, "else IHOP is only a first guess since JDK 9");
    var ihop = ihop(heap, shares, offHeap, draft);
    long region = regionSize(heap, draft);
    var newSize =
        number(
            draft,
            "G1NewSizePercent",
            declared.load().newSizePercent(),
            1,
            50,
            "spec.regionServers.load " + declared.load() + " (Normal 2, Heavy 5)",
            XIAOMI);
    long sum = ihop.value() + newSize.value() + MARKING_RESERVE;
    if (sum > 100) {
      draft.problem(
          ihop.field(),
          String.format(
              "InitiatingHeapOccupancyPercent %d + G1NewSizePercent %d + %d for marking = %d is"
                  + " over 100 %% of the heap; memstore %s and on-heap cache %s must leave more, by"
                  + " %d %% of the heap",
              ihop.value(),
              newSize.value(),
              MARKING_RESERVE,
              sum,
              shares.memstore().value().toPlainString(),
              shares.l1().value().toPlainString(),
              sum - 100));
    }
    survivors(heap, region, newSize.value(), draft);
    mixedCollections(heap, draft);
    threads(declared.cores(), draft);
    toggle(draft, "ParallelRefProcEnabled", true, "references are processed by all GC threads");
    toggle(draft, "ExitOnOutOfMemoryError", true, "the kubelet restarts what cannot go on");
    draft.text(
        JVM,
        "Xlog",
        "gc*,gc+age=debug,gc+ihop=debug:stdout:uptime,level,tags",
        "unified logging; JDK 17 does not start with the old Print options",
        "JDK 17");
  }

  private static void memory(Declared declared, Draft draft) {
    var heap = Bytes.jvm(declared.heapBytes());
    var field = "spec.regionServers.memory.heap";
    draft.fixed(JVM, "Xms", heap, field + "; a heap that grows moves every share", G1, field);
    draft.fixed(JVM, "Xmx", heap, field, Setting.USER, field);
    draft.fixed(
        JVM,
        "MaxDirectMemorySize",
        Bytes.jvm(declared.offHeapBytes()),
        "spec.regionServers.memory.offHeap",
        Setting.USER,
        "spec.regionServers.memory.offHeap");
  }

  private static Chosen<Long> ihop(
      long heap, HeapShares shares, OffHeapBudget offHeap, Draft draft) {
    var hundred = BigDecimal.valueOf(100);
    var index =
        BigDecimal.valueOf(offHeap.indexHeapBytes())
            .multiply(hundred)
            .divide(BigDecimal.valueOf(heap), 2, RoundingMode.HALF_UP);
    var percent =
        shares
            .memstore()
            .value()
            .add(shares.l1().value())
            .multiply(hundred)
            .add(BigDecimal.valueOf(IHOP_MARGIN))
            .add(index);
    var chosen =
        number(
            draft,
            "InitiatingHeapOccupancyPercent",
            percent.setScale(0, RoundingMode.HALF_UP).longValue(),
            1,
            100,
            String.format(
                "100 x (memstore %s + on-heap cache %s) + 10 + %s for the bucket cache's index (%s)",
                shares.memstore().value().toPlainString(),
                shares.l1().value().toPlainString(),
                index.toPlainString(),
                mib(offHeap.indexHeapBytes())),
            XIAOMI + ": IHOP > memstore + L1 + 10");
    return chosen.declared()
        ? chosen
        : new Chosen<>(chosen.value(), shares.memstore().field(), false);
  }

  private static long regionSize(long heap, Draft draft) {
    long derived = derivedRegionSize(heap);
    var size =
        draft.size(
            JVM,
            "G1HeapRegionSize",
            derived,
            String.format(
                "the power of two nearest to heap / 960 = %s, from 1 to 32 MiB, and at least 8 from"
                    + " a heap of 4 GiB on, so that an MSLAB chunk of 2 MiB is not humongous",
                mib(heap / 960)),
            G1);
    long region = size.value();
    if (Long.bitCount(region) != 1 || region < MIB || region > 32 * MIB) {
      draft.problem(
          size.field(),
          Bytes.quantity(region) + " is no region size; a power of two from 1m to 32m is right");
    } else if (heap / region < 64) {
      draft.problem(
          size.field(),
          Bytes.quantity(region)
              + " makes only "
              + heap / region
              + " regions of the heap; "
              + Bytes.jvm(derived)
              + " is right");
    }
    chunk(Math.max(MIB, region), draft);
    return Math.max(1, region);
  }

  static long derivedRegionSize(long heap) {
    long ideal = heap / 960;
    long below = Long.highestOneBit(Math.max(1, ideal));
    long nearest = ideal - below < 2 * below - ideal ? below : 2 * below;
    long least = heap >= HEAP_FOR_WHOLE_CHUNKS ? 8 * MIB : MIB;
    return Bytes.clamp(nearest, least, 32 * MIB);
  }

  /** An object of over half a region is humongous; a chunk is one byte array with a header. */
  private static void chunk(long region, Draft draft) {
    boolean whole = region >= 4 * CHUNK_BYTES;
    long derived = whole ? CHUNK_BYTES : Math.min(CHUNK_BYTES, region / 2) - KIB;
    var chunk =
        draft.number(
            HBASE_SITE,
            "hbase.hregion.memstore.mslab.chunksize",
            Field.derivedFrom("spec.regionServers.memory.heap"),
            derived,
            whole
                ? "HBase's own; not humongous in regions of " + mib(region)
                : "just under half a region of " + mib(region) + ", else each chunk is humongous",
            "HBase 2.6: MemStoreLAB; " + G1);
    if (chunk.value() < 262_144 || chunk.value() + 16 > region / 2) {
      draft.problem(
          chunk.field(),
          chunk.value()
              + " is out of range; from 262144 (the largest cell of a chunk) to "
              + (region / 2 - 16)
              + " is right in regions of "
              + mib(region));
    }
  }

  private static void survivors(long heap, long region, long newSizePercent, Draft draft) {
    var ratio = 8L;
    long young = heap / region * newSizePercent / 100;
    long desired = (young + ratio - 1) / ratio * region * TARGET_SURVIVOR_RATIO / 100;
    number(
        draft,
        "SurvivorRatio",
        ratio,
        1,
        64,
        String.format(
            "G1's own; ceil(floor(%d regions x %d %%) / %d) x %s x %d %% = %d bytes is the desired"
                + " survivor size of the smallest young generation",
            heap / region, newSizePercent, ratio, mib(region), TARGET_SURVIVOR_RATIO, desired),
        G1);
    number(
        draft,
        "MaxTenuringThreshold",
        1,
        0,
        15,
        "what survives twice is memstore or cache and lives long",
        XIAOMI);
  }

  private static void mixedCollections(long heap, Draft draft) {
    number(
        draft,
        "G1MixedGCCountTarget",
        heap < 50 * GIB ? 32 : 64,
        1,
        1000,
        "32 under a heap of 50 GiB, 64 from there: more regions to share out",
        XIAOMI);
    number(
        draft,
        "G1OldCSetRegionThresholdPercent",
        5,
        1,
        100,
        "at most 5 % of the heap in one mixed collection",
        XIAOMI);
  }

  private static void threads(int cores, Draft draft) {
    var parallel =
        number(
            draft,
            "ParallelGCThreads",
            Math.max(1, cores * 2 / 3),
            1,
            1024,
            "floor(2/3 x " + cores + " cores), at least 1",
            XIAOMI);
    var concurrent =
        number(
            draft,
            "ConcGCThreads",
            Math.max(1, parallel.value() / 4),
            1,
            1024,
            "a quarter of ParallelGCThreads " + parallel.value() + ", at least 1",
            G1);
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

  private static void toggle(Draft draft, String name, boolean on, String reason) {
    draft.fixed(JVM, name, Boolean.toString(on), reason, G1, "the plan");
  }

  private static Chosen<Long> number(
      Draft draft, String name, long derived, long min, long max, String reason, String source) {
    var chosen =
        draft.number(
            JVM, name, Field.derivedFrom(Overrides.field(JVM, name)), derived, reason, source);
    if (chosen.value() < min || chosen.value() > max) {
      draft.problem(
          chosen.field(),
          name
              + "="
              + chosen.value()
              + " is out of range; from "
              + min
              + " to "
              + max
              + " is right");
    }
    return chosen;
  }
}
