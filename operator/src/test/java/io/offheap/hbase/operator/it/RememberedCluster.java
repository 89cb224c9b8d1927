package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster with tuned values and an image that an older operator pinned, on a real API server. */
@ExtendWith(ApiServer.class)
abstract class RememberedCluster {
  static final String COUNT = "hbase.server.allocator.max.buffer.count";
  static final String PINNED = "hbase-offheap/hbase:0.0.9";
  static final String FOREIGN = "elsewhere/hbase:1";
  static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managed: {storage: {size: 1Gi, deleteClaim: false}}}
        masters: {replicas: 1}
        rollout: {canary: {enabled: false}}
        tuning: {mode: Recommend}
        regionServers:
          replicas: 2
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  KubernetesClient client;
  String namespace;
  ServingCluster hb;
  long tuned;

  /** The state after tuning and an older operator. */
  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    client = server.client();
    namespace = server.createNamespace(test);
    var cluster = Clusters.parse(RESOURCE, namespace, "hb");
    client.resource(cluster).create();
    var plans = (ClusterPlan.Planned) new Plans().of(cluster, ObservedInputs.NOTHING);
    tuned = Long.parseLong(plans.groups().get(0).plan().hbaseSite().get(COUNT)) - 8;
    patchStatus(
        """
        {"status": {"images": {"defaultImage": "IMAGE", "infrastructure": "IMAGE"},
         "tuning": {"groups": [{"name": "", "trials": 1, "rules": [], "history": [],
          "restarts": [],
          "values": [{"key": "KEY", "value": "VALUE", "rule": "PoolTooSmall"}]}]}}}
        """
            .replace("IMAGE", PINNED)
            .replace("KEY", COUNT)
            .replace("VALUE", Long.toString(tuned)));
    hb = ServingCluster.startOver(server, namespace);
    awaitRemembered();
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  void awaitRemembered() {
    await("a status").atMost(LONG).until(() -> hb.resource() != null && hb.status() != null);
    hb.awaitReady();
    assertThat(hb.status().images().defaultImage()).isEqualTo(PINNED);
    assertThat(isTuned()).isTrue();
    await("kept")
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(Clusters.remembered(client, namespace, "hb")).contains(PINNED, COUNT));
  }

  boolean isTuned() {
    return isPlannedAs("tuned") && planned(COUNT, "value").equals(Long.toString(tuned));
  }

  boolean isPlannedAs(String source) {
    return planned(COUNT, "source").equals(source);
  }

  private String planned(String key, String field) {
    return Clusters.planned(client, namespace, "hb", key)
        .map(it -> it.path(field).asText())
        .orElse("");
  }

  Set<String> images() {
    return hb.pods().stream()
        .map(it -> it.getSpec().getContainers().get(0).getImage())
        .collect(Collectors.toSet());
  }

  List<String> events() {
    return hb.events().stream().map(Event::getReason).toList();
  }

  void patchStatus(String merge) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(namespace)
        .withName("hb")
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  ConfigMap map() {
    return client.configMaps().inNamespace(namespace).withName("hb-remembered").get();
  }

  String text() {
    return Clusters.remembered(client, namespace, "hb");
  }

  void editMap(Consumer<ConfigMap> change) {
    Clusters.edit(client.resource(map()), change);
  }

  void awaitMap(String what, Consumer<ConfigMap> holds) {
    await(what)
        .atMost(LONG)
        .untilAsserted(
            () -> {
              var it = map();
              assertThat(it).isNotNull();
              holds.accept(it);
            });
  }
}
