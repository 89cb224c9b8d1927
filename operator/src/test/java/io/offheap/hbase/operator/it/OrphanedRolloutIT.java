package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A resource that is deleted in the middle of a rollout without its objects, and created again, on
 * a real API server, with a model of HBase in its pods.
 */
@ExtendWith(ApiServer.class)
@Tag("verify")
class OrphanedRolloutIT {
  private static final String TAKEN = "\"balancer\":true";

  private ApiServer.Running server;
  private String namespace;
  private ServingCluster hb;
  private RolledServers servers;

  @BeforeEach
  void start(ApiServer.Running running, TestInfo test) throws Exception {
    server = running;
    namespace = server.createNamespace(test);
    hb = ServingCluster.start(server, namespace, RolledServers.RESOURCE);
    servers = new RolledServers(hb);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void restoresSwitchesAndRegionsOfOrphanedRollout() throws Exception {
    var before = servers.planHashes();
    hb.simulator()
        .letBecomeReady(
            pod -> !RolledServers.isServer(pod) || before.contains(RolledServers.plan(pod)));
    servers.edit("heap: 1Gi", "heap: 2Gi");
    await("a server that starts")
        .atMost(LONG)
        .until(
            () ->
                hb.status().rollout() != null
                    && hb.status().rollout().servers().stream()
                        .anyMatch(it -> it.step().equals("Start")));
    assertThat(hb.hbase().isBalancerOn()).isFalse();
    assertThat(hb.hbase().draining()).isNotEmpty();

    hb.operator().close();
    orphan();
    var client = server.client();
    client.resource(Clusters.parse(RolledServers.RESOURCE, namespace, "hb")).create();
    hb.simulator().letBecomeReady(pod -> true);
    hb.startOperator();

    await("switches and regions restored")
        .atMost(LONG)
        .untilAsserted(
            () -> {
              assertThat(hb.hbase().draining()).isEmpty();
              assertThat(hb.hbase().isBalancerOn()).isTrue();
              assertThat(hb.hbase().isNormalizerOn()).isFalse();
              assertThat(servers.planHashes()).isEqualTo(before);
            });
    await("the rollout's end").atMost(LONG).until(() -> hb.status().rollout() == null);
    assertThat(hb.hbase().lost()).isEmpty();
    await("nothing kept")
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(Clusters.remembered(client, namespace, "hb")).doesNotContain(TAKEN));
  }

  /** Like {@code kubectl delete --cascade=orphan} with a garbage collector. */
  private void orphan() {
    var client = server.client();
    List<HasMetadata> objects = Clusters.owned(client, namespace);
    assertThat(Clusters.remembered(client, namespace, "hb")).contains(TAKEN);
    client.resource(hb.resource()).delete();
    await("deleted").atMost(LONG).until(() -> hb.resource() == null);
    for (HasMetadata object : objects) {
      Clusters.edit(client.resource(object), it -> it.getMetadata().setOwnerReferences(null));
    }
  }
}
