package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.deploy.ConfigMapDigests;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;

/** The operator restores its objects within a second after any change from outside. */
@ExtendWith(ApiServer.class)
@Isolated("a second is little on a busy machine")
class PutBackIT {
  private static final Duration PUT_BACK = Duration.ofSeconds(1);

  private KubernetesClient client;
  private String namespace;
  private WatchedNamespace hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = WatchedNamespace.start(server, test);
    client = hb.client();
    namespace = hb.name();
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void restoresDeletedOrChangedObjectsWithinASecond() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();

    var configMap = hb.configMapOf("hb-regionserver");
    for (HasMetadata object :
        List.of(
            client.configMaps().inNamespace(namespace).withName(configMap).get(),
            client.services().inNamespace(namespace).withName("hb-master").get(),
            client.apps().statefulSets().inNamespace(namespace).withName("hb-regionserver").get(),
            client
                .policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(namespace)
                .withName("hb-regionserver")
                .get())) {
      var uid = object.getMetadata().getUid();
      client.resource(object).delete();
      await(object.getKind() + " put back")
          .atMost(PUT_BACK)
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                var again = client.resource(object).get();
                return again != null && !again.getMetadata().getUid().equals(uid);
              });
    }

    var set = client.apps().statefulSets().inNamespace(namespace).withName("hb-regionserver");
    var image = set.get().getSpec().getTemplate().getSpec().getContainers().get(0).getImage();
    Clusters.edit(
        set, it -> it.getSpec().getTemplate().getSpec().getContainers().get(0).setImage("other:1"));
    await("image restored")
        .atMost(PUT_BACK)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                set.get()
                    .getSpec()
                    .getTemplate()
                    .getSpec()
                    .getContainers()
                    .get(0)
                    .getImage()
                    .equals(image));
    var online = client.configMaps().inNamespace(namespace).withName("hb-regionserver-online");
    var data = online.get().getData();
    for (var changed :
        List.of(Map.<String, String>of(), Map.of("other", "1"), ConfigMapDigests.of(data))) {
      Clusters.edit(online, it -> it.setData(changed));
      await("config map restored")
          .atMost(PUT_BACK)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> online.get().getData().entrySet().containsAll(data.entrySet()));
    }
    // Surplus pods count until they are drained.
    hb.simulator().close();
    set.scale(7);
    await("scale restored")
        .atMost(PUT_BACK)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> set.get().getSpec().getReplicas() == 3);
  }

  @Test
  void impossiblePlanKeepsLastGoodOneMaintained() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();
    var good = hb.get("hb").getStatus().memoryPlan();
    var configMap = hb.configMapOf("hb-regionserver");
    Set<String> versions = Clusters.versions(client, namespace);

    edit("offHeap: 512Mi", "offHeap: 64Mi");

    await("refusal")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Planned"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .startsWith("False PlanRefused")
                                .contains("spec.regionServers.memory.offHeap")
                                .contains("64Mi")
                                .contains("must be")));
    hb.awaitQuiet();
    assertThat(Clusters.versions(client, namespace))
        .as("objects and their versions")
        .isEqualTo(versions);
    assertThat(hb.get("hb").getStatus().memoryPlan()).isEqualTo(good);

    client.configMaps().inNamespace(namespace).withName(configMap).delete();
    await("configuration restored from the last good plan")
        .atMost(PUT_BACK)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> client.configMaps().inNamespace(namespace).withName(configMap).get() != null);
  }

  private void edit(String from, String to) {
    hb.declare("hb", Clusters.SMALLEST.replace(from, to));
  }
}
