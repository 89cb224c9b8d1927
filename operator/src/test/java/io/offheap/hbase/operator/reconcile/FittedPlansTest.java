package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Table;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.observe.ObservedTables;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.status.Conditions;
import io.offheap.hbase.operator.status.TableConditions;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FittedPlansTest {
  private static final TableBlocks LARGE = new TableBlocks("large/f", 131072, 0, 0, 4096);
  private static final TableBlocks HUGE = new TableBlocks("huge/f", 32 << 20, 0, 0, 0);

  private final HBaseCluster cluster = cluster("{}");
  private Applied applied;

  @Test
  void aPlanIsMadeForTheLargestBlocks() {
    assertThat(bufferAfter(LARGE)).isEqualTo(133 * 1024);
    assertThat(condition()).isEqualTo("True BlocksFit every block of a table fits one buffer");
  }

  @Test
  void tablesThatWereNeverReadLeaveNoStatusAndNoCondition() {
    pass(Optional.empty());
    assertThat(cluster.getStatus().live()).isNull();
    assertThat(cluster.getStatus().conditions()).isEmpty();
  }

  @Test
  void aTableThatNoPlanHoldsIsLeftOutAndNamed() {
    assertThat(bufferAfter(LARGE, HUGE)).as("that of the other").isEqualTo(133 * 1024);
    assertThat(condition())
        .startsWith("False BlocksOverBuffer huge/f: a block read takes up to 33")
        .contains("\nno plan holds all of the tables' blocks: spec.regionServers.")
        .doesNotContain("large/f");
  }

  @Test
  void aDroppedTableStaysWhereThePlanIsMadeForIt() {
    bufferAfter(LARGE);
    assertThat(bufferAfter()).isEqualTo(133 * 1024);
  }

  @Test
  void aDroppedTableIsForgottenWhereThePlanIsTheSameWithoutIt() {
    bufferAfter(LARGE, HUGE);
    assertThat(bufferAfter(LARGE)).isEqualTo(133 * 1024);
    assertThat(cluster.getStatus().live().tables())
        .extracting(Table::name)
        .containsExactly("large/f");
    assertThat(condition()).startsWith("True");
  }

  @Test
  void clusterWithoutResponseChangesNothing() {
    bufferAfter(LARGE, HUGE);
    var before = cluster.getStatus();
    pass(Optional.empty());
    assertThat(cluster.getStatus()).isEqualTo(before);
  }

  @Test
  void onlyATableThatAPlanIsMadeForIsWhatServersAreDeclaredFor() {
    bufferAfter();
    var withNone = declared();
    bufferAfter(HUGE);
    assertThat(declared()).as("with one that no plan holds").isEqualTo(withNone);
    bufferAfter(LARGE, HUGE);
    var withLarge = declared();
    assertThat(withLarge).isNotEqualTo(withNone);
    bufferAfter(LARGE, HUGE, new TableBlocks("other/f", 98304, 0, 0, 4096));
    assertThat(cluster.getStatus().live().tables()).hasSize(3);
    assertThat(declared()).as("with a smaller one").isEqualTo(withLarge);
  }

  @Test
  void noTableIsDeclaredForWhereBlocksAreDeclared() {
    cluster.setSpec(cluster("{blockSize: 64Ki, cellSize: 1100}").getSpec());
    bufferAfter();
    var before = declared();
    bufferAfter(LARGE);
    assertThat(cluster.getStatus().live().tables()).hasSize(1);
    assertThat(declared()).isEqualTo(before);
  }

  private long bufferAfter(TableBlocks... families) {
    var plan = pass(Optional.of(new LiveTables(Arrays.asList(families), Set.of(), true)));
    return Long.parseLong(
        plan.groups().get(0).plan().hbaseSite().get("hbase.server.allocator.buffer.size"));
  }

  private ClusterPlan.Planned pass(Optional<LiveTables> tables) {
    var plans = new ObservedPlans(new Plans(), new ObservedTables(tables, 0)).of(cluster);
    var planned = (ClusterPlan.Planned) plans.result();
    var conditions = new Conditions(cluster, Clock.systemUTC());
    applied =
        Applied.of(
            new Plans(), cluster, planned.groups(), plans.live(), "hbase:1", ObservedImages.NONE);
    TableConditions.add(applied.state(), plans.refusal(), conditions);
    cluster.setStatus(status(conditions, plans.live()));
    return planned;
  }

  private String declared() {
    return applied.groups().get(0).declared();
  }

  private String condition() {
    var condition = cluster.getStatus().conditions().get(0);
    return condition.getStatus() + " " + condition.getReason() + " " + condition.getMessage();
  }

  private static HBaseClusterStatus status(Conditions conditions, Optional<LiveStatus> live) {
    return new HBaseClusterStatusBuilder()
        .observedGeneration(1L)
        .conditions(conditions.list())
        .regionServers(List.of())
        .live(live.orElse(null))
        .build();
  }

  private static HBaseCluster cluster(String hfile) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: demo, namespace: test, generation: 1}
        spec:
          zookeeper: {managed: {}}
          storage: {managed: {}}
          regionServers:
            memory: {heap: 8Gi, offHeap: 4Gi}
            hfile: %s
        """
            .formatted(hfile),
        HBaseCluster.class);
  }
}
