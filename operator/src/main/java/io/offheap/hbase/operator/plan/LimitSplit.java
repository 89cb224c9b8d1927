package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;
import static io.offheap.hbase.operator.plan.MemorySizes.HEAP;
import static io.offheap.hbase.operator.plan.MemorySizes.LIMIT;
import static io.offheap.hbase.operator.plan.MemorySizes.OFF_HEAP;
import static io.offheap.hbase.operator.plan.OffHeapBudget.ARRAY_UNIT;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.WorkingSet;
import io.offheap.hbase.operator.plan.MemorySizes.Size;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/**
 * Divides a container's limit between heap and off-heap, so that both and the other memory of the
 * process ({@link ProcessMemory}) fill it:
 *
 * <ol>
 *   <li>one of the two is declared: the other gets the rest;
 *   <li>there is no off-heap bucket cache: off-heap gets pool and reserve, and the {@link
 *       RamBuffer} before a cache in a file, the heap the rest;
 *   <li>without a working set: as much heap as off-heap, as in both of Xiaomi's clusters;
 *   <li>with a working set: off-heap gets what a bucket cache for it needs, and the heap the rest,
 *       but at least 1/12 of the limit (the off-heap read path's 9 of 114 GiB).
 * </ol>
 *
 * <p>In the last two cases a heap over 50 GiB becomes 50 GiB (or that 1/12), and one from 32 to 48
 * GiB becomes 31 GiB: from 32 GiB on references take twice the bytes, so that such a heap holds no
 * more objects than one of 31 GiB. The difference goes to the bucket cache.
 */
final class LimitSplit {
  private static final FieldPath WORKING_SET = FieldPath.of("memory.workingSet");
  private static final String SOURCE = "this operator: limit divided";
  private static final long LEAST_HEAP = 256 * MIB;
  private static final long LARGEST_HEAP = 50 * GIB;
  private static final long COMPRESSED_OOPS_HEAP = 31 * GIB;
  private static final int LEAST_HEAP_SHARE = 12;

  private final Declared declared;
  private final BlockSizes blocks;
  private final long limit;

  /** Direct memory that does not depend on the budget: pool, off-heap memstore, short circuit. */
  private final long fixedBytes;

  private final long leastOffHeap;
  private final ProcessMemory process;
  private final OptionalLong declaredRegion;

  /** The share of the bucket cache up to which it is filled. */
  private final BigDecimal acceptableShare;

  private LimitSplit(
      Declared declared,
      BlockSizes blocks,
      BufferPool pool,
      long fixedBytes,
      ProcessMemory process,
      OptionalLong declaredRegion,
      BigDecimal acceptableShare) {
    this.declaredRegion = declaredRegion;
    this.acceptableShare = acceptableShare;
    this.process = process;
    this.declared = declared;
    this.blocks = blocks;
    this.limit = declared.memory().limitBytes().orElse(0);
    this.fixedBytes = pool.bytes() + fixedBytes;
    long leastCache =
        declared.cacheMode() == CacheMode.OFF_HEAP
            ? BucketSizes.derivedFor(declared, blocks).leastCacheBytes()
            : 0;
    this.leastOffHeap =
        OffHeapBudget.leastOffHeap(
            Bytes.roundUp(this.fixedBytes, ARRAY_UNIT) + Bytes.roundUp(leastCache, ARRAY_UNIT));
  }

  /** The declared sizes; a limit without both of them is divided. */
  static MemorySizes derive(
      Declared declared,
      BlockSizes blocks,
      BufferPool pool,
      long fixedBytes,
      ProcessMemory process,
      Draft draft) {
    var memory = declared.memory();
    var acceptableShare = acceptableShare(declared, draft);
    if (memory.heapBytes().isPresent() && memory.offHeapBytes().isPresent()) {
      return new MemorySizes(
          Size.declared(memory.heapBytes().getAsLong(), HEAP),
          Size.declared(memory.offHeapBytes().getAsLong(), OFF_HEAP));
    }
    return new LimitSplit(
            declared,
            blocks,
            pool,
            fixedBytes,
            process,
            HeapRegions.declaredBytes(draft),
            acceptableShare)
        .sizes(draft);
  }

