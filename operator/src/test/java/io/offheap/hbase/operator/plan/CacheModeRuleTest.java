package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Declared.CacheMode.FILE;
import static io.offheap.hbase.operator.plan.Declared.CacheMode.LRU;
import static io.offheap.hbase.operator.plan.Declared.CacheMode.META_ONLY;
import static io.offheap.hbase.operator.plan.Declared.CacheMode.OFF_HEAP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offheap.hbase.operator.plan.CacheModeRule.Advice;
import io.offheap.hbase.operator.plan.CacheModeRule.Load;
import io.offheap.hbase.operator.plan.CacheModeRule.Option;
import io.offheap.hbase.operator.plan.CacheModeRule.Waits;
import io.offheap.hbase.operator.plan.Declared.CacheMode;
import io.offheap.hbase.operator.plan.Declared.Disk;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The mode that is advised for a load. */
class CacheModeRuleTest {
  private static final long GIB = Bytes.GIB;
  private static final Waits SSD = Waits.of(Disk.SSD);

  /** A container in which the caches differ as they do where half of the memory is the heap. */
  private static final Map<CacheMode, CachedData> CACHED =
      Map.of(
          OFF_HEAP,
          CachedData.whole(25 * GIB),
          LRU,
          CachedData.whole(20 * GIB),
          META_ONLY,
          CachedData.NONE);

  @Test
  void offHeapIsKeptWhereItFindsAll() {
    var advice = advice(OFF_HEAP, load(20 * GIB));

    assertThat(advice.isAsDeclared()).isTrue();
    assertThat(advice.declared().foundShare()).isEqualTo(1);
    assertThat(advice.file()).isEmpty();
    assertThat(advice.text()).startsWith("OffHeap, as declared: it finds 100 % of the reads");
  }

  @Test
  void noModeIsAdvisedForLessThanATenth() {
    var advice = advice(LRU, load(20 * GIB));

    assertThat(advice.advised().mode()).isEqualTo("Lru");
    assertThat(advice.isAsDeclared()).isTrue();
  }

  @Test
  void offHeapHoldsMoreThanTheHeapOfTheSameContainer() {
    var advice = advice(LRU, load(40 * GIB));

    assertThat(advice.advised().mode()).isEqualTo("OffHeap");
    assertThat(advice.text())
        .startsWith("OffHeap in place of Lru: it finds 63 % of the reads, not 50 %");
  }

  @Test
  void dataThatFitAreWorthACache() {
    var advice = advice(META_ONLY, load(20 * GIB));

    assertThat(advice.advised().mode()).isEqualTo("OffHeap");
  }

  @Test
  void aModeWithoutCachedDataIsNotAdvised() {
    var advice = advice(OFF_HEAP, load(10_000 * GIB));

    assertThat(option(advice, "MetaOnly").time()).isLessThan(advice.declared().time());
    assertThat(advice.isAsDeclared()).as("within the noise where it was measured").isTrue();
  }

  @Test
  void onlyAHardDiskIsSlow() {
    assertThat(Waits.of(Disk.HDD).hdfs()).isGreaterThan(10 * SSD.hdfs());
    assertThat(Waits.of(Disk.OFFLINE)).as("no kind of disk").isEqualTo(SSD);
  }

  @Test
  void aRatioIsOfTheCacheThatHadIt() {
    var ratio = OptionalDouble.of(0.1);
    var load = new Load(OptionalLong.empty(), ratio, Optional.of(CachedData.whole(4 * GIB)));
    var declared = DeclaredExample.regionServer().build();
    var planned = (PlanResult.Planned) new MemoryPlanner().plan(declared);

    var advice =
        CacheModeRule.advice(declared, planned.plan(), load, new MemoryPlanner()::plan)
            .orElseThrow();

    assertThat(advice.declared().foundShare()).as("of 40 GiB").isBetween(0.55, 0.65);
  }

