package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Restarts whose next pod the real API server would refuse. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
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

  /** A quota of exactly the pods' limits, without room for more memory. */
  private ResourceQuota fullQuota(ApiServer.Running server) {
    var namespace = hb.resource().getMetadata().getNamespace();
    var pods = server.client().pods().inNamespace(namespace).list().getItems();
    var memory =
        pods.stream()
            .flatMap(it -> it.getSpec().getContainers().stream())
            .map(it -> it.getResources().getLimits().get("memory"))
            .map(Quantity::getAmountInBytes)
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    var full =
        Map.of(
            "limits.memory",
            new Quantity(memory.toPlainString()),
            "pods",
            new Quantity(Integer.toString(pods.size())));
    return Quotas.make(server.client(), namespace, full, full);
  }

  private void awaitRefusal() {
    await("held back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Progressing"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .contains(
                                    "WaitingToRestart: the API server refuses the pod that would"
                                        + " follow: hb-regionserver-",
                                    "exceeded quota: bound, requested: limits.memory=")));
  }

  @Test
  void serverWithRefusedPodIsNotChanged(ApiServer.Running server) {
    var uids = servers.uids();
    var quota = fullQuota(server);
    servers.setHeap("2Gi");

    awaitRefusal();
    await("event").atMost(LONG).until(() -> servers.eventReasons().contains("HeldBack"));
    assertThat(hb.hbase().isBalancerOn()).isTrue();
    assertThat(servers.uids()).isEqualTo(uids);

    server.client().resource(quota).delete();

    servers.awaitDone(uids);
    assertThat(hb.hbase().lost()).isEmpty();
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
    var quota = fullQuota(server);

    hb.startOperator();

    awaitRefusal();
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

  /** Without a response, a pod that was refused before stays refused. */
  @Test
  void refusedPodStaysRefusedWhileAWebhookDoesNotRespond(ApiServer.Running server)
      throws Exception {
    var uids = servers.uids();
    fullQuota(server);
    servers.setHeap("2Gi");
    awaitRefusal();

    try (var webhook =
        SilentWebhook.start(server.client(), hb.resource().getMetadata().getNamespace())) {
      // Of a master's pod, and half a minute later of a region server's.
      await("dry runs without a response").atMost(LONG).until(() -> webhook.calls() > 1);
      double passes = hb.operator().passes("success");
      await("passes without a response")
          .atMost(LONG)
          .until(() -> hb.operator().passes("success") > passes + 2);

      awaitRefusal();
      assertThat(servers.uids()).isEqualTo(uids);
      assertThat(servers.eventReasons()).doesNotContain("Draining");
      assertThat(hb.hbase().isBalancerOn()).isTrue();
    }
  }

  /** The old pod's share of the quota becomes the new pod's. */
  @Test
  void fullQuotaPermitsRestartOfSameSize(ApiServer.Running server) {
    var uids = servers.uids();
    var quota = fullQuota(server);
    hb.annotate("hbase.offheap.io/restartedAt", "2026-01-01T00:00:00Z");

    await("a server is restarted")
        .atMost(LONG)
        .until(() -> !servers.uids().values().containsAll(uids.values()));

    // The controller that would free its share does not run here.
    server.client().resource(quota).delete();
    servers.awaitDone(uids);
  }
}
