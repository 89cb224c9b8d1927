package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dry runs of pods to which the real API server does not respond, for a webhook that does not. */
@ExtendWith(ApiServer.class)
@Tag("verify")
class DryRunWithoutResponseIT {
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

  /** Without a response, a pod that was refused before stays refused. */
  @Test
  void refusedPodStaysRefusedWhileAWebhookDoesNotRespond(ApiServer.Running server)
      throws Exception {
    var uids = servers.uids();
    Quotas.full(server.client(), hb);
    // No master: the first dry run without a response is that of a region server's pod.
    servers.edit("heap: 1Gi", "heap: 2Gi");
    Quotas.awaitRefusal(hb);

    try (var webhook =
        SilentWebhook.start(server.client(), hb.resource().getMetadata().getNamespace())) {
      await("a dry run without a response").atMost(LONG).until(() -> webhook.calls() > 0);
      double passes = hb.operator().passes("success");
      await("passes without a response")
          .atMost(LONG)
          .until(() -> hb.operator().passes("success") > passes + 2);

      Quotas.awaitRefusal(hb);
      assertThat(servers.uids()).isEqualTo(uids);
      assertThat(servers.eventReasons()).doesNotContain("Draining");
      assertThat(hb.hbase().isBalancerOn()).isTrue();
    }
  }
}