  @Test
  void otherModesArePlannedForTheSameContainer() {
    var declared =
        DeclaredExample.regionServer()
            .config(HBaseKeys.SHORT_CIRCUIT.name(), "true")
            .config(HBaseKeys.CACHE_SIZE.name(), "1024")
            .openFiles(100)
            .build();
    var planned = (PlanResult.Planned) new MemoryPlanner().plan(declared);

    var cached = CacheModes.cached(declared, planned.plan(), 20 * GIB, new MemoryPlanner()::plan);

    assertThat(cached).containsOnlyKeys(OFF_HEAP, LRU, META_ONLY);
    assertThat(cached.get(OFF_HEAP).mostBytes())
        .isBetween(1024 * Bytes.MIB * 92 / 100, 1024 * Bytes.MIB * 95 / 100);
    assertThat(cached.get(LRU).mostBytes()).isBetween(10 * GIB, 30 * GIB);
    assertThat(cached.get(META_ONLY)).isEqualTo(CachedData.NONE);
  }

  @Test
  void anLruCacheThatEvictsIsNotKept() {
    var advice = advice(LRU, load(22 * GIB));

    assertThat(advice.declared().foundShare()).isBetween(0.9, 0.95);
    assertThat(advice.advised().mode()).isEqualTo("OffHeap");
    assertThat(advice.text())
        .contains("what a cache on the heap evicts takes the collector much time");
    assertThat(advice(OFF_HEAP, load(1000 * GIB)).advised().mode()).isNotEqualTo("Lru");
  }

  @Test
  void aFileIsNamedWhereTheDataExceedTheMemory() {
    var file = advice(OFF_HEAP, load(100 * GIB)).file();

    assertThat(file).map(Option::cachedBytes).contains(100 * GIB);
    assertThat(file).map(Option::mode).contains("File");
  }

  @Test
  void aDeclaredFileIsAnOptionLikeOthers() {
    var advice =
        CacheModeRule.advice(
                FILE,
                Map.of(
                    FILE,
                    CachedData.whole(200 * GIB),
                    OFF_HEAP,
                    CachedData.whole(25 * GIB),
                    META_ONLY,
                    CachedData.NONE),
                load(20 * GIB),
                SSD)
            .orElseThrow();

    assertThat(advice.declared().mode()).isEqualTo("File");
    assertThat(advice.advised().mode()).as("all fits into memory").isEqualTo("OffHeap");
  }

  @Test
  void aHitRatioShowsHowUnevenTheLoadIs() {
    var uneven = advice(OFF_HEAP, new Load(OptionalLong.of(100 * GIB), OptionalDouble.of(0.8)));
    var even = advice(OFF_HEAP, load(100 * GIB));

    assertThat(uneven.declared().foundShare()).isCloseTo(0.8, within(1e-9));
    assertThat(option(uneven, "Lru").foundShare()).isBetween(0.7, 0.8);
    assertThat(even.declared().foundShare()).isEqualTo(0.25);
    assertThat(option(even, "Lru").foundShare()).isEqualTo(0.2);
  }

  @Test
  void whatACacheOfAllMissesIsMissedInEachMode() {
    var advice = advice(OFF_HEAP, new Load(OptionalLong.of(20 * GIB), OptionalDouble.of(0.6)));

    assertThat(advice.declared().foundShare()).isEqualTo(0.6);
    assertThat(option(advice, "Lru").foundShare()).isEqualTo(0.6);
  }

  @Test
  void fewerHitsThanEvenReadsWouldHaveAreFewerInEachMode() {
    for (long workingSet : List.of(25 * GIB, 25 * GIB + 1, 26 * GIB)) {
      var advice = advice(OFF_HEAP, new Load(OptionalLong.of(workingSet), OptionalDouble.of(0.6)));

      assertThat(advice.declared().foundShare()).isCloseTo(0.6, within(1e-9));
      assertThat(option(advice, "Lru").foundShare()).isBetween(0.47, 0.49);
    }
  }

  @Test
  void aCacheThatFindsAllHoldsAllThatIsRead() {
    var advice = advice(OFF_HEAP, new Load(OptionalLong.of(1024 * GIB), OptionalDouble.of(1)));

    assertThat(advice.isAsDeclared()).isTrue();
    assertThat(option(advice, "Lru").foundShare()).isEqualTo(0.8);
    assertThat(option(advice, "MetaOnly").foundShare()).isZero();
  }

