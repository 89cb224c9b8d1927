package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.observe.RestartScope;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the declared rules of restarts permit. */
class RolloutSnapshotsTest {
  @ParameterizedTest
  @CsvSource({
    "false, 01:59:59, NOT_READY",
    "false, 02:00:00, ALL",
    "false, 03:00:00, NOT_READY",
    "true, 01:59:59, NONE",
    "true, 02:00:00, NONE"
  })
  void permitsRestartsByPauseAndWindow(boolean isPaused, String time, RestartScope scope) {
    var cluster =
        Serialization.unmarshal(
            """
            apiVersion: hbase.offheap.io/v1alpha1
            kind: HBaseCluster
            metadata: {name: hb, namespace: ns}
            spec:
              zookeeper: {managed: {}}
              storage: {managed: {}}
              regionServers: {replicas: 3, memory: {heap: 1Gi, offHeap: 512Mi}}
              rollout: {paused: %s, windows: [{start: "02:00", duration: 1h, timeZone: UTC}]}
            """
                .formatted(isPaused),
            HBaseCluster.class);

    assertThat(RolloutSnapshots.scope(cluster, Instant.parse("2026-01-01T" + time + "Z")))
        .isEqualTo(scope);
  }
}
