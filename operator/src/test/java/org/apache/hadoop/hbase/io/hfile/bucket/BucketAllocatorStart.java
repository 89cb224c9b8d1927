package org.apache.hadoop.hbase.io.hfile.bucket;

/** Lets tests reach the bucket cache's own start-up checks, which HBase keeps to this package. */
public final class BucketAllocatorStart {
  private BucketAllocatorStart() {}

  /**
   * Shares out a bucket cache as a region server does at start.
   *
   * @throws BucketAllocatorException if it is too small for its bucket sizes
   */
  public static void check(long bytes, int[] bucketSizes) throws BucketAllocatorException {
    new BucketAllocator(bytes, bucketSizes);
  }
}
