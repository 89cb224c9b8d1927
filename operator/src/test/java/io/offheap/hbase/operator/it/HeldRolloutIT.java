package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Rollouts that must wait, on a real API server, with a model of HBase in its pods. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class HeldRolloutIT {
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
  void pauseHoldsNextServerAndRestoresSwitches() {
    var uids = servers.uids();
    hb.annotate("hbase.offheap.io/paused", "true");
    servers.setHeap("2Gi");

    await("held back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Progressing"))
                    .hasValueSatisfying(
                        it -> assertThat(it).contains("WaitingToRestart: the cluster is paused")));
    await("event").atMost(LONG).until(() -> servers.eventReasons().contains("HeldBack"));
    assertThat(hb.hbase().isBalancerOn()).isTrue();
    assertThat(servers.uids()).isEqualTo(uids);

    hb.annotate("hbase.offheap.io/paused", "false");

    servers.awaitDone(uids);
  }

  @Test
  void touchesNoServerWhileHBaseDoesNotRespond() {
    var uids = servers.uids();
    hb.hbase().setResponding(false);
    servers.setHeap("2Gi");

    await("held back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Progressing"))
                    .hasValueSatisfying(it -> assertThat(it).contains("HBase does not respond")));
    assertThat(servers.uids()).isEqualTo(uids);

    hb.hbase().setResponding(true);

    servers.awaitDone(uids);
    assertThat(hb.hbase().lost()).isEmpty();
  }
}
