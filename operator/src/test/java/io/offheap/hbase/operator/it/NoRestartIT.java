package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Changes that restart no server, on a real API server, with a model of HBase in its pods. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
@Tag("verify")
class NoRestartIT {
  private KubernetesClient client;
  private ServingCluster hb;
  private RolledServers servers;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    client = server.client();
    hb = ServingCluster.start(server, server.createNamespace(test), RolledServers.RESOURCE);
    servers = new RolledServers(hb);
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void changeWithoutRestartRestartsNothing() {
    var uids = servers.uids();

    servers.edit(
        "heap: 1Gi",
        "heap: 1024Mi",
        "window: 1s}",
        "window: 2s}, drainTimeout: 1h, maxUnavailable: 2");

    await("observed")
        .atMost(LONG)
        .until(() -> hb.status().appliedSpec().rollout().maxUnavailable() == 2);
    hb.awaitQuiet();
    assertThat(servers.uids()).isEqualTo(uids);
    assertThat(hb.status().rollout()).isNull();
  }

  /** Another version of the operator makes other templates of the same spec. */
  @Test
  void anotherOperatorVersionRestartsNothing() throws Exception {
    var uids = servers.uids();
    hb.operator().close();
    hb.pods().forEach(this::setOtherTemplateHash);

    hb.startOperator();

    await("a reconciliation").atMost(LONG).until(() -> hb.operator().passes("success") > 0);
    hb.awaitQuiet();
    assertThat(servers.uids()).isEqualTo(uids);
    // A changed spec still reaches the pods.
    servers.setHeap("2Gi");
    servers.awaitDone(uids);
  }

  private void setOtherTemplateHash(Pod pod) {
    client
        .resource(pod)
        .edit(
            it -> {
              it.getMetadata().getAnnotations().put("hbase.offheap.io/template-hash", "earlier");
              return it;
            });
  }
}
