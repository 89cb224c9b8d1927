package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a bucket cache holds; MeasuredModesTest has what {@code make report} found in one. */
class BucketsTest {
  private static final long SIZE_OF_64K = 66_560;
  private static final long SIZE_OF_256K = 263_168;

  /** 127 buckets, of which 13 are kept for other sizes; 31 blocks in each of the others. */
  @Test
  void aSmallCacheKeepsABucketOfEachOtherSize() {
    assertThat(Buckets.OWN.mostBlocks(256 * MIB, SIZE_OF_64K, 0.95)).isEqualTo(114 * 31);
    assertThat(Buckets.OWN.mostBlocks(MIB, SIZE_OF_64K, 0.95)).isZero();
  }

  @Test
  void aLargeCacheEvictsFromItsAcceptableShareOn() {
    double share = Buckets.OWN.mostBlocks(40 * GIB, SIZE_OF_64K, 0.95) * SIZE_OF_64K / (40.0 * GIB);

    assertThat(share).isCloseTo(0.95, within(0.001));
  }

  /** 7 of 256 KiB in a bucket that has room for 7.98. */
  @Test
  void aBucketHasWholeBlocks() {
    double share =
        Buckets.OWN.mostBlocks(40 * GIB, SIZE_OF_256K, 0.95) * SIZE_OF_256K / (40.0 * GIB);

    assertThat(share).isCloseTo(0.877, within(0.001));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 100, 3534, 3535, 10_000, 1_000_000})
  void theLeastCacheHoldsTheBlocksAndNoSmallerOneDoes(long blocks) {
    for (long size : new long[] {5120, SIZE_OF_64K, SIZE_OF_256K}) {
      long bytes = Buckets.OWN.cacheBytes((double) blocks, size, 0.95);

      assertThat(Buckets.OWN.mostBlocks(bytes, size, 0.95)).isGreaterThanOrEqualTo(blocks);
      assertThat(Buckets.OWN.mostBlocks(bytes - 1, size, 0.95)).isLessThan(blocks);
    }
  }

  /** 0.7 of 325 buckets are a little less as a double. */
  @Test
  void aShareWithoutExactDoubleLosesNoBlock() {
    long bytes = Buckets.OWN.cacheBytes(7182, SIZE_OF_64K, 0.7);

    assertThat(bytes).isEqualTo(325 * 4 * 525_312);
    assertThat(Buckets.OWN.mostBlocks(bytes, SIZE_OF_64K, 0.7)).isEqualTo(7182);
  }

  /** Of HBase's own list, a block of 64 KiB with cells of 2 KiB takes a bucket of 97 KiB. */
  @Test
  void aBlockTakesABucketThatFits() {
    assertThat(Buckets.OWN.sizeFor(SIZE_OF_64K)).hasValue(SIZE_OF_64K);
    assertThat(Buckets.OWN.sizeFor(SIZE_OF_64K + 1)).hasValue(99_328);
    assertThat(Buckets.OWN.sizeFor(1_000_000)).isEmpty();
  }

  @Test
  void sizesThatHBaseRefusesCountAsItsOwn() {
    var own = cached(HBaseKeys.BUCKET_SIZES.constantDefault(), 66_000);

    assertThat(cached("-256,x", 66_000)).isEqualTo(own);
    assertThat(cached("66560,525312", 66_000).mostBytes()).isGreaterThan(own.mostBytes());
    assertThat(cached("5120", 66_000)).isEqualTo(CachedData.NONE);
  }

  @Test
  void aCacheEvictsDownToItsLeastShare() {
    var cached = cached(HBaseKeys.BUCKET_SIZES.constantDefault(), 66_000);

    assertThat(cached.mostBytes()).isEqualTo(114 * 31 * 66_000L);
    assertThat(cached.meanBytes()).isEqualTo((long) (cached.mostBytes() * (1 + 0.85) / 2));
  }

  /** A block with large cells is as large as it is on average, in a bucket that fits. */
  @Test
  void largeCellsCountAsData() {
    var cached = cached(HBaseKeys.BUCKET_SIZES.constantDefault(), 65_536 + 32_768);

    assertThat(cached.mostBytes()).isGreaterThan(256 * MIB * 85 / 100);
  }

  private static CachedData cached(String sizes, long meanBlock) {
    return CachedData.ofBucketCache(256 * MIB, sizes, 0.95, 0.85, meanBlock);
  }
}
