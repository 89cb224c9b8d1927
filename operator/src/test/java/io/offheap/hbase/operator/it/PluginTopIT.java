package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code kubectl hbc page} and {@code top}, which reach the operator's page. */
@ExtendWith(ApiServer.class)
class PluginTopIT {
  private KubernetesClient client;
  private Plugin plugin;
  private String namespace;

  @TempDir private Path folder;

  @BeforeEach
  void make(ApiServer.Running server, TestInfo test) throws IOException {
    client = server.client();
    namespace = server.createNamespace(test);
    plugin = Plugin.of(server, namespace);
    client.resource(Clusters.smallest(namespace, "hb")).create();
  }

  /** No pod runs here, so kubectl's error names the pod. */
  @Test
  void pageConnectsToLeader() throws IOException {
    ForwardingKubectl.createOperatorPods(client, namespace, "operator-a", "operator-b");
    client
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withName("operator")
                .withNamespace(namespace)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity("operator-b_1f2e")
                .endSpec()
                .build())
        .create();

    var page = plugin.run("page", "--operator-namespace", namespace, "--port", "0");

    assertThat(page.output()).contains("clusters of pod operator-b until");
    assertThat(page.errors()).contains("pod is not running");
    assertThat(plugin.run("page", "--port", "x").errors()).contains("--port 'x' must be a number");
  }

  /** The operator's page, as `kubectl hbc page` forwards it. */
  @Test
  void topReadsTheOperatorsPage(ApiServer.Running server) throws IOException {
    try (var operator = OperatorUnderTest.start(server, namespace)) {
      var port = Integer.toString(operator.pagePort());

      assertThat(plugin.run("top", "hb", "--port", port).orThrow())
          .isEqualTo("no region server has reported since this operator leads\n");
      assertThat(plugin.run("top", "hb", "--port", port, "-o", "json").orThrow().strip())
          .isEqualTo("[ ]");
      assertThat(plugin.run("top", "missing", "--port", port).errors())
          .contains("\"missing\" not found");
    }
    assertThat(plugin.run("top", "hb", "--operator-namespace", namespace).errors())
        .contains("top: no pod has the labels app.kubernetes.io/name=hbase-offheap-operator");
  }

  @Test
  void topForwardsThePageForAsLongAsItRuns(ApiServer.Running server) throws IOException {
    ForwardingKubectl.createOperatorPods(client, namespace, "operator-a");
    var forwarded = folder.resolve("forwarded");
    try (var operator = OperatorUnderTest.start(server, namespace)) {
      ForwardingKubectl.write(folder, operator.pagePort(), forwarded);

      var top = plugin.with(folder).run("top", "hb", "--operator-namespace", namespace);

      assertThat(top.orThrow()).startsWith("no region server has reported");
    }
    var pidAndArguments = Files.readString(forwarded).strip().split(" ", 2);
    assertThat(pidAndArguments[1])
        .endsWith("port-forward -n " + namespace + " --address 127.0.0.1 pod/operator-a :8083");
    await("forward ended")
        .atMost(LONG)
        .until(() -> !ProcessHandle.of(Long.parseLong(pidAndArguments[0])).isPresent());
  }

  @Test
  void topReportsWhyThePageCannotBeReached() throws IOException {
    ForwardingKubectl.createOperatorPods(client, namespace, "operator-a");

    var top = plugin.run("top", "hb", "--operator-namespace", namespace);

    assertThat(top.status()).isEqualTo(2);
    assertThat(top.errors())
        .contains("top: the page of pod operator-a cannot be reached: ", "pod is not running");
  }
}
