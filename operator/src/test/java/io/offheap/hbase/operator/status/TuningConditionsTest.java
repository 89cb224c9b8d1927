package io.offheap.hbase.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningStep;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import io.offheap.hbase.operator.tune.TuningStep.Suspicion;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When the condition {@code Tuned} is there. */
class TuningConditionsTest {
  private static final TuningState TUNED =
      TuningState.of(List.of(new Tuned(TunedKey.IHOP, 40, "MarkingTooEarlyOrLate")));

  private final HBaseCluster cluster = cluster();

  private static HBaseCluster cluster() {
    var cluster =
        new KubernetesSerialization()
            .unmarshal(
                """
                spec:
                  zookeeper: {managed: {}}
                  storage: {managed: {}}
                  regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
                  tuning: {mode: Auto}
                """,
                HBaseCluster.class);
    cluster.setMetadata(new ObjectMetaBuilder().withName("hb").withGeneration(1L).build());
    return cluster;
  }

  private List<Condition> conditions(Map<String, TuningStep> steps) {
    var conditions = new Conditions(cluster, Clock.systemUTC());
    TuningConditions.add(
        cluster,
        steps,
        new AppliedState(
            List.of(), List.of(), Optional.empty(), new Images("hbase:1", "hbase:1"), List.of()),
        conditions);
    return conditions.list();
  }

  private static TuningStep step(TuningState state, Activity activity, Suspicion... suspicions) {
    return new TuningStep(state, activity, "for people", List.of(), List.of(suspicions));
  }

  private static Map<String, TuningStep> of(TuningStep step) {
    return Map.of("", step);
  }

  /** The condition Progressing has what the cluster waits for. */
  @Test
  void isAbsentUntilServersHaveStarted() {
    var waiting = step(TuningState.EMPTY, Activity.WAITING_FOR_ROLLOUT);

    assertThat(conditions(of(waiting))).isEmpty();
    assertThat(conditions(Map.of("", waiting, "big", waiting))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Activity.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"DISABLED", "WAITING_FOR_ROLLOUT"})
  void isThereForEveryOtherActivity(Activity activity) {
    var step = step(TuningState.EMPTY, activity);

    assertThat(conditions(of(step))).hasSize(1);
    assertThat(
            conditions(
                Map.of("", step(TuningState.EMPTY, Activity.WAITING_FOR_ROLLOUT), "big", step)))
        .hasSize(1);
  }

  @Test
  void isThereWhereTuningHasDoneSomething() {
    assertThat(conditions(of(step(TUNED, Activity.WAITING_FOR_ROLLOUT)))).hasSize(1);
    assertThat(
            conditions(
                of(
                    step(
                        TuningState.EMPTY,
                        Activity.WAITING_FOR_ROLLOUT,
                        new Suspicion("Rule", "why")))))
        .hasSize(1);
  }

  /** A later rollout does not remove it: a condition that comes and goes is of no use to a wait. */
  @Test
  void staysDuringARollout() {
    cluster.setStatus(
        new HBaseClusterStatusBuilder()
            .observedGeneration(1L)
            .conditions(conditions(of(step(TuningState.EMPTY, Activity.WATCHING))))
            .build());

    assertThat(conditions(of(step(TuningState.EMPTY, Activity.WAITING_FOR_ROLLOUT)))).hasSize(1);
  }
}
