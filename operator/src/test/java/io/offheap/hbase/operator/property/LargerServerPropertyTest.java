package io.offheap.hbase.operator.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.Setting;
import io.offheap.hbase.operator.plan.Target;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;

/** One size grows and the rest stays: what has to grow with it, and what must not shrink. */
@Domain(Resources.class)
@Domain(DomainContext.Global.class)
class LargerServerPropertyTest {
  private static final int MOST_MIB = 65_536;

  /** The largest heap on which a reference takes 4 bytes. */
  private static final int COMPRESSED_OOPS_MIB = 32_736;

  @Property
  void moreOffHeapNeverReducesBucketCache(
      @ForAll Resource resource, @ForAll @IntRange(min = 1, max = MOST_MIB) int more) {
    var small = PlanFigures.of(resource.plan());
    var large = PlanFigures.of(grown(resource, Resource.OFF_HEAP, more).plan());

    assertThat(large.bucketCacheMib()).isGreaterThanOrEqualTo(small.bucketCacheMib());
  }

  @Property
  void planThatFitsOffHeapFitsLargerOffHeap(
      @ForAll Resource resource, @ForAll @IntRange(min = 1, max = MOST_MIB) int more) {
    resource.plan();
    // A larger cache has a larger index on the heap, and a larger container another limit.
    var problems = grown(resource, Resource.OFF_HEAP, more).problems();

    assertThat(problems)
        .noneMatch(problem -> problem.field().equals(Resource.path(Resource.OFF_HEAP)));
  }

  @Property
  void moreMemoryNeverReducesContainer(
      @ForAll Resource resource,
      @ForAll boolean heap,
      @ForAll @IntRange(min = 1, max = MOST_MIB) int more) {
    var free = resource.without(Resource.LIMIT);
    var small = free.plan();
    var large = grown(free, heap ? Resource.HEAP : Resource.OFF_HEAP, more).plan();

    // Where a person declares the region size, the heap is rounded up to it, and so by less.
    assertThat(large.containerMemoryBytes())
        .isGreaterThanOrEqualTo(small.containerMemoryBytes() + ((more - 32L) << 20))
        .isGreaterThanOrEqualTo(small.containerMemoryBytes());
  }

  @Property
  void moreHeapLeavesOffHeapBudgetUnchanged(
      @ForAll Resource resource, @ForAll @IntRange(min = 1, max = MOST_MIB) int more) {
    var small = PlanFigures.of(resource.plan());
    var large = PlanFigures.of(grown(resource, Resource.HEAP, more).plan());

    assertThat(large.bucketCacheMib()).isEqualTo(small.bucketCacheMib(), within(0.0));
    assertThat(large.poolBytes()).isEqualTo(small.poolBytes());
  }

  @Property
  void moreHeapNeverReducesRegionsNorDelaysMarking(
      @ForAll Resource resource, @ForAll @IntRange(min = 1, max = MOST_MIB) int more) {
    var small = PlanFigures.of(resource.plan());
    // From there on the index takes more for each block.
    long heap = resource.mibOf(Resource.HEAP);
    Assume.that(heap > COMPRESSED_OOPS_MIB || heap + more <= COMPRESSED_OOPS_MIB);
    var large = PlanFigures.of(grown(resource, Resource.HEAP, more).plan());

    assertThat(large.jvmBytes("G1HeapRegionSize"))
        .isGreaterThanOrEqualTo(small.jvmBytes("G1HeapRegionSize"));
    // A small heap has a smaller share in mode Lru: what calls take beside it is the same.
    if (l1Share(large) <= l1Share(small)) {
      // The bucket cache's index is the same and its share of a larger heap a smaller one.
      assertThat(large.jvmNumber("InitiatingHeapOccupancyPercent"))
          .isLessThanOrEqualTo(small.jvmNumber("InitiatingHeapOccupancyPercent"));
    }
  }

  private static double l1Share(PlanFigures plan) {
    return Double.parseDouble(plan.site("hfile.block.cache.size"));
  }

