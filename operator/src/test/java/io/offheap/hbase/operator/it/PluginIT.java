package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.Labels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code kubectl hbc}: the script, the real kubectl, a real API server. */
@ExtendWith(ApiServer.class)
class PluginIT {
  private KubernetesClient client;
  private Tool plugin;
  private String namespace;

  @TempDir private Path folder;

  @BeforeEach
  void make(ApiServer.Running server, TestInfo test) throws IOException {
    client = server.client();
    namespace = server.createNamespace(test);
    plugin = Tool.script(Path.of("src/plugin/kubectl-hbc"), server);
    client.resource(Clusters.smallest(namespace, "hb")).create();
  }

  private Tool.Result hbc(String... arguments) throws IOException {
    var all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--namespace", namespace));
    return plugin.run(all);
  }

  private HBaseCluster cluster() {
    return client.resources(HBaseCluster.class).inNamespace(namespace).withName("hb").get();
  }

  @Test
  void showsStatusAndPlan() throws IOException {
    assertThat(hbc("status", "hb").orThrow())
        .startsWith(namespace + "/hb  not ready")
        .contains("none: no operator has read this resource");
    assertThat(hbc("status", "hb", "-o", "json").orThrow()).contains("\"name\" : \"hb\"");
    assertThat(hbc("plan", "hb").orThrow()).contains("hbase.bucketcache.size", "= container");
    assertThat(hbc("explain", "Xmx", "hb").orThrow()).contains("what would change it");
    var more = hbc("what-if", "hb", "--set", "spec.regionServers.handlers=60");
    assertThat(more.status()).isEqualTo(1);
    assertThat(more.output()).contains("hbase.regionserver.handler.count");
  }

  @Test
  void pausesResumesAndRestarts() throws IOException {
    hbc("pause", "hb").orThrow();
    assertThat(cluster().getMetadata().getAnnotations()).containsEntry(Labels.PAUSED, "true");

    hbc("resume", "hb").orThrow();
    hbc("restart", "hb").orThrow();
    hbc("tuning", "hb", "approve", "a1b2").orThrow();

    assertThat(cluster().getMetadata().getAnnotations())
        .doesNotContainKey(Labels.PAUSED)
        .containsEntry(Labels.APPLY_TUNING, "a1b2")
        .containsKey(Labels.RESTARTED_AT);
  }

  @Test
  void refusesInvalidCommandsWithoutChange() throws IOException {
    var before = cluster().getMetadata().getResourceVersion();

    assertThat(hbc("rollback", "hb", "--yes").errors()).contains("hb has no status.lastGood");
    assertThat(hbc("restart", "hb", "other-regionserver-0").errors()).contains("must be one of hb");
    assertThat(hbc("pause").errors()).contains("NAME of an HBaseCluster is missing");
    assertThat(hbc("purge", "hb").errors()).contains("'purge' must be one of status, plan");
    assertThat(hbc("status", "missing").status()).isNotZero();

    assertThat(cluster().getMetadata().getResourceVersion()).isEqualTo(before);
  }

  @Test
  void setsSpecToLastGoodOne() throws IOException {
    rollsBack("{\"lastGood\":{\"spec\":SPEC}}");
  }

  @Test
  void setsSpecToAppliedOneIfLastGood() throws IOException {
    rollsBack("{\"lastGood\":{\"applied\":true},\"appliedSpec\":SPEC}");
  }

  private void rollsBack(String status) throws IOException {
    var good = cluster();
    var merge = PatchContext.of(PatchType.JSON_MERGE);
    client.resource(good).patch(merge, "{\"spec\":{\"image\":{\"tag\":\"good\"}}}");
    var declared = cluster().getSpec();
    client
        .resource(good)
        .patch(
            merge, "{\"spec\":{\"image\":{\"tag\":\"bad\"},\"regionServers\":{\"handlers\":60}}}");
    var text =
        "{\"image\":{\"tag\":\"good\"},\"json\":"
            + Serialization.asJson(Serialization.asJson(good.getSpec()))
            + "}";
    client
        .resources(HBaseCluster.class)
        .inNamespace(namespace)
        .withName("hb")
        .subresource("status")
        .patch(merge, "{\"status\":" + status.replace("SPEC", text) + "}");
    assertThat(hbc("rollback", "hb").status()).as("without --yes").isEqualTo(2);
    assertThat(cluster().getSpec().regionServers().handlers()).isEqualTo(60);

    hbc("rollback", "hb", "--yes").orThrow();

    assertThat(cluster().getSpec()).isEqualTo(declared);
  }

  /** No pod runs here, so kubectl's error names the pod. */
  @Test
  void pageConnectsToLeader() throws IOException {
    for (var pod : List.of("operator-a", "operator-b")) {
      client
          .resource(
              new PodBuilder()
                  .withNewMetadata()
                  .withName(pod)
                  .withNamespace(namespace)
                  .addToLabels("app.kubernetes.io/name", "hbase-offheap-operator")
                  .addToLabels("app.kubernetes.io/component", "operator")
                  .endMetadata()
                  .withNewSpec()
                  .addNewContainer()
                  .withName("operator")
                  .withImage("none")
                  .endContainer()
                  .endSpec()
                  .build())
          .create();
    }
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

    var page = hbc("page", "--operator-namespace", namespace, "--port", "0");

    assertThat(page.output()).contains("clusters of pod operator-b until");
    assertThat(page.errors()).contains("pod is not running");
    assertThat(hbc("page", "--port", "x").errors()).contains("--port 'x' must be a number");
  }

  @Test
  void reportsWithoutSecrets() throws IOException, InterruptedException {
    var file = folder.resolve("report.tar.gz");

    hbc("report", "hb", file.toString()).orThrow();

    var listing = new ProcessBuilder("tar", "-tzf", file.toString()).start();
    var names = new String(listing.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(listing.waitFor()).isZero();
    assertThat(names)
        .contains("./hbasecluster.json", "./status.txt", "./plan.txt", "./objects.yaml");
    assertThat(Files.size(file)).isPositive();
  }
}
