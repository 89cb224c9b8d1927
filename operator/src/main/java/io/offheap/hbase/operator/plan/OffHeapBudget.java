package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;
import static io.offheap.hbase.operator.plan.MemorySizes.OFF_HEAP;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Draft.Field;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * How the off-heap budget {@code O} ({@code MaxDirectMemorySize}) is shared out: the allocator's
 * pool as derived, off-heap memstore and short-circuit buffers as declared, a reserve for
 * everything that is not counted by name (HDFS client, thread-local buffers), and the rest for the
 * bucket cache.
 *
 * <p>The bucket cache takes its memory at start, in pieces of 4 MiB; the others take theirs as they
 * are used. A budget that is too small would thus fail hours after the start, under load, and so it
 * is refused here.
 *
 * @param bucketCacheBytes direct memory of the bucket cache, 0 where there is none
 * @param cachedBytes size of the bucket cache, wherever it is
 * @param reserveBytes what is left of the budget
 */
record OffHeapBudget(long bucketCacheBytes, long cachedBytes, long reserveBytes) {

  /** {@code ByteBufferArray} allocates whole buffers of this size. */
  static final long ARRAY_UNIT = 4 * MIB;

  static OffHeapBudget derive(
      Declared declared,
      BlockSizes blocks,
      MemorySizes sizes,
      BufferPool pool,
      DirectParts parts,
      Draft draft) {
    var budget = new Sums(sizes.offHeapBytes(), pool, parts);
    if (!declared.cacheMode().hasBucketCache()) {
      withoutBucketCache(declared, draft);
      return budget.onlyFixed(0, draft);
    }
    var buckets = BucketSizes.derive(declared, blocks, draft);
    if (declared.cacheMode() == CacheMode.FILE) {
      return budget.onlyFixed(FileCache.derive(declared, buckets, draft), draft);
    }
    draft.fixed(
        HBaseKeys.CACHE_ENGINE,
        MemoryPlan.BucketCache.OFF_HEAP_ENGINE,
        "spec.regionServers.blockCache.mode OffHeap",
        "HBase 2.6: BucketCache",
        "spec.regionServers.blockCache.mode");
    long bytes = budget.bucketCacheBytes(declared, buckets.leastCacheBytes(), draft);
    return new OffHeapBudget(bytes, bytes, sizes.offHeapBytes() - budget.fixedBytes() - bytes);
  }

  /** HBase's guide found 1 to 2 GiB right for large servers; small ones have less in flight. */
  static long leastReserve(long offHeapBytes) {
    return Bytes.clamp(offHeapBytes / 16, 16 * MIB, 2 * GIB);
  }

  /** What a large server keeps apart from the bucket cache in the off-heap read path's example. */
  private static long leastRest(long offHeapBytes) {
    return Math.min(3 * GIB, offHeapBytes / 8);
  }

  /** The bucket cache of a budget with so many bytes for all that has a size of its own. */
  static long derivedBucketCache(long offHeap, long fixedBytes) {
    long fixed = Bytes.roundUp(fixedBytes, ARRAY_UNIT);
    long rest = Math.max(fixed + leastReserve(offHeap), leastRest(offHeap));
    return Math.max(0, Bytes.roundDown(offHeap - rest, ARRAY_UNIT));
  }

  /** The least budget that holds these bytes and its own reserve, which grows with it. */
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
        "there is no bucket cache, because spec.regionServers.blockCache.mode is "
            + declared.cacheMode().text();
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
                    "spec.regionServers.blockCache.bucketCacheSize",
                    quantity(bytes) + ": " + mode));
  }

  /** The sums of one budget, and how they are written in messages. */
  private record Sums(long offHeap, BufferPool pool, DirectParts parts) {
    long fixedBytes() {
      return pool.bytes() + parts.bytes();
    }

    String written() {
      var text = new StringBuilder("allocator pool " + mib(pool.bytes()));
      if (pool.bytes() > 0) {
        text.append(String.format(Locale.ROOT, " (%d x %d)", pool.count(), pool.bufferBytes()));
      }
      if (parts.memstoreBytes() > 0) {
        text.append(" + off-heap memstore ").append(mib(parts.memstoreBytes()));
      }
      if (parts.shortCircuitBytes() > 0) {
        text.append(" + short-circuit buffers ").append(mib(parts.shortCircuitBytes()));
      }
      return text.append(" + reserve ").append(mib(leastReserve(offHeap))).toString();
    }

    /** A budget without an off-heap bucket cache. */
    OffHeapBudget onlyFixed(long cachedBytes, Draft draft) {
      long needed = fixedBytes() + leastReserve(offHeap);
      if (needed > offHeap) {
        draft.problem(
            OFF_HEAP,
            String.format(
                Locale.ROOT,
                "%s is too small: %s = %s; at least %s is right",
                quantity(offHeap),
                written(),
                mib(needed),
                quantity(leastOffHeap(fixedBytes()))));
      }
      return new OffHeapBudget(0, cachedBytes, offHeap - fixedBytes());
    }

    long bucketCacheBytes(Declared declared, long leastCache, Draft draft) {
      long least = Bytes.roundUp(leastCache, ARRAY_UNIT);
      long fixed = Bytes.roundUp(fixedBytes(), ARRAY_UNIT);
      long most = Math.max(0, Bytes.roundDown(offHeap - fixed - leastReserve(offHeap), ARRAY_UNIT));
      long derived = Math.min(most, Math.max(least, derivedBucketCache(offHeap, fixedBytes())));
      var size =
          draft.value(
              HBaseKeys.CACHE_SIZE,
              new Field<>(
                  "spec.regionServers.blockCache.bucketCacheSize",
                  declared.cache().bucketCacheBytes().stream()
                      .mapToObj(bytes -> BigDecimal.valueOf(bytes / MIB))
                      .findFirst()),
              BigDecimal.valueOf(derived / MIB),
              String.format(
                  Locale.ROOT,
                  "MiB; off-heap %s - max(%s, min(3072 MiB, 1/8 of off-heap) = %s), rounded down to"
                      + " 4 MiB, and at least %s",
                  mib(offHeap),
                  written(),
                  mib(leastRest(offHeap)),
                  mib(least)),
              "HBase 2.6: ByteBufferArray; Offheap read path in production");
      // What is larger than the budget is wrong by any measure, and might not fit into a long.
      var mibs = size.value().min(BigDecimal.valueOf(offHeap / MIB + 1));
      long bytes = Bytes.ofMib(mibs);
      long taken = Bytes.roundUp(bytes, ARRAY_UNIT);
      if (bytes >= leastCache && taken <= most) {
        return taken;
      }
      if (!size.declared() || most < least) {
        draft.problem(
            OFF_HEAP,
            String.format(
                Locale.ROOT,
                "%s is too small: %s leave %s for the bucket cache, which needs %s for a bucket of"
                    + " each size; at least %s is right, or a smaller"
                    + " spec.regionServers.allocator.poolSize",
                quantity(offHeap),
                written(),
                mib(most),
                mib(least),
                quantity(leastOffHeap(fixed + least))));
      } else {
        draft.problem(
            size.field(),
            String.format(
                Locale.ROOT,
                "bucket cache %s MiB + %s must fit into %s %s, and a bucket of each size into the"
                    + " cache; from %s to %s is right",
                size.value().toPlainString(),
                written(),
                OFF_HEAP,
                quantity(offHeap),
                mib(least),
                mib(most)));
      }
      return most;
    }
  }
}
