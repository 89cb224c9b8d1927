package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.offheap.hbase.operator.api.RolloutStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Rollouts on a real API server, with a model of HBase in its pods. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class RestartsIT {
  private ServingCluster hb;
  private RolledServers servers;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = ServingCluster.start(server, server.createNamespace(test), RolledServers.RESOURCE);
    servers = new RolledServers(hb);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void changeIsRolledOutAndSwitchesAreRestored() {
    var regions = hb.hbase().regionsByPod();
    var uids = servers.uids();

    servers.setHeap("2Gi");

    servers.awaitDone(uids);
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(hb.hbase().regionsByPod()).isEqualTo(regions);
    assertThat(hb.hbase().isBalancerOn()).isTrue();
    assertThat(hb.hbase().isNormalizerOn()).isFalse();
    assertThat(hb.hbase().draining()).isEmpty();
    assertThat(hb.status().lastRollout().servers())
        .extracting(RolloutStatus.FinishedServer::pod)
        .containsExactly("hb-regionserver-0", "hb-regionserver-1", "hb-regionserver-2");
    // The last event is sent after the status that ended the wait.
    await("events")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(servers.eventReasons())
                    .contains(
                        "RolloutStarted",
                        "Draining",
                        "Stopping",
                        "Starting",
                        "Returning",
                        "ServerDone",
                        "CanaryStarted",
                        "CanaryEnded",
                        "RolloutFinished"));
  }

  @Test
  void annotationRequestsRestart() {
    var uids = servers.uids();

    hb.annotate("hbase.offheap.io/restartedAt", "2026-01-01T00:00:00Z");

    servers.awaitDone(uids);
    assertThat(hb.hbase().lost()).isEmpty();
  }
}
