package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Target.JVM;

import io.offheap.hbase.operator.plan.Draft.Chosen;
import io.offheap.hbase.operator.plan.Draft.Field;
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
  private static final String IHOP = "InitiatingHeapOccupancyPercent";
  private static final int IHOP_MARGIN = 10;
  private static final int MARKING_RESERVE = 10;
  private static final int SURVIVOR_RATIO = 8;
  private static final int TARGET_SURVIVOR_RATIO = 50;

  private G1Options() {}

  static HeapRegions derive(
      Declared declared, HeapShares shares, OffHeapBudget offHeap, Draft draft) {
    memory(declared, draft);
    constant(draft, "UseG1GC", true, "the plan is one for G1");
    // Before the options that it unlocks, else the JVM does not know them.
    constant(draft, "UnlockExperimentalVMOptions", true, "G1NewSizePercent is experimental");
    number(
        draft,
        "MaxGCPauseMillis",
        declared.disk().maxGcPauseMillis(),
        1,
        60_000,
        "spec.regionServers.disk " + declared.disk().text() + " (SSD 50, HDD 90, Offline 500)",
        XIAOMI);
    constant(
        draft,
        "G1UseAdaptiveIHOP",
        false,
        "an adaptive IHOP takes the value as a first guess only");
    var ihop = ihop(declared.heapBytes(), shares, offHeap, draft);
    var regions = HeapRegions.derive(declared, draft);
    var newSize =
        number(
            draft,
            "G1NewSizePercent",
            declared.load().newSizePercent(),
            1,
            50,
            "spec.regionServers.load " + declared.load().text() + " (Normal 2, Heavy 5)",
            XIAOMI);
    checkRoomAboveMarking(ihop, newSize.value(), shares, draft);
    survivors(regions, newSize.value(), draft);
    mixedCollections(declared.heapBytes(), draft);
    threads(declared.cores(), draft);
    toggle(draft, "ParallelRefProcEnabled", "references are processed by all GC threads");
    toggle(draft, "ExitOnOutOfMemoryError", "the kubelet restarts what cannot go on");
    draft.text(
        JVM,
        "Xlog",
        "gc*,gc+age=debug,gc+ihop=debug:stdout:uptime,level,tags",
        "unified logging; JDK 17 does not start with the old Print options",
        "JDK 17");
    return regions;
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
    var reason =
        String.format(
            Locale.ROOT,
            "100 x (memstore %s + on-heap cache %s) + 10 + %s for the bucket cache's index (%s)",
            shares.memstore().value().toPlainString(),
            shares.l1().value().toPlainString(),
            index.toPlainString(),
            mib(offHeap.indexHeapBytes()));
    long derived = percent.setScale(0, RoundingMode.HALF_UP).longValue();
    return number(draft, IHOP, derived, 1, 100, reason, XIAOMI + ": IHOP > memstore + L1 + 10");
  }

  private static void checkRoomAboveMarking(
      Chosen<Long> ihop, long newSizePercent, HeapShares shares, Draft draft) {
    long over = ihop.value() + newSizePercent + MARKING_RESERVE - 100;
    if (over <= 0) {
      return;
    }
    var share = shares.toChange();
    var rightShare = share.value().subtract(BigDecimal.valueOf(over, 2));
    var right =
        ihop.declared()
            ? "at most " + (ihop.value() - over)
            : rightShare.signum() > 0
                ? "a share of at most " + rightShare.toPlainString()
                : "a larger spec.regionServers.memory.heap";
    draft.problem(
        ihop.declared() ? ihop.field() : share.field(),
        String.format(
            Locale.ROOT,
            "%s %d%s + G1NewSizePercent %d + %d for marking = %d is over 100 %% of the heap; %s is"
                + " right",
            IHOP,
            ihop.value(),
            ihop.declared()
                ? ""
                : " (memstore "
                    + shares.memstore().value().toPlainString()
                    + " + on-heap cache "
                    + shares.l1().value().toPlainString()
                    + " + 0.10 + the bucket cache's index)",
            newSizePercent,
            MARKING_RESERVE,
            100 + over,
            right));
  }

  /** Bytes of survivors from which on G1 promotes early, at its smallest young generation. */
  static long desiredSurvivorBytes(HeapRegions regions, long newSizePercent, long survivorRatio) {
    long young = regions.count() * newSizePercent / 100;
    long survivors = (young + survivorRatio - 1) / survivorRatio;
    return survivors * regions.regionBytes() * TARGET_SURVIVOR_RATIO / 100;
  }

  private static void survivors(HeapRegions regions, long newSizePercent, Draft draft) {
    number(
        draft,
        "SurvivorRatio",
        SURVIVOR_RATIO,
        1,
        64,
        String.format(
            Locale.ROOT,
            "G1's own; ceil(floor(%d regions x %d %%) / %d) x %s x %d %% = %d bytes is the desired"
                + " survivor size of the smallest young generation",
            regions.count(),
            newSizePercent,
            SURVIVOR_RATIO,
            mib(regions.regionBytes()),
            TARGET_SURVIVOR_RATIO,
            desiredSurvivorBytes(regions, newSizePercent, SURVIVOR_RATIO)),
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

  private static void constant(Draft draft, String name, boolean on, String reason) {
    draft.constant(JVM, name, Boolean.toString(on), reason, G1);
  }

  /** On, unless a person switches it off: nothing else follows from it. */
  private static void toggle(Draft draft, String name, String reason) {
    var chosen = draft.text(JVM, name, "true", reason, G1);
    if (!chosen.value().equals("true") && !chosen.value().equals("false")) {
      draft.problem(
          chosen.field(), "-XX:" + name + "=" + chosen.value() + "; -XX:+" + name + " is right");
    }
  }

  private static Chosen<Long> number(
      Draft draft, String name, long derived, long min, long max, String reason, String source) {
    var chosen =
        draft.number(
            JVM, name, Field.derivedFrom(Overrides.field(JVM, name)), derived, reason, source);
    if (chosen.declared() && (chosen.value() < min || chosen.value() > max)) {
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
      return new Chosen<>(derived, chosen.field(), true);
    }
    return chosen;
  }
}
