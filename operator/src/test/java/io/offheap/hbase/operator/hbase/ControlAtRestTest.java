package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.Waits.LONG;
import static io.offheap.hbase.operator.hbase.ControlledHBase.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer.State;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.api.RolloutStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a cluster counts as one at rest, and what follows when it is not any more. */
class ControlAtRestTest {
  private static final Instant SETTLED = Instant.parse("2025-11-01T02:00:00Z");
  private static final RolloutStatus ROLLOUT =
      new RolloutStatus(
          SETTLED.toString(), null, null, null, List.of(), null, null, null, null, null);

  private static final List<RegionServer> SERVING =
      List.of(new RegionServer("rs-0", null, null, null, State.Serving));

  @Test
  void isAtRestWhileAllServersServeAndNothingRuns() {
    assertThat(restSince(status(State.Serving, null), Set.of())).hasValue(SETTLED);
  }

  @Test
  void isNotAtRestDuringARolloutOrWhileAServerDoesNotServe() {
    assertThat(restSince(status(State.Serving, ROLLOUT), Set.of())).isEmpty();
    assertThat(restSince(status(State.Serving, null), Set.of("rs-0"))).isEmpty();
    for (var state : State.values()) {
      if (state != State.Serving) {
        assertThat(restSince(status(state, null), Set.of())).as("%s", state).isEmpty();
      }
    }
  }

  /** A refused spec may have to restore what a rollout had taken, by new views alone. */
  @Test
  void isNotAtRestWithoutAnAppliedSpec() {
    assertThat(restSince(new HBaseClusterStatusBuilder().regionServers(SERVING).build(), Set.of()))
        .isEmpty();
  }

  @Test
  void isNotAtRestWhileACommandRuns() {
    assertThat(
            HBaseControl.restSince(
                cluster(status(State.Serving, null)), Set.of(), Optional.empty()))
        .isEmpty();
  }

  /** The period at rest is ten seconds, and a rollout's first step needs a view of its own. */
  @Test
  void endOfRestTriggersAView() {
    var master = new CountedMaster();
    var connections = new HBaseConnections((cluster, servers) -> master.connection());
    try (var clusters = new ControlledClusters(1, Duration.ofSeconds(1), connections)) {
      var id = clusters.add("hb", List.of("rs-0:16020"));
      soon(LONG).until(() -> clusters.view(id).isPresent());
      master.requests();

      clusters.update(id, status(State.Serving, ROLLOUT));

      var requests = new HashSet<String>();
      soon(Duration.ofSeconds(8))
          .untilAsserted(
              () -> {
                requests.addAll(master.requests().keySet());
                assertThat(requests).contains("getClusterMetrics", "isNormalizerEnabled");
              });
    }
  }

  private static Optional<Instant> restSince(HBaseClusterStatus status, Set<String> restarting) {
    return HBaseControl.restSince(cluster(status), restarting, Optional.of(SETTLED));
  }

  private static HBaseCluster cluster(HBaseClusterStatus status) {
    var cluster = new HBaseCluster();
    cluster.setStatus(status);
    return cluster;
  }

  private static HBaseClusterStatus status(State state, RolloutStatus rollout) {
    var server = new RegionServer("rs-0", null, null, null, state);
    return new HBaseClusterStatusBuilder()
        .appliedSpec(Serialization.unmarshal("{}", HBaseClusterSpec.class))
        .regionServers(List.of(server))
        .rollout(rollout)
        .build();
  }
}