  @Property
  void bufferHoldsBlockOfLargerCell(
      @ForAll Resource resource,
      @ForAll @IntRange(min = 1, max = 100_000) int cell,
      @ForAll @IntRange(min = 1, max = 100_000) int more) {
    var small = PlanFigures.of(resource.with("hfile.cellSize", cell).plan());
    var large = PlanFigures.of(resource.with("hfile.cellSize", cell + more).plan());

    assertThat(large.siteNumber("hbase.server.allocator.buffer.size"))
        .isGreaterThanOrEqualTo(small.siteNumber("hbase.server.allocator.buffer.size"));
  }

  @Property
  void derivedBufferHoldsWholeBlockRead(
      @ForAll Resource resource,
      @ForAll @IntRange(min = 1, max = 1024) int blockKib,
      @ForAll @IntRange(min = 1, max = 100_000) int cell) {
    var plan =
        resource.with("hfile.blockSize", blockKib + "Ki").with("hfile.cellSize", cell).plan();
    Assume.that(isDerived(plan, "hbase.server.allocator.buffer.size"));

    // Two headers, a payload that ends with the cell that reaches the block size, its checksums.
    var figures = PlanFigures.of(plan);
    long payload = blockKib * 1024L - 1 + cell;
    long read =
        66 + payload + 4 * (long) Math.ceil((33 + payload) / (double) figures.bytesPerChecksum());
    assertThat(figures.siteNumber("hbase.server.allocator.buffer.size"))
        .isGreaterThanOrEqualTo(read);
  }

  @Property
  void moreHandlersNeverReducePoolNorEnlargeBucketCache(
      @ForAll Resource resource,
      @ForAll @IntRange(min = 1, max = 300) int handlers,
      @ForAll @IntRange(min = 1, max = 300) int more) {
    Assume.that(resource.has(Resource.HEAP) && resource.has(Resource.OFF_HEAP));
    var small = PlanFigures.of(resource.with("handlers", handlers).plan());
    var large = PlanFigures.of(resource.with("handlers", handlers + more).plan());

    assertThat(large.poolBytes()).isGreaterThanOrEqualTo(small.poolBytes());
    assertThat(large.bucketCacheMib()).isLessThanOrEqualTo(small.bucketCacheMib());
  }

  @Property
  void moreCoresNeverReduceThreads(
      @ForAll Resource resource,
      @ForAll @IntRange(min = 1, max = 128) int cores,
      @ForAll @IntRange(min = 1, max = 128) int more) {
    var small = PlanFigures.of(resource.with("resources.limits.cpu", cores).plan());
    var large = PlanFigures.of(resource.with("resources.limits.cpu", cores + more).plan());

    for (var threads : List.of("ParallelGCThreads", "ConcGCThreads")) {
      assertThat(large.jvmNumber(threads)).isGreaterThanOrEqualTo(small.jvmNumber(threads));
    }
  }

  @Property
  void largerLimitAddsHeadroomOnly(
      @ForAll Resource resource, @ForAll @IntRange(max = MOST_MIB) int more) {
    var free = resource.without(Resource.LIMIT).plan();
    long limit = (free.containerMemoryBytes() >> 20) + more;

    Assume.that(resource.has(Resource.HEAP) && resource.has(Resource.OFF_HEAP));
    var limited = resource.with(Resource.LIMIT, Resource.mib(limit)).plan();

    assertThat(limited.containerMemoryBytes()).isEqualTo(limit << 20);
    assertThat(withoutContainer(limited)).isEqualTo(withoutContainer(free));
    assertThat(PlanFigures.of(limited).budget("headroom") >> 20).isBetween((long) more, more + 1L);
  }

  /** Both sizes are there: what a limit leaves shrinks when the other grows. */
  private static Resource grown(Resource resource, String field, int moreMib) {
    Assume.that(resource.has(Resource.HEAP) && resource.has(Resource.OFF_HEAP));
    return resource.with(field, Resource.mib(resource.mibOf(field) + moreMib));
  }

  private static boolean isDerived(MemoryPlan plan, String key) {
    return plan.setting(Target.HBASE_SITE, key)
        .map(Setting::provenance)
        .filter(it -> !it.isDeclared())
        .isPresent();
  }

  private static List<Setting> withoutContainer(MemoryPlan plan) {
    var settings = new ArrayList<>(plan.settings());
    settings.removeIf(setting -> setting.target() == Target.CONTAINER);
    return settings;
  }
}