  /** HBase does not start where it is under the share down to which the cache evicts. */
  private static BigDecimal acceptableShare(Declared declared, Draft draft) {
    if (!declared.cacheMode().hasBucketCache()) {
      return HBaseKeys.CACHE_ACCEPT_FACTOR.constantDefault();
    }
    var most =
        draft.declared(HBaseKeys.CACHE_ACCEPT_FACTOR).isPresent()
            ? BigDecimal.ONE
            : HBaseKeys.CACHE_ACCEPT_FACTOR.constantDefault();
    var least = draft.passedOn(HBaseKeys.CACHE_MIN_FACTOR, BigDecimal.ZERO, most);
    return draft.passedOn(HBaseKeys.CACHE_ACCEPT_FACTOR, least, BigDecimal.ONE);
  }

  private MemorySizes sizes(Draft draft) {
    var memory = declared.memory();
    if (memory.heapBytes().isPresent()) {
      long heap = memory.heapBytes().getAsLong();
      return new MemorySizes(
          Size.declared(heap, HEAP),
          size(
              checkedOffHeap(heap, draft),
              Sentence.of(
                  "the rest beside heap {}",
                  Input.quantity(JvmKeys.HEAP.name(), heap).from(HEAP))));
    }
    if (memory.offHeapBytes().isPresent()) {
      long offHeap = memory.offHeapBytes().getAsLong();
      return new MemorySizes(
          size(
              checkedHeap(offHeap, draft),
              Sentence.of(
                  "the rest beside off-heap {}",
                  Input.quantity(JvmKeys.DIRECT_MEMORY.name(), offHeap).from(OFF_HEAP))),
          Size.declared(offHeap, OFF_HEAP));
    }
    if (heapBeside(leastOffHeap) < LEAST_HEAP) {
      draft.problem(
          LIMIT,
          String.format(
              Locale.ROOT,
              "%s is too small to divide: heap %s + off-heap %s and other memory of the process"
                  + " = %s; must be at least %s",
              quantity(limit),
              mib(LEAST_HEAP),
              mib(leastOffHeap),
              mib(process.total(LEAST_HEAP, leastOffHeap)),
              quantity(Bytes.roundUp(process.total(LEAST_HEAP, leastOffHeap), MIB))));
      return new MemorySizes(
          size(LEAST_HEAP, Sentence.of("")), size(leastOffHeap, Sentence.of("")));
    }
    if (declared.cacheMode() == CacheMode.FILE) {
      long ramBuffer = ramBuffer(draft);
      if (ramBuffer > 0) {
        return fixedOffHeap(
            withRamBuffer(ramBuffer),
            Sentence.of(
                "allocator pool, reserve and a RAM buffer of {}, at most 1/8 of the limit",
                draft.following(HBaseKeys.RAM_BUFFER_SIZE, Input.mib("RAM buffer", ramBuffer))));
      }
    }
    if (declared.cacheMode() != CacheMode.OFF_HEAP) {
      return fixedOffHeap(
          leastOffHeap, Sentence.of("allocator pool and reserve; no bucket cache is off-heap"));
    }
    return memory.workingSet().map(it -> forWorkingSet(it, draft)).orElseGet(this::half);
  }

  private MemorySizes fixedOffHeap(long offHeap, Sentence reason) {
    return new MemorySizes(
        size(heapBeside(offHeap), Sentence.of("the rest beside off-heap")), size(offHeap, reason));
  }

  /** 0 where there is none, or no room for it. */
  private long ramBuffer(Draft draft) {
    var buckets = BucketSizes.plannedFor(declared, blocks, draft);
    return RamBuffer.shareOf(
        limit,
        FileCache.plannedBytes(declared, buckets, draft),
        blocks.dataBlockBytes(),
        buckets,
        bytes -> heapBeside(withRamBuffer(bytes)),
        LEAST_HEAP,
        draft);
  }

  private long withRamBuffer(long bytes) {
    return OffHeapBudget.leastOffHeap(fixedBytes + bytes);
  }

  private long checkedOffHeap(long heap, Draft draft) {
    long offHeap = offHeapBeside(heap);
    if (offHeap >= leastOffHeap) {
      return offHeap;
    }
    tooSmall("off-heap", offHeap, "heap " + quantity(heap), heap, leastOffHeap, draft);
    return leastOffHeap;
  }

  private long checkedHeap(long offHeap, Draft draft) {
    long heap = heapBeside(offHeap);
    if (heap >= LEAST_HEAP) {
      return heap;
    }
    tooSmall("of heap", heap, "off-heap " + quantity(offHeap), LEAST_HEAP, offHeap, draft);
    return LEAST_HEAP;
  }

