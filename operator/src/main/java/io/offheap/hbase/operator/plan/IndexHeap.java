package io.offheap.hbase.operator.plan;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * Heap that a full bucket cache needs: its index (map entry, key, bucket entry, reference count of
 * each block), and the share of the on-heap cache for index and bloom blocks of the cached data.
 * HBase's combined cache keeps these on the heap; a data block whose index block is not cached
 * costs another read.
 *
 * <p>Where larger blocks decide the plan, blocks are counted with HBase's default of 64 KiB, since
 * other tables may fill the cache. For each block: a leaf index entry (offset, size and a key of
 * about 52 bytes), and 10 bits of bloom filter for each row, where a row is assumed to be one cell.
 *
 * @param cachedBytes size of the bucket cache
 * @param bytes heap of the bucket cache's own index
 * @param metaBlockBytes index and bloom blocks of the cached data
 */
record IndexHeap(long cachedBytes, long bytes, long metaBlockBytes) {
  private static final long INDEX_ENTRY = 64;
  private static final long BLOOM_BITS_PER_ROW = 10;
  private static final BigDecimal LARGEST_SHARE = new BigDecimal("0.25");

  static IndexHeap of(long cachedBytes, BlockSizes blocks, long heapBytes) {
    long count = cachedBytes / Math.min(blocks.dataBlockBytes(), HFileDefaults.DATA_BLOCK);
    long rows = cachedBytes / blocks.cellBytes();
    return new IndexHeap(
        cachedBytes,
        count * BucketIndex.bytesPerBlock(heapBytes),
        count * INDEX_ENTRY + rows * BLOOM_BITS_PER_ROW / 8);
  }

  /**
   * The share of a heap that the index and bloom blocks need, in whole percent. At most a quarter:
   * beyond it, a larger heap is better.
   */
  BigDecimal metaBlocksShare(long heapBytes) {
    return BigDecimal.valueOf(metaBlockBytes)
        .divide(BigDecimal.valueOf(heapBytes), 2, RoundingMode.CEILING)
        .min(LARGEST_SHARE);
  }
}
