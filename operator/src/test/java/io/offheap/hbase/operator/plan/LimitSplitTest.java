package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offheap.hbase.operator.plan.Declared.CacheMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitSplitTest {
  private static final String HEAP = "Xmx";
  private static final String OFF_HEAP = "MaxDirectMemorySize";

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 7, 8, 16, 31, 32, 64, 100, 114, 128, 256, 1000, 4096})
  void fillsLimitToLessThanOneHeapRegion(long gib) {
    var plan = regionServer().limitAlone(gib * GIB).plan();

    assertThat(plan.containerMemoryBytes()).isEqualTo(gib * GIB);
    assertThat(headroom(plan)).isLessThan(64 * MIB);
  }

  @Test
  void heapEqualsOffHeapWithoutWorkingSet() {
    var plan = regionServer().limitAlone(64 * GIB).plan();

    assertThat(size(plan, OFF_HEAP)).isBetween(size(plan, HEAP), size(plan, HEAP) + 64 * MIB);
  }

  @ParameterizedTest(name = "limit {0} GiB, working set {1} GiB: cache of at least {2} GiB")
  @CsvSource({"64, 20, 21", "64, 40, 42", "114, 90, 95", "512, 300, 316"})
  void bucketCacheHoldsWorkingSetBelowWatermark(long limit, long set, long cache) {
    var server = regionServer().limitAlone(limit * GIB).workingSet(set * GIB);

    assertThat(server.budget("bucketCache")).isGreaterThanOrEqualTo(cache * GIB);
  }

  /** A bucket of each other size is kept whatever it holds, and a bucket has whole blocks. */
  @ParameterizedTest
  @CsvSource({
    "4, 200, 65536",
    "4, 200, 4096",
    "16, 3000, 262144",
    "16, 3000, 524288",
    "64, 40000, 262144"
  })
  void plannedCacheHoldsTheWorkingSetAndLittleMore(long limit, long setMib, long block) {
    var server =
        regionServer()
            .limitAlone(limit * GIB)
            .workingSet(setMib * MIB)
            .blocks(block, 131072, 131072, 1100);

    long most = CachedData.of(server.build(), server.plan()).mostBytes();

    assertThat(most).isBetween(setMib * MIB, setMib * MIB * 103 / 100 + 32 * MIB);
    assertThat(size(server.plan(), HEAP)).isBetween(limit * GIB / 12, 31 * GIB);
  }

  /** One block of nine takes a bucket of 97 KiB then; it must not decide for all. */
  @Test
  void declaredBucketSizesLeaveTheHeapItsShare() {
    var derived = regionServer().limitAlone(40 * GIB).workingSet(20 * GIB).cell(1100);
    var own = regionServer().limitAlone(40 * GIB).workingSet(20 * GIB).cell(1100);
    own.config(HBaseKeys.BUCKET_SIZES.name(), HBaseKeys.BUCKET_SIZES.constantDefault());

    assertThat(size(own.plan(), HEAP)).isCloseTo(size(derived.plan(), HEAP), within(64 * MIB));
  }

  @Test
  void tooLargeWorkingSetLeavesTwelfthToHeap() {
    var plan = regionServer().limitAlone(120 * GIB).workingSet(1000 * GIB).plan();

    assertThat(size(plan, HEAP)).isEqualTo(10 * GIB);
  }

  @Test
  void keepsHeapSmallEnoughForCompressedReferences() {
    var plan = regionServer().limitAlone(64 * GIB).workingSet(20 * GIB).plan();

    assertThat(size(plan, HEAP)).isEqualTo(31 * GIB);
    assertThat(plan.setting(Target.JVM, HEAP).orElseThrow().sentence())
        .contains("would be over its bounds");
  }

  @Test
  void limitsHeapToLargestOfXiaomi() {
    var plan = regionServer().limitAlone(256 * GIB).workingSet(20 * GIB).plan();

    assertThat(size(plan, HEAP)).isEqualTo(50 * GIB);
  }

  @ParameterizedTest
  @EnumSource(
      value = CacheMode.class,
      names = {"LRU", "META_ONLY", "DISABLED"})
  void withoutBucketCacheHeapTakesRest(CacheMode mode) {
    var server = regionServer().limitAlone(16 * GIB).mode(mode);

    assertThat(size(server.plan(), HEAP)).isGreaterThan(13 * GIB);
    assertThat(size(server.plan(), OFF_HEAP)).isLessThan(GIB);
  }

  @Test
  void otherSizeTakesRestOfLimit() {
    var byHeap = regionServer().withoutOffHeap().heap(8 * GIB).limit(32 * GIB).plan();
    var byOffHeap = regionServer().withoutHeap().offHeap(8 * GIB).limit(32 * GIB).plan();

    assertThat(size(byHeap, HEAP)).isEqualTo(8 * GIB);
    assertThat(size(byHeap, OFF_HEAP)).isBetween(21 * GIB, 24 * GIB);
    assertThat(headroom(byHeap)).isLessThan(2 * MIB);
    assertThat(size(byOffHeap, OFF_HEAP)).isEqualTo(8 * GIB);
    assertThat(size(byOffHeap, HEAP)).isBetween(21 * GIB, 24 * GIB);
  }

  @Test
  void refusalNamesLeastLimit() {
    regionServer()
        .limitAlone(512 * MIB)
        .assertRefused("too small", "memory.limit", "512Mi is too small to divide: heap 256 MiB");
    var least =
        regionServer()
            .limitAlone(512 * MIB)
            .problems()
            .get(0)
            .message()
            .replaceAll(".*at least (\\d+[MG])i.*", "$1");

    assertThat(regionServer().limitAlone(bytes(least)).problems()).isEmpty();
  }

  @Test
  void refusesWorkingSetBesideDeclaredSizes() {
    regionServer()
        .workingSet(20 * GIB)
        .assertRefused("no meaning", "memory.workingSet", "20Gi has no meaning beside heap or");
  }

  @Test
  void refusesHeapWithoutOffHeapOrLimit() {
    regionServer()
        .withoutOffHeap()
        .assertRefused("no off-heap", "memory", "must have heap and offHeap, for example");
  }

  private static long headroom(MemoryPlan plan) {
    return plan.budget().stream()
        .filter(item -> item.item().equals("headroom"))
        .mapToLong(BudgetItem::bytes)
        .sum();
  }

  private static long size(MemoryPlan plan, String option) {
    return bytes(plan.setting(Target.JVM, option).orElseThrow().text());
  }

  private static long bytes(String size) {
    return Kind.JVM_SIZE.read(size).orElseThrow();
  }
}
