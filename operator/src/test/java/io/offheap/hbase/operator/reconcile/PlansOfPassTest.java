package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.observe.ObservedTables;
import io.offheap.hbase.operator.plan.Declared;
import io.offheap.hbase.operator.plan.MemoryPlanner;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.status.Conditions;
import io.offheap.hbase.operator.status.PlanStatuses;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Counts the runs of the planner in one pass over a cluster with two groups. */
class PlansOfPassTest {
  private static final int GROUPS = 2;

  private final List<Declared> planned = new ArrayList<>();
  private Plans plans = counted();
  private HBaseCluster cluster = cluster("8Gi");

  private Plans counted() {
    planned.clear();
    var planner = new MemoryPlanner();
    return new Plans(
        declared -> {
          planned.add(declared);
          return planner.plan(declared);
        });
  }

  @AfterEach
  void plansNothingTwice() {
    assertThat(planned).doesNotHaveDuplicates();
  }

  @Test
  void restPlansEachGroupOnce() {
    pass(Optional.empty());

    assertThat(planned).hasSize(GROUPS);
  }

  @Test
  void tablesThatFitPlanEachGroupOnce() {
    pass(tables(new TableBlocks("usual/f", 65_536, 0, 0, 900)));

    assertThat(planned).hasSize(GROUPS);
  }

  @Test
  void largeTablePlansWithItAndWithoutIt() {
    pass(tables(new TableBlocks("large/f", 131_072, 0, 0, 4096)));

    assertThat(planned).hasSize(2 * GROUPS);
  }

  /** The most that are remembered: without tables, with all, and without each of them. */
  @Test
  void eightLargeTablesPlanWithoutEachOnce() {
    pass(
        tables(
            IntStream.rangeClosed(2, 9)
                .mapToObj(it -> new TableBlocks("large-" + it + "/f", it * 65_536L, 0, 0, 4096))
                .toArray(TableBlocks[]::new)));

    assertThat(planned).hasSizeLessThanOrEqualTo((1 + 1 + 8) * GROUPS).hasSizeGreaterThan(GROUPS);
  }

  @Test
  void rolledBackChangePlansTheLastGoodSpecOnce() {
    var declared = pass(Optional.empty()).groups().get(0).declared();
    var good = cluster("9Gi");
    cluster.setStatus(
        new HBaseClusterStatusBuilder()
            .observedGeneration(1L)
            .appliedSpec(cluster.getSpec())
            .lastGood(new LastGood(good.getSpec(), null))
            .rolledBack(
                List.of(
                    new RolledBack("", declared, "CanaryWorse", List.of(), "2026-11-23T00:00:00Z")))
            .build());
    plans = counted();

    assertThat(pass(Optional.empty()).rolledBackGroups()).containsExactly("");

    assertThat(planned).as("the other spec differs in one group").hasSize(GROUPS + 1);
  }

  @Test
  void refusedSpecPlansTheLastAppliedOneOnce() {
    var applied = pass(Optional.empty());
    var status =
        HBaseClusterStatus.empty().toBuilder()
            .appliedSpec(cluster.getSpec())
            .memoryPlan(PlanStatuses.of(applied.plans().get(0).plan()))
            .build();
    // In range, and refused by the planner.
    cluster = cluster("8Gi, limit: 1Gi");
    cluster.setStatus(status);
    plans = counted();

    pass(Optional.empty());

    assertThat(planned).as("the other spec differs in one group").hasSize(GROUPS + 1);
  }

  @Test
  void changeThatTuningConsidersTwiceIsPlannedOnce() {
    var group = pass(Optional.empty()).plans().get(0).group();
    var change = List.of(new Tuned(TunedKey.BUFFER_COUNT, 4096, ""));

    for (int rule = 0; rule < 2; rule++) {
      plans.of(
          group, new ObservedInputs(List.of(), OptionalLong.empty(), Map.of(group.name(), change)));
      plans.of(group, ObservedInputs.NOTHING);
    }

    assertThat(planned).hasSize(GROUPS + 1);
  }

  private Applied pass(Optional<LiveTables> tables) {
    return new SpecAdmission("hbase:1", PodRights.NONE)
        .admit(
            plans,
            cluster,
            List.of(),
            List.of(),
            new ObservedTables(tables, 0),
            ObservedImages.NONE,
            new Conditions(cluster, Clock.systemUTC()))
        .orElseThrow();
  }

  private static Optional<LiveTables> tables(TableBlocks... families) {
    return Optional.of(new LiveTables(List.of(families), Set.of(), true));
  }

  private static HBaseCluster cluster(String heap) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: demo, namespace: test, generation: 1}
        spec:
          zookeeper: {managed: {}}
          storage: {managed: {}}
          regionServers:
            memory: {heap: %s, offHeap: 4Gi}
          regionServerGroups:
            - name: small
              memory: {heap: 4Gi, offHeap: 4Gi}
        """
            .formatted(heap),
        HBaseCluster.class);
  }
}
