package io.offheap.hbase.operator.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.Labels;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link PluginIT}'s commands that change a resource or restart its pods. */
@ExtendWith(ApiServer.class)
class PluginChangesIT {
  private KubernetesClient client;
  private Plugin plugin;
  private String namespace;

  @BeforeEach
  void make(ApiServer.Running server, TestInfo test) throws IOException {
    client = server.client();
    namespace = server.createNamespace(test);
    plugin = Plugin.of(server, namespace);
    client.resource(Clusters.smallest(namespace, "hb")).create();
  }

  private Tool.Result hbc(String... arguments) throws IOException {
    return plugin.run(arguments);
  }

  private HBaseCluster cluster() {
    return client.resources(HBaseCluster.class).inNamespace(namespace).withName("hb").get();
  }

  @Test
  void pausesResumesAndRestarts() throws IOException {
    hbc("pause", "hb").orThrow();
    assertThat(cluster().getMetadata().getAnnotations()).containsEntry(Labels.PAUSED, "true");

    hbc("resume", "hb").orThrow();
    hbc("restart", "hb").orThrow();
    hbc("tuning", "hb", "approve", "a1b2").orThrow();
    hbc("tuning", "hb", "dismiss", "c3d4").orThrow();

    assertThat(cluster().getMetadata().getAnnotations())
        .doesNotContainKey(Labels.PAUSED)
        .containsEntry(Labels.APPLY_TUNING, "a1b2")
        .containsEntry(Labels.DISMISS_TUNING, "c3d4")
        .containsKey(Labels.RESTARTED_AT);
  }

  /** Another cluster's name may begin with this one's, and a master has no rollout of its own. */
  @Test
  void restartsRegionServersOfTheClusterAlone() throws IOException {
    for (var pod :
        List.of(
            pod("hb-regionserver-0", "hb", "regionserver"),
            pod("hb-b-regionserver-0", "hb-b", "regionserver"),
            pod("hb-master-0", "hb", "master"))) {
      client.resource(pod).create();
    }

    hbc("restart", "hb", "hb-regionserver-0").orThrow();
    for (var other : List.of("hb-b-regionserver-0", "hb-master-0")) {
      assertThat(hbc("restart", "hb", other).errors())
          .contains("restart: pod '" + other + "' must be a region server of hb");
    }

    assertThat(client.pods().inNamespace(namespace).list().getItems())
        .filteredOn(it -> it.getMetadata().getAnnotations().containsKey(Labels.RESTART))
        .extracting(it -> it.getMetadata().getName())
        .containsExactly("hb-regionserver-0");
  }

  private Pod pod(String name, String cluster, String role) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .withLabels(Map.of(Labels.INSTANCE, cluster, Labels.COMPONENT, role))
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName(role)
        .withImage("none")
        .endContainer()
        .endSpec()
        .build();
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
}