  @Test
  void noSizeIsTooLarge() {
    for (double ratio : List.of(0.0, 0.5, 1.0)) {
      var load = new Load(OptionalLong.of(Long.MAX_VALUE), OptionalDouble.of(ratio));
      var huge =
          Map.of(
              OFF_HEAP,
              CachedData.whole(Long.MAX_VALUE - 1),
              LRU,
              CachedData.whole(1),
              META_ONLY,
              CachedData.NONE);
      for (var cached : List.of(CACHED, huge)) {
        assertThat(CacheModeRule.advice(OFF_HEAP, cached, load, SSD).orElseThrow().options())
            .allMatch(it -> it.time() > 0 && Double.isFinite(it.time()));
      }
    }
  }

  @Test
  void aHitRatioAloneGivesTheWorkingSet() {
    var advice = advice(OFF_HEAP, new Load(OptionalLong.empty(), OptionalDouble.of(0.25)));

    assertThat(advice.declared().foundShare()).isCloseTo(0.25, within(1e-9));
    assertThat(option(advice, "Lru").foundShare()).isCloseTo(0.2, within(1e-9));
    assertThat(advice.file()).map(Option::cachedBytes).contains(100 * GIB);
  }

  @Test
  void aHitRatioOfServersThatCacheNoDataIsLeftOut() {
    var ratio = OptionalDouble.of(0.9);

    assertThat(CacheModeRule.advice(META_ONLY, CACHED, new Load(OptionalLong.empty(), ratio), SSD))
        .isEmpty();
    assertThat(advice(META_ONLY, new Load(OptionalLong.of(50 * GIB), ratio)))
        .isEqualTo(advice(META_ONLY, load(50 * GIB)));
  }

  @Test
  void aRatioOfZeroOrOneHasATimeToo() {
    for (double ratio : List.of(0.0, 1.0)) {
      var advice = advice(OFF_HEAP, new Load(OptionalLong.of(100 * GIB), OptionalDouble.of(ratio)));

      assertThat(advice.options()).allMatch(it -> it.time() > 0 && Double.isFinite(it.time()));
      assertThat(advice.declared().foundShare()).isEqualTo(ratio);
    }
    assertThat(
            CacheModeRule.advice(
                OFF_HEAP, CACHED, new Load(OptionalLong.empty(), OptionalDouble.of(0)), SSD))
        .as("nothing is known of the size of what is missed")
        .isEmpty();
  }

  /** A cache holds less while it evicts than before; one that all fits into does not evict. */
  @Test
  void aCacheThatEvictsHoldsLess() {
    var cached =
        Map.of(
            OFF_HEAP,
            new CachedData(100 * GIB, 90 * GIB),
            LRU,
            new CachedData(60 * GIB, 58 * GIB),
            META_ONLY,
            CachedData.NONE);

    assertThat(found(cached, load(100 * GIB))).isEqualTo(1);
    assertThat(found(cached, load(101 * GIB))).isCloseTo(90 / 101.0, within(1e-9));
    for (double ratio : List.of(0.5, 0.89, 0.9, 0.97, 1.0)) {
      assertThat(found(cached, new Load(OptionalLong.empty(), OptionalDouble.of(ratio))))
          .isCloseTo(ratio, within(1e-9));
    }
    var even = new Load(OptionalLong.empty(), OptionalDouble.of(0.45));
    assertThat(
            option(CacheModeRule.advice(OFF_HEAP, cached, even, SSD).orElseThrow(), "Lru")
                .foundShare())
        .isCloseTo(58 / 200.0, within(1e-9));
  }

  private static double found(Map<CacheMode, CachedData> cached, Load load) {
    return CacheModeRule.advice(OFF_HEAP, cached, load, SSD).orElseThrow().declared().foundShare();
  }

  private static Option option(Advice advice, String mode) {
    return advice.options().stream().filter(it -> it.mode().equals(mode)).findFirst().orElseThrow();
  }

  private static Advice advice(CacheMode declared, Load load) {
    return CacheModeRule.advice(declared, CACHED, load, SSD).orElseThrow();
  }

  private static Load load(long workingSet) {
    return new Load(OptionalLong.of(workingSet), OptionalDouble.empty());
  }
}