  private void tooSmall(
      String what, long left, String beside, long heap, long offHeap, Draft draft) {
    draft.problem(
        LIMIT,
        String.format(
            Locale.ROOT,
            "%s leaves %s %s beside %s; must be at least %s",
            quantity(limit),
            mib(left),
            what,
            beside,
            quantity(Bytes.roundUp(total(heap, offHeap), MIB))));
  }

  private MemorySizes half() {
    long equal = largest(size -> process.total(size, size) <= limit);
    return both(
        Math.min(roundedHeap(equal), heapBeside(leastOffHeap)),
        Sentence.of("half of the limit less other memory of the process; there is no working set"));
  }

  private MemorySizes forWorkingSet(WorkingSet workingSet, Draft draft) {
    long cache = cacheFor(workingSet.bytes(), draft);
    long offHeap =
        Math.max(
            leastOffHeap,
            largest(size -> OffHeapBudget.derivedBucketCache(size, fixedBytes) < cache) + MIB);
    return both(
        Math.min(heapBeside(offHeap), heapBeside(leastOffHeap)),
        Sentence.of(
            "a bucket cache of {} for the {} working set of {}, and at least 1/12 for the heap",
            draft.following(HBaseKeys.CACHE_ACCEPT_FACTOR, Input.mib("bucket cache", cache)),
            Sentence.of(workingSet.isMeasured() ? "measured" : "declared"),
            input(workingSet)));
  }

  private static Input input(WorkingSet workingSet) {
    var input = Input.quantity("working set", workingSet.bytes());
    return workingSet.isMeasured() ? input.live() : input.from(WORKING_SET);
  }

  private long cacheFor(long workingSet, Draft draft) {
    long bytes =
        CachedData.bucketCacheFor(
            Math.min(workingSet, limit),
            BucketSizes.plannedFor(declared, blocks, draft),
            acceptableShare.doubleValue(),
            blocks);
    return Bytes.roundUp(Math.min(bytes, limit), ARRAY_UNIT);
  }

  private MemorySizes both(long wanted, Sentence reason) {
    long heap = Math.max(held(wanted), leastHeap());
    var why =
        heap < wanted
            ? reason.then(
                Sentence.of(
                    "; a heap of {} would be over its bounds",
                    Input.mib("heap without bounds", wanted)))
            : reason;
    return new MemorySizes(size(heap, why), size(offHeapBeside(heap), why));
  }

  private long leastHeap() {
    return Math.max(LEAST_HEAP, roundedHeap(limit / LEAST_HEAP_SHARE));
  }

  private static long held(long heap) {
    if (!BucketIndex.hasCompressedPointers(heap) && heap < 48 * GIB) {
      return COMPRESSED_OOPS_HEAP;
    }
    return Math.min(heap, LARGEST_HEAP);
  }

  private long heapBeside(long offHeap) {
    return roundedHeap(largest(heap -> process.total(heap, offHeap) <= limit));
  }

  /** All memory, with the heap as rounded by the JVM. */
  private long total(long heap, long offHeap) {
    return process.total(Bytes.roundUp(heap, unit(heap)), offHeap);
  }

  private long offHeapBeside(long heap) {
    return largest(offHeap -> total(heap, offHeap) <= limit);
  }

  /** Rounded down to whole regions: the JVM would round up to them, over the limit. */
  private long roundedHeap(long heap) {
    return Bytes.roundDown(heap, unit(heap));
  }

  private long unit(long heap) {
    return Math.max(2 * MIB, declaredRegion.orElse(HeapRegions.derivedRegionBytes(heap)));
  }

  /**
   * The largest number of whole MiB for which a condition holds that also holds for all smaller
   * ones.
   */
  private long largest(LongPredicate holds) {
    long low = 0;
    long high = limit / MIB + 1;
    while (high - low > 1) {
      long middle = (low + high) / 2;
      if (holds.test(middle * MIB)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low * MIB;
  }

  private Size size(long bytes, Sentence reason) {
    var share =
        Sentence.of(
            "share of {} {}: {}",
            Sentence.name(LIMIT),
            Input.quantity(LIMIT.path(), limit).from(LIMIT),
            reason);
    return new Size(bytes, LIMIT, share, false, SOURCE);
  }
}
