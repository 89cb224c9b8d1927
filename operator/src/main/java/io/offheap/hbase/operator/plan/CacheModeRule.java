package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.Disk;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Which mode of the block cache suits a load.
 *
 * <p>A read of a data block finds it in the cache or misses it. Of a mode whose cache finds the
 * share {@code f} of the reads,
 *
 * <pre>time of a read = f x (found + wait of the file) + (1 - f) x (missed + wait of HDFS)</pre>
 *
 * where {@link #COSTS} has {@code found} and {@code missed}, the CPU time that was measured, and
 * {@link Waits} what a disk adds, which was not. Both are in the CPU time of a read that OffHeap
 * finds.
 *
 * <p>OffHeap is advised in place of another mode where a read takes a tenth less, and in place of
 * an Lru that evicts where it takes no longer: what a cache on the heap evicts is garbage of the
 * old generation. Lru and MetaOnly are not advised in place of another mode: where all fits, Lru
 * was within the noise of OffHeap, and so was MetaOnly where most reads miss.
 *
 * <p>{@code f} of a mode that caches {@code C} bytes of a working set of {@code W}, where {@code C}
 * is what it holds while it evicts, or all of {@code W} where that fits ({@link CachedData}):
 *
 * <ol>
 *   <li>without a hit ratio, each block is taken to be read equally often: {@code min(1, C / W)};
 *   <li>with the hit ratio {@code h} of a cache of {@code C0} that finds more than even reads would
 *       let it: {@code (C / W)^a}, with {@code a = ln h / ln (C0 / W)}. Of the curves of this form
 *       it is the one through what was measured: an uneven load, of which a small cache finds much,
 *       has a small {@code a};
 *   <li>with a hit ratio that is lower than that: {@code min(1, C / W) x h / min(1, C0 / W)}. What
 *       is missed beside is new or was just moved, and would be missed in any mode;
 *   <li>with a hit ratio alone: {@code W = C0 / h}, with even reads. Where that fits, what is
 *       missed is new.
 * </ol>
 *
 * <p>A hit ratio of servers that cache no data says nothing, and is left out.
 */
public final class CacheModeRule {
  /** How much less a read must take in another mode: less is not worth a restart of servers. */
  private static final double FELT = 0.1;

  /**
   * CPU time of a read, in that of one that OffHeap finds.
   *
   * @param found of a block in the cache
   * @param missed of a block that is read from HDFS, and put into the cache where there is one
   */
  private record Cost(double found, double missed) {}

  /** Measured by {@code make report}, from the medians of its units deploys-*. */
  private static final Map<CacheMode, Cost> COSTS =
      new EnumMap<>(
          Map.of(
              CacheMode.OFF_HEAP, new Cost(1, 4),
              CacheMode.FILE, new Cost(1.3, 4),
              CacheMode.LRU, new Cost(1, 5),
              CacheMode.META_ONLY, new Cost(2.7, 2.7)));

  /** Share of the reads that mode Lru finds where it evicts next to nothing. */
  private static final double LEAST_OF_LRU = 0.95;

  /**
   * What disks add to a read, in the CPU time of one that OffHeap finds, some 65 microseconds where
   * it was measured. The disks' times are nominal.
   *
   * @param hdfs to a block that is read from HDFS
   * @param file to a block that is in the file of mode File
   */
  record Waits(double hdfs, double file) {
    /** 0.1 ms of an SSD, and 5 ms of a hard disk. The file is on an SSD. */
    static Waits of(Disk hdfs) {
      return hdfs == Disk.HDD ? new Waits(75, 1.5) : new Waits(1.5, 1.5);
    }
  }

  /** In the order in which they are shown after the declared one. */
  private static final List<CacheMode> MODES =
      List.of(CacheMode.OFF_HEAP, CacheMode.FILE, CacheMode.LRU, CacheMode.META_ONLY);

  private CacheModeRule() {}

  /**
   * What is known of a load.
   *
   * @param workingSetBytes data blocks of one region server that are read again and again
   * @param hitRatio share of the reads of data blocks that its cache finds, 0 to 1
   * @param ratioCache the cache with this ratio; that of the plan where left out
   */
  public record Load(
      OptionalLong workingSetBytes, OptionalDouble hitRatio, Optional<CachedData> ratioCache) {
    /** Nothing is known. */
    public static final Load UNKNOWN = new Load(OptionalLong.empty(), OptionalDouble.empty());

    public Load(OptionalLong workingSetBytes, OptionalDouble hitRatio) {
      this(workingSetBytes, hitRatio, Optional.empty());
    }
  }

  /**
   * A mode for the load.
   *
   * @param mode as in a resource
   * @param cachedBytes data blocks that it caches before it evicts some
   * @param foundShare share of the reads that find their block, 0 to 1
   * @param time of a read, in the CPU time of one that OffHeap finds
   */
  public record Option(String mode, long cachedBytes, double foundShare, double time) {}

  /**
   * What the rule says.
   *
   * @param options every mode that has a plan in this container, the one that is declared first
   * @param advised OffHeap where it suits the load better, else the declared one
   * @param evicts whether the declared mode is an Lru that evicts
   * @param file a cache in a file that holds the whole working set, where it takes a tenth less
   *     than the advised one
   * @param fileBytes size of this file
   */
  public record Advice(
      List<Option> options, Option advised, boolean evicts, Optional<Option> file, long fileBytes) {
    public Advice {
      options = List.copyOf(options);
    }

    /** The declared mode. */
    public Option declared() {
      return options.get(0);
    }

    /** Whether the declared mode is the advised one. */
    public boolean isAsDeclared() {
      return advised.equals(declared());
    }

    /** The advice and its reason, for people. */
    public String text() {
      var text = new StringBuilder();
      if (isAsDeclared()) {
        text.append(
            String.format(
                Locale.ROOT,
                "%s, as declared: it finds %s of the reads",
                advised.mode(),
                percent(advised.foundShare())));
      } else {
        text.append(
            String.format(
                Locale.ROOT,
                "%s in place of %s: it finds %s of the reads, not %s, and a read takes %.2f of the"
                    + " time",
                advised.mode(),
                declared().mode(),
                percent(advised.foundShare()),
                percent(declared().foundShare()),
                advised.time() / declared().time()));
        if (evicts) {
          text.append("; what a cache on the heap evicts takes the collector much time");
        }
      }
      file.ifPresent(
          it ->
              text.append(
                  String.format(
                      Locale.ROOT,
                      "; with %s on a local SSD, mode %s finds %s, and a read takes %.2f of that",
                      Bytes.mib(fileBytes),
                      it.mode(),
                      percent(it.foundShare()),
                      it.time() / advised.time())));
      return text.toString();
    }

    private static String percent(double share) {
      return Math.round(share * 100) + " %";
    }
  }

  /**
   * The advice for a load; empty where nothing is known of it, or the declared mode caches nothing
   * at all.
   *
   * @param declared what the servers were planned for
   * @param plan the plan
   * @param planner makes the plans of other modes
   */
  public static Optional<Advice> advice(
      Declared declared, MemoryPlan plan, Load load, Function<Declared, PlanResult> planner) {
    var mode = declared.cacheMode();
    if (!COSTS.containsKey(mode)) {
      return Optional.empty();
    }
    return Reads.of(load.ratioCache().orElseGet(() -> CachedData.of(declared, plan)), load)
        .map(
            reads -> {
              var cached = CacheModes.cached(declared, plan, reads.workingSetBytes(), planner);
              long file = CachedData.bucketCacheFor(reads.workingSetBytes(), declared);
              return advice(mode, cached, reads, Waits.of(declared.disk()), file);
            });
  }

  /** The advice by how much data each mode caches in the same container, and a file in full. */
  static Optional<Advice> advice(
      CacheMode declared, Map<CacheMode, CachedData> cached, Load load, Waits waits) {
    return Reads.of(cached.get(declared), load)
        .map(reads -> advice(declared, cached, reads, waits, reads.workingSetBytes()));
  }

  private static Advice advice(
      CacheMode declared,
      Map<CacheMode, CachedData> cached,
      Reads reads,
      Waits waits,
      long fileBytes) {
    var options = new ArrayList<Option>();
    options.add(option(declared, cached.get(declared), reads, waits));
    MODES.stream()
        .filter(mode -> mode != declared && cached.containsKey(mode))
        .forEach(mode -> options.add(option(mode, cached.get(mode), reads, waits)));
    var own = options.get(0);
    boolean evicts =
        declared == CacheMode.LRU
            && own.cachedBytes() < reads.workingSetBytes()
            && own.foundShare() < LEAST_OF_LRU;
    var advised =
        options.stream()
            .filter(it -> it.mode().equals(CacheMode.OFF_HEAP.text()))
            .filter(it -> isLess(it, own) || (evicts && it.time() <= own.time()))
            .findFirst()
            .orElse(own);
    var file = option(CacheMode.FILE, CachedData.whole(reads.workingSetBytes()), reads, waits);
    return new Advice(
        options, advised, evicts, Optional.of(file).filter(it -> isLess(it, advised)), fileBytes);
  }

  private static Option option(CacheMode mode, CachedData cached, Reads reads, Waits waits) {
    double found = reads.found(cached);
    var cost = COSTS.get(mode);
    double hit = cost.found() + (mode == CacheMode.FILE ? waits.file() : 0);
    return new Option(
        mode.text(),
        cached.mostBytes(),
        found,
        found * hit + (1 - found) * (cost.missed() + waits.hdfs()));
  }

  private static boolean isLess(Option one, Option than) {
    return one.time() < (1 - FELT) * than.time();
  }

  /**
   * How many reads a cache finds, by its size.
   *
   * @param workingSetBytes data blocks that are read
   * @param most share of the reads that a cache of all of them finds
   * @param exponent {@code a}
   */
  private record Reads(long workingSetBytes, double most, double exponent) {
    /** Empty where nothing is known. */
    static Optional<Reads> of(CachedData cached, Load load) {
      var hits = cached.meanBytes() > 0 ? load.hitRatio() : OptionalDouble.empty();
      if (load.workingSetBytes().isEmpty()) {
        return hits.stream().filter(it -> it > 0).mapToObj(it -> evenly(cached, it)).findFirst();
      }
      long workingSet = Math.max(1, load.workingSetBytes().getAsLong());
      if (hits.isEmpty()) {
        return Optional.of(new Reads(workingSet, 1, 1));
      }
      double ratio = hits.getAsDouble();
      double even = share(cached, workingSet);
      if (ratio <= even) {
        return Optional.of(new Reads(workingSet, ratio / even, 1));
      }
      return Optional.of(
          ratio >= 1
              ? new Reads(cached.mostBytes(), 1, 1)
              : new Reads(workingSet, 1, Math.log(ratio) / Math.log(even)));
    }

    /** A cache that all fits into misses what is new. */
    private static Reads evenly(CachedData cached, double ratio) {
      long workingSet = (long) (cached.meanBytes() / ratio);
      return workingSet <= cached.mostBytes()
          ? new Reads(cached.mostBytes(), ratio, 1)
          : new Reads(workingSet, 1, 1);
    }

    double found(CachedData cached) {
      return most * Math.pow(share(cached, workingSetBytes), exponent);
    }

    private static double share(CachedData cached, long workingSet) {
      return cached.mostBytes() >= workingSet ? 1 : (double) cached.meanBytes() / workingSet;
    }
  }
}
