package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;

/**
 * Heap that a bucket cache takes for each cached block, wherever the blocks are stored.
 *
 * <p>The index is the same for every IO engine, persistent or not. With compressed pointers, in
 * bytes: {@code BlockCacheKey} 40, its file name 72 (32 characters; HBase 2.6.4 creates one for
 * each block, HBASE-29727 shares it from 2.6.5 on), {@code BucketEntry} 64, its {@code RefCnt} 24,
 * recycler 24 and flag 16, the map's entry 32 and up to three slots 12, the ordered set's node and
 * index 36, leak detection of one block in 128 about 7, and 9 for its part of the {@code
 * BucketAllocator}'s bucket. HBase 2.6.4 on OpenJDK 17 was measured at 331 to 333, and without
 * compressed pointers at 419 to 426.
 *
 * <p>In published HBase a block that was read once also has a lock: {@code BucketCache.offsetLock}
 * keeps them, behind soft references, by the block's place in the cache. They were measured at 230
 * to 240, and without compressed pointers at 324 to 336. HotSpot clears such a reference only after
 * a second without use for each MiB of free heap, hours on a large server. They are not counted
 * here: the image has none (patch 0024), other images clear them before memory is exhausted, and
 * the margin of the start of marking has room for them.
 */
public final class BucketIndex {
  /** From this heap on, one region of 32 MiB below 32 GiB, HotSpot does not compress pointers. */
  private static final long MOST_COMPRESSED_HEAP = 32 * GIB - 32 * MIB;

  private BucketIndex() {}

  /** Bytes of index for each cached block, on a heap of this size. */
  public static long bytesPerBlock(long heapBytes) {
    return hasCompressedPointers(heapBytes) ? 336 : 432;
  }

  /** Whether references on a heap of this size take 4 bytes, not 8. */
  static boolean hasCompressedPointers(long heapBytes) {
    return heapBytes <= MOST_COMPRESSED_HEAP;
  }
}
