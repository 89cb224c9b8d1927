package io.offheap.hbase.operator.plan;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a bucket cache holds, as HBase's {@code BucketAllocator} fills it: each bucket has blocks of
 * one size, and of each size it keeps a bucket, whatever that holds.
 *
 * @param sizes of blocks, in bytes, each a multiple of 256
 */
record Buckets(List<Long> sizes) {
  /** Capacity of a bucket, in multiples of the largest size. */
  static final long ITEMS_OF_LARGEST = 4;

  /** So little more does not count: a share such as 0.7 has no exact double. */
  private static final double ROUNDING = 1e-6;

  /** HBase's own list. */
  static final Buckets OWN = new Buckets(parse(HBaseKeys.BUCKET_SIZES.constantDefault()));

  /** The sizes of a list; empty where one is not a number. */
  static List<Long> parse(String text) {
    try {
      return Arrays.stream(text.split(",", -1)).map(String::trim).map(Long::valueOf).toList();
    } catch (NumberFormatException e) {
      return List.of();
    }
  }

  /** The smallest cache that HBase starts with: a bucket for each size. */
  long leastCacheBytes() {
    return sizes.size() * bucketBytes();
  }

  /**
   * Blocks of one size that a cache holds before it evicts some: up to its acceptable share, and in
   * the buckets that are left when each other size has one. A bucket has whole blocks.
   *
   * @param size of these blocks, one of {@link #sizes}
   * @param acceptFactor {@code hbase.bucketcache.acceptfactor}
   */
  long mostBlocks(long cacheBytes, long size, double acceptFactor) {
    long buckets = cacheBytes / bucketBytes();
    long inBuckets = Math.max(0, buckets - sizes.size() + 1) * itemsOf(size);
    return Math.min(inBuckets, (long) (acceptFactor * buckets * bucketBytes() / size + ROUNDING));
  }

  /** The least bytes of a cache that holds so many: {@link #mostBlocks} the other way round. */
  long cacheBytes(double blocks, long size, double acceptFactor) {
    double byItems = Math.ceil(blocks / itemsOf(size)) + sizes.size() - 1;
    double byShare = Math.ceil(blocks * size / acceptFactor / bucketBytes() - ROUNDING / 1000);
    return (long) (Math.max(byItems, byShare) * bucketBytes());
  }

  /** The size that has a block of so many bytes; empty where none is as large. */
  OptionalLong sizeFor(long blockBytes) {
    return sizes.stream().mapToLong(Long::longValue).filter(it -> it >= blockBytes).min();
  }

  /** The largest size; 0 without one. */
  long largest() {
    return sizes.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private long itemsOf(long size) {
    return bucketBytes() / size;
  }

  private long bucketBytes() {
    return ITEMS_OF_LARGEST * largest();
  }
}
