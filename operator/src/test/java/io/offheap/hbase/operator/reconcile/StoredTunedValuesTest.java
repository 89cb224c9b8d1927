package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.TuningStatus.GroupValues;
import io.offheap.hbase.operator.api.TuningStatus.Value;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.observe.ObservedTables;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Provenance;
import io.offheap.hbase.operator.plan.Target;
import io.offheap.hbase.operator.status.FittedPlans;
import io.offheap.hbase.operator.status.TuningStatuses;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Plans with the tuned values of a status that any writer may have written. */
class StoredTunedValuesTest {
  private static final String IHOP =
      "{key: InitiatingHeapOccupancyPercent, value: '60', rule: MarkingTooEarlyOrLate}";

  @Test
  void plansWithStoredValueAsItIsStored() {
    var fitted = fitted(cluster("Auto", IHOP));

    assertThat(ihop(fitted)).isEqualTo("tuned 60");
    assertThat(tuned(fitted))
        .containsExactly(
            new GroupValues(
                "",
                List.of(
                    new Value("InitiatingHeapOccupancyPercent", "60", "MarkingTooEarlyOrLate"))));
  }

  @Test
  void plansWithoutTextThatIsNoValue() {
    var fitted =
        fitted(
            cluster(
                "Auto",
                IHOP
                    + ", {key: G1NewSizePercent, value: many, rule: R}"
                    + ", {key: UseZGC, value: 'true', rule: R}"
                    + ", {key: SurvivorRatio, rule: R}"));

    assertThat(ihop(fitted)).isEqualTo("tuned 60");
    assertThat(tuned(fitted).get(0).values()).hasSize(1);
  }

  @Test
  void derivesWhereNoTextIsValue() {
    var fitted = fitted(cluster("Auto", IHOP.replace("60", "sixty")));

    assertThat(ihop(fitted)).startsWith("derived ");
    assertThat(fitted.live()).isEmpty();
  }

  @Test
  void firstOfTwoValuesAndOfTwoGroupsCounts() {
    var cluster = cluster("Auto", IHOP + ", " + IHOP.replace("60", "70"));
    var group = cluster.getStatus().tuning().groups().get(0);
    var twice =
        cluster(
            "Auto", IHOP + "]}\n    - {name: '', trials: 1, values: [" + IHOP.replace("60", "70"));

    assertThat(ihop(fitted(cluster))).isEqualTo("tuned 60");
    assertThat(ihop(fitted(twice))).isEqualTo("tuned 60");
    assertThat(TuningStatuses.states(twice)).hasSize(1).containsKey("");
    assertThat(TuningStatuses.read(group).tuned()).hasSize(1);
  }

  @Test
  void disabledTuningPlansWithoutStoredValues() {
    assertThat(ihop(fitted(cluster("Disabled", IHOP)))).startsWith("derived ");
  }

  private static FittedPlans fitted(HBaseCluster cluster) {
    return new ObservedPlans(new Plans(), new ObservedTables(Optional.empty(), 0)).of(cluster);
  }

  private static List<GroupValues> tuned(FittedPlans fitted) {
    return fitted.live().map(LiveStatus::tuned).orElseThrow();
  }

  private static String ihop(FittedPlans fitted) {
    var plan = ((ClusterPlan.Planned) fitted.result()).groups().get(0).plan();
    var setting = plan.setting(Target.JVM, JvmKeys.IHOP.name()).orElseThrow();
    assertThat(setting.provenance()).isIn(Provenance.TUNED, Provenance.DERIVED);
    return setting.provenance().text() + " " + setting.text();
  }

  private static HBaseCluster cluster(String mode, String values) {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: demo, namespace: test, generation: 1}
        spec:
          zookeeper: {managed: {}}
          storage: {managed: {}}
          tuning: {mode: %s}
          regionServers: {replicas: 3, memory: {heap: 8Gi, offHeap: 4Gi}}
        status:
          tuning:
            groups:
            - {name: '', trials: 1, values: [%s]}
        """
            .formatted(mode, values),
        HBaseCluster.class);
  }
}
