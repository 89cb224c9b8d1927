package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Scaling down region servers, on a real API server, with a model of HBase in its pods. */
@ExtendWith(ApiServer.class)
class ScaleDownIT {
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
  void drainsServersBeforeScaleDown() {
    servers.edit("replicas: 3", "replicas: 1");

    await("one server")
        .atMost(LONG)
        .until(() -> servers.serverPods().size() == 1 && hb.status().rollout() == null);
    assertThat(hb.hbase().lost()).isEmpty();
    assertThat(hb.hbase().regionsByPod()).containsOnlyKeys("hb-regionserver-0");
    assertThat(hb.hbase().regionsByPod().get("hb-regionserver-0")).hasSize(15);
    assertThat(hb.hbase().draining()).isEmpty();
    assertThat(hb.hbase().isBalancerOn()).isTrue();
  }
}
