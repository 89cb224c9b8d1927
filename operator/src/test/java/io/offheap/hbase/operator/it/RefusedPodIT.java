package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Restarts whose next pod the real API server would refuse: no server is drained for them. */
@ExtendWith(ApiServer.class)
class RefusedPodIT {
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
  void serverWithRefusedPodIsNotChanged(ApiServer.Running server) {
    var uids = servers.uids();
    var quota = Quotas.full(server.client(), hb);
    servers.setHeap("2Gi");

    Quotas.awaitRefusal(hb);
    await("event").atMost(LONG).until(() -> servers.eventReasons().contains("HeldBack"));
    assertThat(hb.hbase().isBalancerOn()).isTrue();
    assertThat(servers.uids()).isEqualTo(uids);

    server.client().resource(quota).delete();

    servers.awaitDone(uids);
    assertThat(hb.hbase().lost()).isEmpty();
  }

  /** The old pod's share of the quota becomes the new pod's. */
  @Test
  void fullQuotaPermitsRestartOfSameSize(ApiServer.Running server) {
    var uids = servers.uids();
    var quota = Quotas.full(server.client(), hb);
    hb.annotate("hbase.offheap.io/restartedAt", "2026-01-01T00:00:00Z");

    await("a server is restarted")
        .atMost(LONG)
        .until(() -> !servers.uids().values().containsAll(uids.values()));

    // The controller that would free its share does not run here.
    server.client().resource(quota).delete();
    servers.awaitDone(uids);
  }
}
