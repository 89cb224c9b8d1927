package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.status.TuningStatuses;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningStep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a process that has just started makes of the tuning that status has. */
class TuningPassTest {
  private static final Instant STARTED = Instant.parse("2026-01-01T00:00:00Z");
  private static final String WAITS = "waits until every server runs the plan";
  private static final TuningSpec SPEC =
      Serialization.unmarshal(
              """
              apiVersion: hbase.offheap.io/v1alpha1
              kind: HBaseCluster
              metadata: {name: hb, namespace: ns}
              spec:
                zookeeper: {managed: {}}
                storage: {managed: {}}
                regionServers: {memory: {heap: 1Gi, offHeap: 512Mi}}
                tuning: {window: 10m}
              """,
              HBaseCluster.class)
          .getSpec()
          .tuning();

  private static boolean isKept(String before, String now, Duration age) {
    return TuningPass.isToCome(
        Map.of("", step(now)), status(before), SPEC, STARTED, STARTED.plus(age));
  }

  private static TuningStep step(String message) {
    return new TuningStep(
        TuningState.EMPTY, message, message.startsWith("gathers"), List.of(), List.of());
  }

  private static TuningStatus status(String message) {
    return TuningStatuses.of(Map.of("", step(message)));
  }

  @Test
  void keepsStatusUntilItsFirstWindowIsFull() {
    var judged = "finds nothing to change";
    var gathers = "gathers evidence of 10 min";

    assertThat(isKept(judged, gathers, Duration.ZERO)).isTrue();
    assertThat(isKept(judged, gathers, Duration.ofMinutes(11))).isTrue();
    assertThat(isKept(judged, gathers, Duration.ofMinutes(13))).isFalse();
  }

  @Test
  void reportsWhatItDecides() {
    assertThat(isKept("finds nothing to change", WAITS, Duration.ZERO)).isFalse();
  }

  @Test
  void reportsThatNoChangeIsRolledBackAnyMore() {
    var waits = "waits for another spec, since the declared change was rolled back";

    assertThat(isKept(waits, "gathers evidence of 10 min", Duration.ZERO)).isFalse();
  }

  @Test
  void reportsThatTheRolloutIsOver() {
    assertThat(isKept(WAITS, "gathers evidence of 10 min", Duration.ZERO)).isFalse();
  }

  @Test
  void reportsTheFirstStateOfCluster() {
    assertThat(
            TuningPass.isToCome(
                Map.of("", step("gathers evidence of 10 min")), null, SPEC, STARTED, STARTED))
        .isFalse();
  }
}
