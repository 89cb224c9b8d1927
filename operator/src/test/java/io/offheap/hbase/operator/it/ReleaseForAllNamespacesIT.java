package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A release of the chart for all namespaces. It has its own API server, since it reconciles every
 * cluster there.
 */
class ReleaseForAllNamespacesIT {
  private ApiServer.Running server;

  @BeforeEach
  void start() {
    server = ApiServer.startAnother();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void hasRightsThatAClusterNeeds() throws IOException {
    var account = new ServiceAccount("chart-all", "operator-all");
    var release = new Release(server, account);
    server.createNamespace(account.namespace());
    server.createNamespace("chart-all-clusters");
    Chart.install(server, account);

    release.assertClusterBecomesReady("chart-all-clusters");

    assertThat(release.isAllowed("list", "", "pods", null)).isTrue();
    assertThat(release.isAllowed("list", "hbase.offheap.io", "hbaseclusters", null)).isTrue();
    Chart.uninstall(server, account);
    await("rights are removed")
        .atMost(LONG)
        .until(() -> !release.isAllowed("list", "", "pods", null));
  }
}
