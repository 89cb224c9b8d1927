package io.offheap.hbase.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.observe.GroupReads;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** When the condition {@code CacheModeFits} is there, and what it says. */
class CacheModeConditionsTest {
  private static final long GIB = 1L << 30;
  private static final String HEAP_AND_OFF_HEAP = "memory: {heap: 4Gi, offHeap: 4Gi}";

  private static HBaseCluster cluster(String servers) {
    var cluster =
        new KubernetesSerialization()
            .unmarshal(
                """
                spec:
                  zookeeper: {managed: {}}
                  storage: {managed: {}}
                  regionServers:
                    %s
                """
                    .formatted(servers),
                HBaseCluster.class);
    cluster.setMetadata(new ObjectMetaBuilder().withName("hb").withGeneration(2L).build());
    return cluster;
  }

  private static final GroupReads NOTHING =
      new GroupReads(true, OptionalDouble.empty(), OptionalLong.empty());

  private static GroupReads reads(long files, OptionalDouble hitRatio) {
    return new GroupReads(true, hitRatio, OptionalLong.of(files));
  }

  private static Optional<Condition> condition(HBaseCluster cluster, GroupReads reads) {
    return condition(cluster, group -> reads);
  }

  private static Optional<Condition> condition(
      HBaseCluster cluster, Function<String, GroupReads> reads) {
    var plans = new Plans();
    var planned = (ClusterPlan.Planned) plans.of(cluster, ObservedInputs.NOTHING);
    var applied =
        new AppliedState(
            planned.groups(), List.of(), Optional.empty(), new Images("a:1", "a:1"), List.of());
    var conditions = new Conditions(cluster, Clock.systemUTC());
    CacheModeConditions.add(plans, applied, reads, conditions);
    return conditions.list().stream().findFirst();
  }

  @Test
  void isAbsentWhereNothingIsKnown() {
    assertThat(condition(cluster(HEAP_AND_OFF_HEAP), NOTHING)).isEmpty();
    assertThat(condition(cluster(HEAP_AND_OFF_HEAP), reads(8 * GIB, OptionalDouble.empty())))
        .as("store files are no working set")
        .isEmpty();
  }

  @Test
  void namesTheModeThatFits() {
    var condition =
        condition(cluster(HEAP_AND_OFF_HEAP), reads(2 * GIB, OptionalDouble.of(1))).orElseThrow();

    assertThat(condition.getType()).isEqualTo("CacheModeFits");
    assertThat(condition.getStatus()).isEqualTo("True");
    assertThat(condition.getReason()).isEqualTo("ModeFits");
    assertThat(condition.getMessage()).startsWith("OffHeap, as declared: it finds 100 %");
  }

  @Test
  void namesAnotherModeWithItsReason() {
    var servers = HEAP_AND_OFF_HEAP + "\n    blockCache: {mode: Lru}";
    var condition =
        condition(cluster(servers), reads(8 * GIB, OptionalDouble.of(0.2))).orElseThrow();

    assertThat(condition.getStatus()).isEqualTo("False");
    assertThat(condition.getReason()).isEqualTo("OtherModeAdvised");
    assertThat(condition.getMessage()).startsWith("OffHeap in place of Lru: it finds ");
  }

  /** HBase looks for a block that it misses a second time. */
  @Test
  void missesBehindABucketCacheCountOnce() {
    var offHeap = condition(cluster(HEAP_AND_OFF_HEAP), reads(8 * GIB, OptionalDouble.of(0.8)));

    assertThat(offHeap.orElseThrow().getMessage()).contains("it finds 89 % of the reads");
  }

  @Test
  void aDeclaredWorkingSetIsEnough() {
    var condition =
        condition(cluster("memory: {limit: 8Gi, workingSet: 2Gi}"), NOTHING).orElseThrow();

    assertThat(condition.getStatus()).isEqualTo("True");
    assertThat(condition.getMessage()).contains("it finds 100 % of the reads");
  }

  @Test
  void withoutCachedDataOnlyADeclaredWorkingSetCounts() {
    var mode = "\n    blockCache: {mode: MetaOnly}";
    var declared = cluster("memory: {limit: 8Gi, workingSet: 2Gi}" + mode);

    assertThat(condition(declared, NOTHING).orElseThrow().getMessage())
        .startsWith("OffHeap in place of MetaOnly: it finds 100 %");
    assertThat(condition(cluster(HEAP_AND_OFF_HEAP + mode), reads(GIB, OptionalDouble.empty())))
        .isEmpty();
  }

  @Test
  void aGroupWithoutReadsDoesNotKeepTheOther() {
    var cluster =
        cluster(HEAP_AND_OFF_HEAP + "\n  regionServerGroups: [{name: idle, replicas: 1}]");
    var before = condition(cluster, of("", reads(8 * GIB, OptionalDouble.of(1)))).orElseThrow();
    cluster.setStatus(new HBaseClusterStatusBuilder().conditions(List.of(before)).build());

    var now = condition(cluster, of("", reads(8 * GIB, OptionalDouble.of(0.5)))).orElseThrow();
    assertThat(now.getMessage()).contains("it finds 67 % of the reads");
    assertThat(condition(cluster, of("idle", NOTHING))).contains(before);
  }

  private static Function<String, GroupReads> of(String group, GroupReads reads) {
    return name -> name.equals(group) ? reads : NOTHING;
  }

  @Test
  void isAbsentWhereTheCacheIsDisabled() {
    var servers = HEAP_AND_OFF_HEAP + "\n    blockCache: {mode: Disabled}";

    assertThat(condition(cluster(servers), reads(GIB, OptionalDouble.of(0.5)))).isEmpty();
  }

  @Test
  void isKeptUntilServersAreKnownAgain() {
    var cluster = cluster(HEAP_AND_OFF_HEAP);
    var before =
        new ConditionBuilder()
            .withType("CacheModeFits")
            .withStatus("True")
            .withObservedGeneration(2L)
            .build();
    cluster.setStatus(new HBaseClusterStatusBuilder().conditions(List.of(before)).build());

    assertThat(condition(cluster, NOTHING)).contains(before);
    cluster.getMetadata().setGeneration(3L);
    assertThat(condition(cluster, NOTHING)).as("another spec").isEmpty();
  }

  @Test
  void isKeptThoughAWorkingSetIsDeclared() {
    var cluster = cluster("memory: {limit: 8Gi, workingSet: 80Gi}");
    var known = condition(cluster, reads(GIB, OptionalDouble.of(0.9))).orElseThrow();
    cluster.setStatus(new HBaseClusterStatusBuilder().conditions(List.of(known)).build());

    assertThat(condition(cluster, NOTHING)).as("after a restart of the operator").contains(known);
  }

  @Test
  void isAbsentWhileServersRunAnotherPlan() {
    var cluster = cluster(HEAP_AND_OFF_HEAP);
    var known = condition(cluster, reads(GIB, OptionalDouble.of(0.9))).orElseThrow();
    cluster.setStatus(new HBaseClusterStatusBuilder().conditions(List.of(known)).build());

    assertThat(
            condition(cluster, new GroupReads(false, OptionalDouble.of(0.9), OptionalLong.of(GIB))))
        .isEmpty();
  }
}
