package io.offheap.hbase.operator.plan;

import java.util.OptionalLong;

/**
 * Bytes of data blocks in a block cache.
 *
 * @param mostBytes before it evicts some
 * @param meanBytes while it evicts, which it does down to a lower share
 */
public record CachedData(long mostBytes, long meanBytes) {
  /** Of a cache without data blocks. */
  public static final CachedData NONE = new CachedData(0, 0);

  /** {@code hbase.lru.blockcache.acceptable.factor} of HBase 2.6. */
  private static final double LRU_ACCEPT_FACTOR = 0.99;

  /** {@code hbase.lru.blockcache.min.factor} of HBase 2.6. */
  private static final double LRU_MIN_FACTOR = 0.95;

  /** One that holds so much, and evicts nothing. */
  static CachedData whole(long bytes) {
    return new CachedData(bytes, bytes);
  }

  /** Of the cache that is planned, with declared sizes of blocks and cells. */
  static CachedData of(Declared declared, MemoryPlan plan) {
    var bucketCache = plan.bucketCache();
    if (bucketCache.isPresent()) {
      return ofBucketCache(
          bucketCache.get().bytes(),
          plan.effective(HBaseKeys.BUCKET_SIZES),
          plan.effective(HBaseKeys.CACHE_ACCEPT_FACTOR).doubleValue(),
          plan.effective(HBaseKeys.CACHE_MIN_FACTOR).doubleValue(),
          blocks(declared).meanBlockBytes());
    }
    boolean isForData =
        plan.value(HBaseKeys.CACHE_POLICY)
            .filter(CachePolicy.INDEX_ONLY::equalsIgnoreCase)
            .isEmpty();
    return isForData ? ofLru(plan.heapShares().l1().doubleValue(), plan.g1().heapBytes()) : NONE;
  }

  /** Bytes of the least bucket cache that holds so many, with declared sizes of blocks. */
  static long bucketCacheFor(long bytes, Declared declared) {
    return bucketCacheFor(
        bytes,
        BucketSizes.derivedFor(declared, blocks(declared)),
        HBaseKeys.CACHE_ACCEPT_FACTOR.constantDefault().doubleValue(),
        blocks(declared));
  }

  /**
   * The same for given sizes; {@code Long.MAX_VALUE} where no block would be cached. Blocks are
   * counted without the cell that fills them, which may be smaller than is known.
   */
  static long bucketCacheFor(long bytes, Buckets buckets, double acceptFactor, BlockSizes blocks) {
    var size = BucketSizes.sizeFor(buckets, blocks.meanBlockBytes());
    return size.isEmpty()
        ? Long.MAX_VALUE
        : buckets.cacheBytes(
            Math.ceil((double) bytes / blocks.dataBlockBytes()), size.getAsLong(), acceptFactor);
  }

  private static BlockSizes blocks(Declared declared) {
    return BlockSizes.derive(declared, new Draft(declared));
  }

  /** Of an on-heap cache; its index and bloom blocks are in it too. */
  public static CachedData ofLru(double shareOfHeap, long heapBytes) {
    double bytes = shareOfHeap * heapBytes;
    return new CachedData(
        (long) (LRU_ACCEPT_FACTOR * bytes),
        (long) ((LRU_ACCEPT_FACTOR + LRU_MIN_FACTOR) / 2 * bytes));
  }

  /**
   * Of a bucket cache. It evicts down to a share of the room that its blocks have.
   *
   * @param bucketSizes {@code hbase.bucketcache.bucket.sizes}; HBase's own where it is wrong
   * @param acceptFactor {@code hbase.bucketcache.acceptfactor}
   * @param minFactor {@code hbase.bucketcache.minfactor}
   * @param meanBlock data of a block, in bytes
   */
  public static CachedData ofBucketCache(
      long bytes, String bucketSizes, double acceptFactor, double minFactor, long meanBlock) {
    var buckets = BucketSizes.read(bucketSizes).orElse(Buckets.OWN);
    var size = BucketSizes.sizeFor(buckets, meanBlock);
    if (size.isEmpty()) {
      return NONE;
    }
    long most = meanBlock * buckets.mostBlocks(bytes, size.getAsLong(), acceptFactor);
    return new CachedData(most, (long) (most * (1 + Math.min(1, minFactor)) / 2));
  }

  /** Data of an average block, in bytes; HBase's own sizes where they are left out. */
  public static long meanBlock(OptionalLong block, OptionalLong cell) {
    return block.orElse(HFileDefaults.DATA_BLOCK) + cell.orElse(HFileDefaults.CELL) / 2;
  }
}
