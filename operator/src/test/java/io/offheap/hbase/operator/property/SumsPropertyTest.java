package io.offheap.hbase.operator.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.operator.plan.BudgetItem;
import io.offheap.hbase.operator.plan.Target;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;

/** Every sum of a plan stays within its budget. */
@Domain(Resources.class)
class SumsPropertyTest {
  /** Parts of the container's memory that lie outside of {@code MaxDirectMemorySize}. */
  private static final Set<String> NOT_DIRECT =
      Set.of("heap", "netty", "g1", "metaspaceCodeAndStacks", "headroom");

  @Property
  void budgetAddsUpToContainer(@ForAll Resource resource) {
    var plan = resource.plan();
    long sum = plan.budget().stream().mapToLong(BudgetItem::bytes).sum();
    var container = plan.setting(Target.CONTAINER, "memory").orElseThrow().text();

    assertThat(plan.budget()).allMatch(item -> item.bytes() >= 0);
    assertThat(plan.containerMemoryBytes()).isEqualTo(sum);
    assertThat(Resource.bytes(container)).isEqualTo(sum);
    resource
        .text(Resource.LIMIT)
        .ifPresent(limit -> assertThat(Resource.bytes(limit)).isEqualTo(sum));
  }

  @Property
  void budgetCoversMemoryThatTheProcessMayTake(@ForAll Resource resource) {
    var plan = PlanFigures.of(resource.plan());

    assertThat(plan.budget("heap"))
        .isBetween(plan.jvmBytes("Xmx"), plan.jvmBytes("Xmx") + (32 << 20));
    assertThat(plan.budget("netty"))
        .isEqualTo(plan.jvmBytes("org.apache.hbase.thirdparty.io.netty.maxDirectMemory"));
    assertThat(plan.budget("bucketCache")).isEqualTo(plan.directBucketCacheBytes());
    assertThat(plan.budget("ramBuffer")).isEqualTo(plan.ramBufferBytes());
    assertThat(plan.budget("allocatorPool")).isEqualTo(plan.poolBytes());
    assertThat(
            plan.plan().budget().stream()
                .filter(item -> !NOT_DIRECT.contains(item.item()))
                .mapToLong(BudgetItem::bytes)
                .sum())
        .as("direct memory")
        .isEqualTo(plan.jvmBytes("MaxDirectMemorySize"));
  }

  @Property
  void directMemoryCoversAllItsUses(@ForAll Resource resource) {
    var plan = PlanFigures.of(resource.plan());

    assertThat(
            plan.directBucketCacheBytes()
                + plan.ramBufferBytes()
                + plan.poolBytes()
                + plan.offHeapMemstoreBytes())
        .isLessThanOrEqualTo(plan.jvmBytes("MaxDirectMemorySize"));
  }

  @Property
  void heapSharesPassCheckOfHBase(@ForAll Resource resource) {
    var plan = PlanFigures.of(resource.plan());

    int memstore = percent(plan.site("hbase.regionserver.global.memstore.size"));
    int l1 = percent(plan.site("hfile.block.cache.size"));

    assertThat(memstore + l1).isLessThanOrEqualTo(80);
  }

  @Property
  void markingHasRoomAboveItsThreshold(@ForAll Resource resource) {
    var plan = PlanFigures.of(resource.plan());

    long ihop = plan.jvmNumber("InitiatingHeapOccupancyPercent");

    assertThat(ihop + plan.jvmNumber("G1NewSizePercent") + plan.reservePercent())
        .isLessThanOrEqualTo(100);
  }

  @Property
  void markingThreadsDoNotExceedCollectingThreads(@ForAll Resource resource) {
    var plan = PlanFigures.of(resource.plan());

    assertThat(plan.jvmNumber("ConcGCThreads")).isBetween(1L, plan.jvmNumber("ParallelGCThreads"));
  }

  /** In the float arithmetic of the region server. */
  private static int percent(String share) {
    return (int) (Float.parseFloat(share) * 100);
  }
}
