package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.mib;
import static io.offheap.hbase.operator.plan.Bytes.quantity;
import static io.offheap.hbase.operator.plan.Target.HBASE_SITE;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Draft.Field;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * How the off-heap budget {@code O} ({@code MaxDirectMemorySize}) is shared out: the allocator's
 * pool as derived, a reserve for everything that is not counted by name (HDFS client, thread-local
 * buffers), and the rest for the bucket cache.
 *
 * <p>The bucket cache takes its memory at start, in pieces of 4 MiB; the pool takes its own as it
 * is used. A budget that is too small would thus fail hours after the start, under load, and so it
 * is refused here.
 *
 * @param bucketCacheBytes bucket cache, 0 where there is none
 * @param reserveBytes what is left of the budget
 * @param indexHeapBytes heap that the bucket cache's index takes
 */
record OffHeapBudget(long bucketCacheBytes, long reserveBytes, long indexHeapBytes) {
  private static final String OFF_HEAP = "spec.regionServers.memory.offHeap";
  private static final String SIZE_KEY = "hbase.bucketcache.size";

  /** {@code ByteBufferArray} allocates whole buffers of this size. */
  private static final long ARRAY_UNIT = 4 * MIB;

  /** Heap for each cached block: map entry, key, bucket entry, reference count. */
  private static final long INDEX_BYTES_PER_BLOCK = 240;

  static OffHeapBudget derive(Declared declared, BufferPool pool, Draft draft) {
    long reserve = leastReserve(declared.offHeapBytes());
    if (declared.cacheMode() != CacheMode.OFF_HEAP) {
      return withoutBucketCache(declared, pool, reserve, draft);
    }
    draft.fixed(
        HBASE_SITE,
        "hbase.bucketcache.ioengine",
        "offheap",
        "spec.regionServers.blockCache.mode OffHeap",
        "HBase 2.6: BucketCache",
        "spec.regionServers.blockCache.mode");
    var buckets = BucketSizes.derive(declared, draft);
    long bytes = bucketCacheBytes(declared, pool, reserve, buckets.leastCacheBytes(), draft);
    long blocks = bytes / declared.blocks().dataBlockBytes();
    return new OffHeapBudget(
        bytes, declared.offHeapBytes() - pool.bytes() - bytes, blocks * INDEX_BYTES_PER_BLOCK);
  }

  /** HBase's guide found 1 to 2 GiB right for large servers; small ones have less in flight. */
  static long leastReserve(long offHeapBytes) {
    return Bytes.clamp(offHeapBytes / 16, 16 * MIB, 2 * GIB);
  }

  /** What a large server keeps apart from the bucket cache in the off-heap read path's example. */
  private static long leastRest(long offHeapBytes) {
    return Math.min(3 * GIB, offHeapBytes / 8);
  }

  private static OffHeapBudget withoutBucketCache(
      Declared declared, BufferPool pool, long reserve, Draft draft) {
    var mode =
        "there is no bucket cache, because spec.regionServers.blockCache.mode is not OffHeap";
    draft.unused(HBASE_SITE, SIZE_KEY, mode);
    draft.unused(HBASE_SITE, "hbase.bucketcache.ioengine", mode);
    draft.unused(HBASE_SITE, BucketSizes.KEY, mode);
    declared
        .bucketCacheBytes()
        .ifPresent(
            bytes ->
                draft.problem(
                    "spec.regionServers.blockCache.bucketCacheSize",
                    quantity(bytes) + ": " + mode));
    if (pool.bytes() + reserve > declared.offHeapBytes()) {
      draft.problem(
          OFF_HEAP,
          String.format(
              Locale.ROOT,
              "%s is too small: allocator pool %s (%d x %d) + reserve %s = %s; at least %s is right",
              quantity(declared.offHeapBytes()),
              mib(pool.bytes()),
              pool.count(),
              pool.bufferBytes(),
              mib(reserve),
              mib(pool.bytes() + reserve),
              quantity(leastOffHeap(pool.bytes()))));
    }
    return new OffHeapBudget(0, declared.offHeapBytes() - pool.bytes(), 0);
  }

  /** The least budget that holds these bytes and its own reserve, which grows with it. */
  private static long leastOffHeap(long bytes) {
    long least = 0;
    long next = Bytes.roundUp(bytes, ARRAY_UNIT);
    while (next != least) {
      least = next;
      next = Bytes.roundUp(bytes + leastReserve(least), ARRAY_UNIT);
    }
    return least;
  }

  private static long bucketCacheBytes(
      Declared declared, BufferPool pool, long reserve, long leastCache, Draft draft) {
    long offHeap = declared.offHeapBytes();
    long poolBytes = Bytes.roundUp(pool.bytes(), ARRAY_UNIT);
    long least = Bytes.roundUp(leastCache, ARRAY_UNIT);
    long most = Math.max(0, Bytes.roundDown(offHeap - poolBytes - reserve, ARRAY_UNIT));
    long rest = Math.max(poolBytes + reserve, leastRest(offHeap));
    long derived = Math.min(most, Math.max(least, Bytes.roundDown(offHeap - rest, ARRAY_UNIT)));
    var size =
        draft.decimal(
            HBASE_SITE,
            SIZE_KEY,
            new Field<>(
                "spec.regionServers.blockCache.bucketCacheSize",
                declared.bucketCacheBytes().stream()
                    .mapToObj(bytes -> BigDecimal.valueOf(bytes / MIB))
                    .findFirst()),
            BigDecimal.valueOf(derived / MIB),
            String.format(
                Locale.ROOT,
                "MiB; off-heap %s - max(pool %s + reserve %s, min(3072 MiB, 1/8 of off-heap) = %s),"
                    + " rounded down to 4 MiB, and at least %s",
                mib(offHeap),
                mib(poolBytes),
                mib(reserve),
                mib(leastRest(offHeap)),
                mib(least)),
            "HBase 2.6: MemorySizeUtil; Offheap read path in production");
    // What is larger than the budget is wrong by any measure, and might not fit into a long.
    var mibs = size.value().min(BigDecimal.valueOf(offHeap / MIB + 1));
    long bytes = mibs.multiply(BigDecimal.valueOf(MIB)).longValue();
    long taken = Bytes.roundUp(bytes, ARRAY_UNIT);
    if (bytes >= leastCache && taken <= most) {
      return taken;
    }
    if (!size.declared() || most < least) {
      draft.problem(
          OFF_HEAP,
          String.format(
              Locale.ROOT,
              "%s is too small: allocator pool %s (%d x %d) + reserve %s leave %s for the bucket"
                  + " cache, which needs %s for a bucket of each size; at least %s is right, or a"
                  + " smaller spec.regionServers.allocator.poolSize",
              quantity(offHeap),
              mib(pool.bytes()),
              pool.count(),
              pool.bufferBytes(),
              mib(reserve),
              mib(most),
              mib(least),
              quantity(leastOffHeap(poolBytes + least))));
    } else {
      draft.problem(
          size.field(),
          String.format(
              Locale.ROOT,
              "bucket cache %s MiB + allocator pool %s + reserve %s must fit into"
                  + " spec.regionServers.memory.offHeap %s, and a bucket of each size into the"
                  + " cache; from %s to %s is right",
              size.value().toPlainString(),
              mib(poolBytes),
              mib(reserve),
              quantity(offHeap),
              mib(least),
              mib(most)));
    }
    return most;
  }
}
