package io.offheap.hbase.operator.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code kubectl hbc} prints, as docs/kubectl-plugin.md has it: the real kubectl, the script
 * and the jar, on a real API server. Status, events and the operator's page are recorded, since the
 * model of HBase in the other tests has no regions to report and no hit ratio.
 */
@ExtendWith(ApiServer.class)
class PluginPageIT {
  private static final String PAGE = "kubectl-plugin.md";
  private static final String NAME = "demo";
  private static final Path RECORDED = Path.of("src", "test", "resources", "plugin");

  private KubernetesClient client;
  private Tool kubectl;
  private String namespace;

  @TempDir private Path folder;

  @BeforeEach
  void make(ApiServer.Running server, TestInfo test) throws IOException {
    client = server.client();
    namespace = server.createNamespace(test);
    client.resource(Clusters.smallest(namespace, NAME)).create();
    Plugin.makeArchive(server);
    // kubectl finds a plugin on the PATH by its name.
    Files.createSymbolicLink(
        folder.resolve("kubectl-hbc"), Path.of("src/plugin/kubectl-hbc").toAbsolutePath());
    kubectl = Tool.kubectl(server).with(folder);
  }

  @Test
  void statusIsOneScreen() throws IOException {
    var recorded =
        Serialization.unmarshal(Files.readString(RECORDED.resolve("status.yaml")), JsonNode.class);
    client
        .resources(HBaseCluster.class)
        .inNamespace(namespace)
        .withName(NAME)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\":" + Serialization.asJson(recorded.path("status")) + "}");
    createEvents(recorded.path("events"));

    new RecordedSection(PAGE, "## One screen").check(kubectl, namespace);
  }

  /** A second apart: those of one second have no order. */
  private void createEvents(JsonNode events) {
    var last = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    for (int i = 0; i < events.size(); i++) {
      client
          .v1()
          .events()
          .resource(
              new EventBuilder()
                  .withNewMetadata()
                  .withName(NAME + "." + i)
                  .withNamespace(namespace)
                  .endMetadata()
                  .withNewInvolvedObject()
                  .withKind("HBaseCluster")
                  .withName(NAME)
                  .withNamespace(namespace)
                  .endInvolvedObject()
                  .withType("Normal")
                  .withReason(events.get(i).path("reason").asText())
                  .withMessage(events.get(i).path("message").asText())
                  .withLastTimestamp(last.minusSeconds(events.size() - i).toString())
                  .build())
          .create();
    }
  }

  @Test
  void topHasNewestMetricsOfPage() throws IOException {
    ForwardingKubectl.createOperatorPods(client, namespace, "operator-a");
    var page = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    page.createContext(
        "/api/clusters/" + namespace + "/" + NAME + "/history",
        exchange -> {
          try (exchange) {
            var hour = Files.readAllBytes(RECORDED.resolve("hour.json"));
            exchange.sendResponseHeaders(200, hour.length);
            exchange.getResponseBody().write(hour);
          }
        });
    page.start();
    try {
      ForwardingKubectl.write(folder, page.getAddress().getPort(), folder.resolve("forwarded"));

      // Other tests have operators too.
      new RecordedSection(PAGE, "## top")
          .check(kubectl, namespace, "--operator-namespace", namespace);
    } finally {
      page.stop(0);
    }
  }
}
