package io.offheap.hbase.operator.plan;

import java.util.Arrays;
import java.util.List;

/**
 * What a bucket cache holds, as HBase's {@code BucketAllocator} fills it: each bucket has blocks of
 * one size, and of each size it keeps a bucket, whatever that holds.
 *
 * @param sizes of blocks, in bytes, each a multiple of 256
 */
record Buckets(List<Long> sizes) {
  /** Capacity of a bucket, in multiples of the largest size. */
  static final long ITEMS_OF_LARGEST = 4;

  /** HBase's own list. */
  static final Buckets OWN = new Buckets(parse(HBaseKeys.BUCKET_SIZES.constantDefault()));

  /** Those of a property; HBase's own where one is not a number. */
  static Buckets of(String text) {
    var sizes = parse(text);
    return sizes.isEmpty() ? OWN : new Buckets(sizes);
  }

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
   * Bytes that a cache holds in buckets of one size before it evicts some: up to its acceptable
   * share, and not the bucket that it keeps for each other size.
   *
   * @param acceptFactor {@code hbase.bucketcache.acceptfactor}
   */
  long heldBytes(long cacheBytes, double acceptFactor) {
    return Math.max(
        0, Math.min((long) (cacheBytes * acceptFactor), cacheBytes - bytesOfOtherSizes()));
  }

  /** The least bytes of a cache that holds so many: {@link #heldBytes} the other way round. */
  long cacheBytes(long heldBytes, double acceptFactor) {
    return Math.max((long) (heldBytes / acceptFactor), heldBytes + bytesOfOtherSizes());
  }

  /** The largest size; 0 without one. */
  long largest() {
    return sizes.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  private long bytesOfOtherSizes() {
    return (sizes.size() - 1) * bucketBytes();
  }

  private long bucketBytes() {
    return ITEMS_OF_LARGEST * largest();
  }
}
