package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatusGroupBuilder;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.ServerGroups;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanResult;
import io.offheap.hbase.operator.status.TuningStatuses;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningStep;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a process that has just started makes of the tuning that status has. */
class TuningPassTest {
  private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");
  private static final TuningSpec SPEC = tuning("10m");

  private static TuningSpec tuning(String window) {
    return Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {managed: {}}
              storage: {managed: {}}
              regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
              tuning: {window: WINDOW}
            """
                .replace("WINDOW", window),
            HBaseCluster.class)
        .getSpec()
        .tuning();
  }

  private static boolean isKept(Activity before, Activity now, Duration age) {
    return TuningPass.isToCome(
        Map.of("", step(now)), status(before), SPEC, STARTED, STARTED.plus(age));
  }

  private static TuningStep step(Activity activity) {
    return new TuningStep(TuningState.EMPTY, activity, "for people", List.of(), List.of());
  }

  private static TuningStatus status(Activity activity) {
    return TuningStatuses.of(Map.of("", step(activity)));
  }

  @ParameterizedTest
  @CsvSource({"10s, 5", "5m, 75", "10m, 150", "1h, 150"})
  void evaluatesTheRulesFourTimesPerWindowWithinBounds(String window, long seconds) {
    assertThat(TuningPass.period(tuning(window))).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void keepsStatusUntilItsFirstWindowIsFull() {
    assertThat(isKept(Activity.WATCHING, Activity.GATHERING, Duration.ZERO)).isTrue();
    assertThat(isKept(Activity.WATCHING, Activity.GATHERING, Duration.ofMinutes(11))).isTrue();
    assertThat(isKept(Activity.WATCHING, Activity.GATHERING, Duration.ofMinutes(13))).isFalse();
  }

  @Test
  void reportsWhatItDecides() {
    assertThat(isKept(Activity.WATCHING, Activity.WAITING_FOR_ROLLOUT, Duration.ZERO)).isFalse();
  }

  @Test
  void reportsThatNoChangeIsRolledBackAnyMore() {
    assertThat(isKept(Activity.WAITING_FOR_SPEC, Activity.GATHERING, Duration.ZERO)).isFalse();
  }

  @Test
  void reportsThatTheRolloutIsOver() {
    assertThat(isKept(Activity.WAITING_FOR_ROLLOUT, Activity.GATHERING, Duration.ZERO)).isFalse();
  }

  /** An older version, or what is remembered beside status, has no reason. */
  @Test
  void keepsStatusWithoutReason() {
    var group = TuningStatusGroupBuilder.builder(status(Activity.WATCHING).groups().get(0));
    var before = new TuningStatus(List.of(group.reason(null).build()));

    assertThat(
            TuningPass.isToCome(
                Map.of("", step(Activity.GATHERING)), before, SPEC, STARTED, STARTED))
        .isTrue();
  }

  @Test
  void reportsTheFirstStateOfCluster() {
    assertThat(
            TuningPass.isToCome(Map.of("", step(Activity.GATHERING)), null, SPEC, STARTED, STARTED))
        .isFalse();
  }

  /** A profile's values win over tuned ones in the plan: a change would have no effect. */
  @ParameterizedTest
  @CsvSource({
    "Xiaomi, SurvivorRatio",
    "Xiaomi, G1NewSizePercent",
    "HBase-21879, hbase.server.allocator.max.buffer.count",
    "HBase-21879, hbase.server.allocator.buffer.size"
  })
  void valuesOfProfileAreDeclared(String profile, String key) {
    assertThat(TuningPass.declared(plan("profile: " + profile))).contains(key);
    assertThat(TuningPass.declared(plan("replicas: 3"))).doesNotContain(key);
  }

  private static MemoryPlan plan(String field) {
    var spec =
        Serialization.unmarshal(
                """
                apiVersion: hbase.offheap.io/v1alpha1
                kind: HBaseCluster
                spec:
                  regionServers:
                    memory: {heap: 50Gi, offHeap: 50Gi}
                    resources: {limits: {cpu: "24"}}
                    FIELD
                """
                    .replace("FIELD", field),
                HBaseCluster.class)
            .getSpec();
    var result = new Plans().of(ServerGroups.of(spec).get(0), ObservedInputs.NOTHING);
    return ((PlanResult.Planned) result).plan();
  }
}
