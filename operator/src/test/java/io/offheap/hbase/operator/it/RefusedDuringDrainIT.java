package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server whose next pod the real API server refuses only when it is being drained. */
@ExtendWith(ApiServer.class)
@Tag("verify")
class RefusedDuringDrainIT {
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

  /** A drain may take long, and the quota be filled meanwhile. */
  @Test
  void serverWhoseNextPodIsRefusedDuringItsDrainServesOn(ApiServer.Running server)
      throws Exception {
    var regions = hb.hbase().regionsByPod();
    var uids = servers.uids();
    var cut = new CutAtSteps();
    hb.operator().close();
    hb.startOperator(cut);
    servers.setHeap("2Gi");
    await("a server to drain").atMost(LONG).until(cut::isCut);
    assertThat(cut.steps()).contains("hb-regionserver-2 Drain");
    hb.operator().close();
    var quota = Quotas.full(server.client(), hb);

    hb.startOperator();

    Quotas.awaitRefusal(hb);
    await("drained, and not stopped")
        .atMost(LONG)
        .until(() -> servers.eventReasons().containsAll(Set.of("Stopping", "Returning")));
    await("over").atMost(LONG).until(() -> hb.status().rollout() == null);
    assertThat(servers.uids()).isEqualTo(uids);
    assertThat(hb.hbase().regionsByPod()).isEqualTo(regions);
    assertThat(hb.hbase().draining()).isEmpty();
    assertThat(hb.hbase().isBalancerOn()).isTrue();

    server.client().resource(quota).delete();
    servers.awaitDone(uids);
    assertThat(hb.hbase().lost()).isEmpty();
  }
}
