package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.Slow;
import io.offheap.hbase.operator.plan.Declared.CacheMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The parts of the off-heap budget, and the bucket sizes. */
class OffHeapBudgetTest {
  private static final String SIZE = "hbase.bucketcache.size";
  private static final String SIZES = "hbase.bucketcache.bucket.sizes";

  @ParameterizedTest(name = "off-heap of {0} MiB: a bucket cache of {1} MiB")
  @CsvSource({
    // pool 1860 x 66560 = 118.1, in pieces of 4: 120; reserve a 16th, 16 at the least, 2048 at most
    "  512,    360",
    "  168,     32",
    // from here on an 8th, 3072 at the most, is more than pool and reserve
    " 4096,   3584",
    "30720,  27648",
    "51200,  48128",
    "107520, 104448",
  })
  void bucketCacheTakesRestOfOffHeap(long offHeapMib, String bucketCacheMib) {
    assertThat(regionServer().offHeap(offHeapMib * MIB).site(SIZE)).isEqualTo(bucketCacheMib);
  }

  @Test
  @Slow
  void bucketCacheNeverShrinksAsOffHeapGrows() {
    long previous = 0;
    int step = 0;
    for (long offHeap = 16 * MIB; offHeap <= 200 * GIB; offHeap += (1 + step++ % 7) * MIB) {
      var server = regionServer().offHeap(offHeap);
      if (server.result() instanceof PlanResult.Planned planned) {
        long size = Long.parseLong(planned.plan().hbaseSite().get(SIZE));
        assertThat(size).as("off-heap %d", offHeap).isGreaterThanOrEqualTo(previous);
        previous = size;
      } else {
        assertThat(previous).as("refused off-heap %d", offHeap).isZero();
      }
    }
    assertThat(previous).isGreaterThan(196 * 1024L);
  }

  @ParameterizedTest
  @EnumSource(CacheMode.class)
  void maxDirectMemoryIsSumOfBucketCachePoolAndReserve(CacheMode mode) {
    var server = regionServer().mode(mode).offHeap(7 * GIB + 5 * MIB);

    long parts =
        server.budget("bucketCache")
            + server.budget("allocatorPool")
            + server.budget("offHeapReserve");

    assertThat(parts).isEqualTo(7 * GIB + 5 * MIB);
    assertThat(server.plan().jvmOptions()).contains("-XX:MaxDirectMemorySize=7173m");
  }

  @ParameterizedTest(name = "blocks of {0} and cells of {1}: a bucket of {2}")
  @CsvSource({
    // 33 + 65535 + 939 + 13 = 66520
    "65536,  939,  66560",
    "65536,  979,  66560",
    "65536,  980,  66816",
    "65536, 1100,  66816",
    "65536, 4035,  69632",
    " 8192,  100,   8448",
    // larger than the largest of HBase's sizes
    "1048576, 939, 1049600",
  })
  void addsBucketSizeThatFitsBlocks(long block, long cell, String bucket) {
    var server = regionServer().blocks(block, 131072, 131072, cell);

    var sizes = server.site(SIZES).split(",");

    assertThat(sizes)
        .contains(bucket, "5120", "525312")
        .allMatch(size -> Long.parseLong(size) % 256 == 0);
  }

  @Test
  void leastCacheGrowsWithAddedBucketSize() {
    var none = new DeclaredExample().build();
    var fifteenth = new DeclaredExample().cell(1100).build();

    assertThat(sizes(none).leastCacheBytes()).isEqualTo(29_417_472);
    assertThat(sizes(fifteenth).leastCacheBytes()).isEqualTo(31_518_720);
  }

  private static Buckets sizes(Declared declared) {
    return BucketSizes.derivedFor(declared, BlockSizes.derive(declared, new Draft(declared)));
  }
}
