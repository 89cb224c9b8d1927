package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;
import static io.offheap.hbase.operator.plan.MemorySizes.OFF_HEAP;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Draft.Field;
import io.offheap.hbase.operator.plan.Sentence.Input;
import java.math.BigDecimal;

/**
 * Divides the off-heap budget {@code O} ({@code MaxDirectMemorySize}): the allocator's pool as
 * derived, off-heap memstore and short-circuit buffers as declared, a reserve for all other uses
 * (HDFS client, thread-local buffers), and the rest for the bucket cache, or for the {@link
 * RamBuffer} before one in a file.
 *
 * <p>The bucket cache allocates its memory at the start, in pieces of 4 MiB, the others when they
 * need it. A budget that is too small would fail under load, hours after the start, so it is
 * refused here.
 *
 * @param bucketCacheBytes direct memory of the bucket cache, 0 where there is none
 * @param cachedBytes size of the bucket cache, wherever it is
 * @param ramBufferBytes RAM buffer before a bucket cache in a file, 0 where there is none
 * @param reserveBytes the rest of the budget
 */
record OffHeapBudget(
    long bucketCacheBytes, long cachedBytes, long ramBufferBytes, long reserveBytes) {

  /** {@code ByteBufferArray} allocates whole buffers of this size. */
  static final long ARRAY_UNIT = 4 * MIB;

  private static final FieldPath MODE = FieldPath.of("blockCache.mode");
  private static final FieldPath CACHE_SIZE = FieldPath.of("blockCache.bucketCacheSize");

  static OffHeapBudget derive(
      Declared declared,
      BlockSizes blocks,
      MemorySizes sizes,
      BufferPool pool,
      DirectParts parts,
      Draft draft) {
    var budget = new Sums(sizes.offHeap(), pool, parts);
    if (!declared.cacheMode().hasBucketCache()) {
      withoutBucketCache(declared, draft);
      return budget.onlyFixed(0, 0, draft);
    }
    var buckets = BucketSizes.derive(declared, blocks, draft);
    if (declared.cacheMode() == CacheMode.FILE) {
      long file = FileCache.derive(declared, buckets, draft);
      long room = sizes.offHeapBytes() - budget.fixedBytes() - leastReserve(sizes.offHeapBytes());
      long ramBuffer =
          RamBuffer.derive(
              sizes,
              budget.written(),
              room,
              file,
              blocks.dataBlockBytes(),
              buckets,
              bytes -> leastOffHeap(budget.fixedBytes() + bytes),
              draft);
      return budget.onlyFixed(file, ramBuffer, draft);
    }
    draft.fixed(
        HBaseKeys.CACHE_ENGINE,
        CacheEngine.OFF_HEAP.text(),
        Sentence.of(
            "{} {}",
            Sentence.name(MODE),
            Input.choice(MODE.path(), declared.cacheMode().text()).from(MODE)),
        "HBase 2.6: BucketCache",
        MODE);
    long bytes = budget.bucketCacheBytes(declared, buckets.leastCacheBytes(), draft);
    return new OffHeapBudget(bytes, bytes, 0, sizes.offHeapBytes() - budget.fixedBytes() - bytes);
  }

  /**
   * The reserve: HBase's guide recommends 1 to 2 GiB for large servers; small servers need less.
   */
  static long leastReserve(long offHeapBytes) {
    return Bytes.clamp(offHeapBytes / 16, 16 * MIB, 2 * GIB);
  }

  /** The rest beside the bucket cache in the off-heap read path's example, for a large server. */
  private static long leastRest(long offHeapBytes) {
    return Math.min(3 * GIB, offHeapBytes / 8);
  }

  /** The bucket cache of a budget in which {@code fixedBytes} are taken by parts of fixed size. */
  static long derivedBucketCache(long offHeap, long fixedBytes) {
    long fixed = Bytes.roundUp(fixedBytes, ARRAY_UNIT);
    long rest = Math.max(fixed + leastReserve(offHeap), leastRest(offHeap));
    return Math.max(0, Bytes.roundDown(offHeap - rest, ARRAY_UNIT));
  }

  /** The least budget that holds these bytes and its reserve, which grows with the budget. */
  static long leastOffHeap(long bytes) {
    long least = 0;
    long next = Bytes.roundUp(bytes, ARRAY_UNIT);
    while (next != least) {
      least = next;
      next = Bytes.roundUp(bytes + leastReserve(least), ARRAY_UNIT);
    }
    return least;
  }

  private static void withoutBucketCache(Declared declared, Draft draft) {
    var mode =
        Sentence.of(
            "there is no bucket cache, because {} is {}",
            Sentence.name(MODE),
            Sentence.of(declared.cacheMode().text()));
    draft.unused(HBaseKeys.CACHE_SIZE, mode);
    draft.unused(HBaseKeys.CACHE_ENGINE, mode);
    draft.unused(HBaseKeys.CACHE_PERSISTENCE, mode);
    draft.unused(HBaseKeys.BUCKET_SIZES, mode);
    declared
        .cache()
        .bucketCacheBytes()
        .ifPresent(
            bytes ->
                draft.problem(
                    CACHE_SIZE,
                    Sentence.of("{} must be left out: {}", Sentence.of(quantity(bytes)), mode)));
  }

  /** The parts of one budget, and their sum in messages. */
  private record Sums(MemorySizes.Size size, BufferPool pool, DirectParts parts) {
    long offHeap() {
      return size.bytes();
    }

    long fixedBytes() {
      return pool.bytes() + parts.bytes();
    }

    Sentence written() {
      var sum = Sentence.of("allocator pool {}", Input.mib("allocator pool", pool.bytes()));
      if (pool.bytes() > 0) {
        sum =
            sum.then(
                Sentence.of(
                    " ({} x {})",
                    Input.number(HBaseKeys.BUFFER_COUNT.name(), pool.count(), Unit.BUFFERS),
                    Input.number(HBaseKeys.BUFFER_SIZE.name(), pool.bufferBytes(), Unit.BYTES)));
      }
      if (parts.memstoreBytes() > 0) {
        sum =
            sum.then(
                Sentence.of(
                    " + off-heap memstore {}",
                    Input.mib("off-heap memstore", parts.memstoreBytes())));
      }
      if (parts.shortCircuitBytes() > 0) {
        sum =
            sum.then(
                Sentence.of(
                    " + short-circuit buffers {}",
                    Input.mib("short-circuit buffers", parts.shortCircuitBytes())));
      }
      return sum.then(Sentence.of(" + reserve {}", Input.mib("reserve", leastReserve(offHeap()))));
    }

    /** A budget without an off-heap bucket cache. */
    OffHeapBudget onlyFixed(long cachedBytes, long ramBuffer, Draft draft) {
      long needed = fixedBytes() + leastReserve(offHeap());
      if (needed > offHeap()) {
        draft.problem(
            OFF_HEAP,
            Sentence.of(
                "{} is too small: {} = {}; must be at least {}",
                Sentence.of(quantity(offHeap())),
                written(),
                Sentence.of(mib(needed)),
                Sentence.of(quantity(leastOffHeap(fixedBytes())))));
      }
      return new OffHeapBudget(0, cachedBytes, ramBuffer, offHeap() - fixedBytes() - ramBuffer);
    }

    long bucketCacheBytes(Declared declared, long leastCache, Draft draft) {
      long least = Bytes.roundUp(leastCache, ARRAY_UNIT);
      long fixed = Bytes.roundUp(fixedBytes(), ARRAY_UNIT);
      long most =
          Math.max(0, Bytes.roundDown(offHeap() - fixed - leastReserve(offHeap()), ARRAY_UNIT));
      long derived = Math.min(most, Math.max(least, derivedBucketCache(offHeap(), fixedBytes())));
      var chosen =
          draft.value(
              HBaseKeys.CACHE_SIZE,
              new Field<>(
                  CACHE_SIZE,
                  declared.cache().bucketCacheBytes().stream()
                      .mapToObj(bytes -> BigDecimal.valueOf(bytes / MIB))
                      .findFirst()),
              BigDecimal.valueOf(derived / MIB),
              Sentence.of(
                  "MiB; off-heap {} - max({}, min(3072 MiB, 1/8 of off-heap) = {}), rounded down to"
                      + " 4 MiB, and at least {}",
                  size.mib(JvmKeys.DIRECT_MEMORY.name()),
                  written(),
                  Input.mib("least rest", leastRest(offHeap())),
                  Input.mib("least bucket cache", least)),
              "HBase 2.6: ByteBufferArray; Offheap read path in production");
      // A size over the budget is refused first, since its sums may exceed a long.
      var mibs = chosen.value().min(BigDecimal.valueOf(offHeap() / MIB + 1));
      long bytes = Bytes.ofMib(mibs);
      long taken = Bytes.roundUp(bytes, ARRAY_UNIT);
      if (bytes >= leastCache && taken <= most) {
        return taken;
      }
      if (!chosen.declared() || most < least) {
        draft.problem(
            OFF_HEAP,
            Sentence.of(
                "{} is too small: {} leave {} for the bucket cache, which needs {} for a bucket of"
                    + " each size; must be at least {}, or {} must be smaller",
                Sentence.of(quantity(offHeap())),
                written(),
                Sentence.of(mib(most)),
                Sentence.of(mib(least)),
                Sentence.of(quantity(leastOffHeap(fixed + least))),
                Sentence.name(FieldPath.of("allocator.poolSize"))));
      } else {
        draft.problem(
            chosen.field(),
            Sentence.of(
                "bucket cache {} MiB + {} must fit into {} {}, and a bucket of each size into the"
                    + " cache; must be from {} to {}",
                Sentence.of(chosen.value().toPlainString()),
                written(),
                Sentence.name(OFF_HEAP),
                Sentence.of(quantity(offHeap())),
                Sentence.of(mib(least)),
                Sentence.of(mib(most))));
      }
      return most;
    }
  }
}
