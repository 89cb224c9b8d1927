package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Target.HBASE_SITE;

import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The bucket cache's bucket sizes: HBase's list with the one that fits this table's blocks. A
 * cached block takes {@code 33 + (B - 1 + c) + 13} bytes (header, payload, metadata; neither
 * checksums nor the next header), and one that passes 65 KiB by a byte would take a bucket of 97.
 *
 * @param sizes ascending, each a multiple of 256
 */
record BucketSizes(TreeSet<Long> sizes) {
  static final String KEY = "hbase.bucketcache.bucket.sizes";
  private static final long[] HBASE_KIB = {
    5, 9, 17, 33, 41, 49, 57, 65, 97, 129, 193, 257, 385, 513
  };
  private static final int UNIT = 256;
  private static final int HEADER_AND_METADATA = 33 + 13;

  /** {@code BucketAllocator} makes every bucket this many times the largest size. */
  private static final int ITEMS_OF_LARGEST = 4;

  /** The smallest cache that HBase starts with: a bucket for each size. */
  long leastCacheBytes() {
    return sizes.size() * ITEMS_OF_LARGEST * sizes.last();
  }

  static BucketSizes derive(Declared declared, Draft draft) {
    var blocks = declared.blocks();
    long block = HEADER_AND_METADATA + blocks.dataBlockBytes() - 1 + blocks.cellBytes();
    long fitted = Bytes.roundUp(block, UNIT);
    var sizes = new TreeSet<>(LongStream.of(HBASE_KIB).map(kib -> kib * KIB).boxed().toList());
    sizes.add(fitted);
    draft.text(
        HBASE_SITE,
        KEY,
        sizes.stream().map(String::valueOf).collect(Collectors.joining(",")),
        String.format(
            "HBase's own list with 33 + (%d - 1 + %d) + 13 = %d rounded up to 256: %d",
            blocks.dataBlockBytes(), blocks.cellBytes(), block, fitted),
        "HBase 2.6: BucketAllocator");
    return new BucketSizes(sizes);
  }
}
