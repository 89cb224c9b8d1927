package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.Load;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares of the heap, as HBase's start-up check sums them, and the IHOP that follows. */
class HeapSharesTest {
  @ParameterizedTest(name = "{0} counts as {1} %")
  @CsvSource({
    "0.4, 40",
    "0.45, 45",
    "0.455, 45",
    "0.59, 58",
    "0.53, 52",
    "0.58, 58",
    "0.1, 10",
    "0.175, 17",
    "0.805, 80",
    "0.8, 80",
    "0.0001, 0",
    "0, 0"
  })
  void truncatesPercentInFloatArithmetic(BigDecimal share, int percent) {
    assertThat(HeapShares.truncatedPercent(share)).isEqualTo(percent);
  }

  @ParameterizedTest(name = "{0}: memstore {1}, on-heap cache {2}")
  @CsvSource({"OFF_HEAP, 0.45, 0.1", "LRU, 0.4, 0.35", "DISABLED, 0.4, 0"})
  void derivesSharesByLoadAndCache(CacheMode mode, String memstore, String l1) {
    var site = regionServer().mode(mode).plan().hbaseSite();

    assertThat(site)
        .containsEntry("hbase.regionserver.global.memstore.size", memstore)
        .containsEntry("hfile.block.cache.size", l1);
  }

  /** 100 MiB and 8 MiB for each of 30 handlers are 340 MiB. */
  @ParameterizedTest(name = "heap {0} MiB: on-heap cache {1}")
  @CsvSource({"512, 0.1", "1024, 0.26", "1300, 0.33", "1536, 0.35", "30720, 0.35"})
  void aSmallHeapKeepsRoomForCallsBesideTheLruCache(long heapMib, String l1) {
    assertThat(
            regionServer().mode(CacheMode.LRU).heap(heapMib * MIB).site("hfile.block.cache.size"))
        .isEqualTo(l1);
  }

  @ParameterizedTest(name = "memstore {0}, on-heap cache {1}: IHOP {2}")
  @CsvSource({"0.45, 0.10, 65", "0.40, 0.175, 68", "0.40, 0.20, 70", "0.3, 0.1, 50"})
  void markingStartsAboveLongLivedData(String memstore, String l1, int ihop) {
    assertThat(regionServer().memstore(memstore).l1(l1).plan().jvmOptions())
        .contains("-XX:InitiatingHeapOccupancyPercent=" + ihop);
  }

  @Test
  void indexOfLargeBucketCacheReducesSharesOfSmallHeap() {
    var plan = regionServer().heap(9 * GIB).offHeap(105 * GIB).l1("0.2").plan();

    // 104448 x 16 blocks x 336 bytes = 535.5 MiB are 5.81 % of 9 GiB: 45 + 20 + 10 + 5
    assertThat(plan.jvmOptions()).contains("-XX:InitiatingHeapOccupancyPercent=80");
  }

  @Test
  void derivedSharesLeaveRoomForMarkingUnderHeavyLoad() {
    for (CacheMode mode : CacheMode.values()) {
      assertThat(regionServer().mode(mode).load(Load.HEAVY).problems()).as("%s", mode).isEmpty();
    }
  }
}
