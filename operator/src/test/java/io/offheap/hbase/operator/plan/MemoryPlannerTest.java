package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.DeclaredExample.regionServer;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of a whole plan. */
class MemoryPlannerTest {
  @ParameterizedTest
  @ValueSource(longs = {256, 1024, 1025, 9216, 30720, 30721, 51200, 102400})
  void budgetAddsUpToContainer(long heapMib) {
    var plan = regionServer().heap(heapMib * MIB).offHeap(2 * GIB).plan();

    long sum = plan.budget().stream().mapToLong(BudgetItem::bytes).sum();

    assertThat(plan.containerMemoryBytes()).isEqualTo(sum);
    assertThat(plan.budget()).allMatch(item -> item.bytes() >= 0);
    assertThat(plan.setting(Keys.CONTAINER_MEMORY))
        .get()
        .extracting(Setting::text)
        .isEqualTo(Bytes.quantity(sum));
  }

  @Test
  void containerOfXiaomiTest() {
    var plan = regionServer().plan();

    // heap 30720 + off-heap 30720 + Netty 1024 + G1 1380 + 8 + 2 x 16 + 240 + 768 + 16 x 10
    assertThat(plan.containerMemoryBytes()).isEqualTo(65052 * MIB);
  }

  @Test
  void largerLimitIsHeadroom() {
    var server = regionServer().limit(70 * GIB);

    assertThat(server.plan().containerMemoryBytes()).isEqualTo(70 * GIB);
    assertThat(server.budget("headroom")).isEqualTo(70 * GIB - 65052 * MIB);
  }

  @Test
  void sameDeclarationGivesSamePlan() {
    assertThat(regionServer().plan()).isEqualTo(regionServer().plan());
    assertThat(regionServer().plan().hash()).isEqualTo(regionServer().plan().hash());
  }

  @Test
  void sameDeclarationGivesSamePlanInEveryLocale() {
    var expected = regionServer().plan();
    var before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(regionServer().plan()).isEqualTo(expected);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void hashChangesWithEveryValue() {
    var plans =
        List.of(
            regionServer(),
            regionServer().heap(31 * GIB),
            regionServer().offHeap(31 * GIB),
            regionServer().cores(8),
            regionServer().handlers(31),
            regionServer().memstore("0.44"),
            regionServer().l1("0.11"),
            regionServer().cell(1050),
            regionServer().limit(70 * GIB),
            regionServer().config("hbase.foo", "bar"),
            regionServer().config("hbase.foo", "baz"),
            regionServer().jvmOption("-XX:+AlwaysPreTouch"));

    var hashes = new HashSet<String>();
    plans.forEach(server -> hashes.add(server.plan().hash()));

    assertThat(hashes).hasSameSizeAs(plans).allMatch(hash -> hash.matches("[0-9a-f]{10}"));
  }

  @Test
  void hashDoesNotDependOnProvenance() {
    var derived = regionServer().plan();
    var declared = regionServer().memstore("0.45").config("hfile.block.cache.size", "0.1").plan();

    assertThat(declared.hash()).isEqualTo(derived.hash());
    assertThat(declared).isNotEqualTo(derived);
  }

  @ParameterizedTest(name = "{0} cores: {1} threads collect, {2} mark")
  @CsvSource({
    " 1,  1, 1",
    " 2,  2, 1",
    " 4,  4, 1",
    " 8,  8, 2",
    "11,  8, 2",
    "13,  8, 2",
    "15, 10, 2",
    // the talk's
    "24, 16, 4",
  })
  void allOfUpTo8CoresCollectAndTwoThirdsOfMore(int cores, String parallel, String concurrent) {
    var plan = regionServer().cores(cores).plan();

    assertThat(plan.setting(JvmKeys.PARALLEL_THREADS).orElseThrow().text()).isEqualTo(parallel);
    assertThat(plan.setting(JvmKeys.CONCURRENT_THREADS).orElseThrow().text()).isEqualTo(concurrent);
  }

  @Test
  void unlockingOptionPrecedesUnlockedOptions() {
    assertThat(regionServer().plan().jvmOptions())
        .containsSubsequence(
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:G1NewSizePercent=2",
            "-XX:G1OldCSetRegionThresholdPercent=5");
  }

  /** CPU time, since other processes run too. */
  @Test
  void planningTakesLessThanAMillisecond() {
    int plans = 5_000;
    planTimes(plans);

    var threads = ManagementFactory.getThreadMXBean();
    long started = threads.getCurrentThreadCpuTime();
    planTimes(plans);
    double meanMicros = (threads.getCurrentThreadCpuTime() - started) / 1000.0 / plans;

    System.out.printf(Locale.ROOT, "mean of %d plans: %.1f microseconds%n", plans, meanMicros);
    assertThat(meanMicros).isLessThan(1000);
  }

  private static void planTimes(int times) {
    for (int i = 0; i < times; i++) {
      var plan = regionServer().offHeap((1024 + i) * MIB).plan();
      assertThat(plan.settings()).isNotEmpty();
    }
  }
}
