package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.PlanSetting;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Declarations;
import io.offheap.hbase.operator.declare.Live;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What outlives a resource and its status: tuned values and the pinned image, on a real API server.
 */
@ExtendWith(ApiServer.class)
class RememberedIT {
  private static final String COUNT = "hbase.server.allocator.max.buffer.count";
  private static final String PINNED = "hbase-offheap/hbase:0.0.9";
  private static final String FOREIGN = "elsewhere/hbase:1";
  private static final String RESOURCE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managedHdfs: {storage: {size: 1Gi, deleteClaim: false}}}
        masters: {replicas: 1}
        rollout: {canary: {enabled: false}}
        tuning: {mode: Recommend}
        regionServers:
          replicas: 2
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private KubernetesClient client;
  private String namespace;
  private ServingCluster hb;
  private long tuned;

  /** As tuning and an older operator have left it. */
  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    client = server.client();
    namespace = server.createNamespace(test);
    var cluster = Clusters.parse(RESOURCE, namespace, "hb");
    client.resource(cluster).create();
    var plans = (ClusterPlan.Planned) Declarations.plans(cluster, Live.NOTHING);
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

  @Test
  void aResourceDeletedAndAppliedAtOnceRestartsNothing() {
    var uids = hb.uids();
    var first = hb.resource().getMetadata().getUid();

    client.resource(hb.resource()).delete();
    client.resource(Clusters.parse(RESOURCE, namespace, "hb")).create();

    awaitRemembered();
    assertThat(hb.resource().getMetadata().getUid()).isNotEqualTo(first);
    assertThat(hb.uids()).isEqualTo(uids);
    await("event").atMost(LONG).until(() -> events().contains("RememberedUsed"));
    assertThat(events()).doesNotContain("RememberedIgnored");
    hb.awaitQuiet();
    assertThat(hb.uids()).isEqualTo(uids);
  }

  @Test
  void aResourceDeletedWithItsObjectsIsMadeAgainAsItWas() {
    Clusters.deleteWithObjects(client, namespace, "hb");
    // Another number of servers is no other spec: an autoscaler may have set it.
    client
        .resource(Clusters.parse(RESOURCE.replace("replicas: 2", "replicas: 3"), namespace, "hb"))
        .create();

    awaitRemembered();
    assertThat(images()).containsExactly(PINNED);
  }

  @Test
  void aWipedStatusIsAsBefore() throws Exception {
    var uids = hb.uids();

    hb.operator().close();
    patchStatus("{\"status\":null}");
    hb.startOperator();

    awaitRemembered();
    hb.awaitQuiet();
    assertThat(hb.uids()).isEqualTo(uids);
  }

  /** Nothing else wakes a pass where tuning is off. */
  @Test
  void aStatusWipedWhileTheOperatorRunsIsAsBefore() {
    hb.declare(RESOURCE.replace("mode: Recommend", "mode: \"Off\""));
    await("without tuned values").atMost(LONG).until(() -> !isTuned());
    hb.awaitReady();
    hb.awaitQuiet();
    var uids = hb.uids();

    patchStatus("{\"status\":null}");

    await("a status").atMost(LONG).until(() -> hb.status() != null);
    hb.awaitReady();
    hb.awaitQuiet();
    assertThat(hb.status().images().defaultImage()).isEqualTo(PINNED);
    assertThat(hb.uids()).isEqualTo(uids);
  }

  /** Of a resource that is refused nothing is kept, and it is looked at every few seconds. */
  @Test
  void aRefusedResourceSaysNothingOfWhatIsRemembered() {
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("second-remembered")
                .withNamespace(namespace)
                .withLabels(map().getMetadata().getLabels())
                .addToLabels("app.kubernetes.io/instance", "second")
                .endMetadata()
                .withData(Map.of("remembered.json", "{\"version\":2}"))
                .build())
        .create();
    var external = "{external: {rootDir: 'hdfs://elsewhere/hbase', configMapRefs: [site]}}";
    var managed = "{managedHdfs: {storage: {size: 1Gi, deleteClaim: false}}}";
    client
        .resource(Clusters.parse(RESOURCE.replace(managed, external), namespace, "second"))
        .create();

    await("refused")
        .atMost(LONG)
        .until(
            () ->
                Clusters.condition(Clusters.get(client, namespace, "second"), "Planned")
                    .filter(it -> it.contains("ConfigurationMissing"))
                    .isPresent());
    assertThat(events()).doesNotContain("RememberedIgnored");

    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("site")
                .withNamespace(namespace)
                .endMetadata()
                .build())
        .create();
    await("event").atMost(LONG).until(() -> events().contains("RememberedIgnored"));
  }

  @Test
  void anotherSpecIsNotPlannedWithIt() {
    var before = Clusters.remembered(client, namespace, "hb");
    Clusters.deleteWithObjects(client, namespace, "hb");
    client
        .resource(Clusters.parse(RESOURCE.replace("heap: 1Gi", "heap: 2Gi"), namespace, "hb"))
        .create();

    hb.awaitReady();
    assertThat(images()).doesNotContain(PINNED);
    assertThat(setting().source()).isNotEqualTo("tuned");
    assertThat(Clusters.remembered(client, namespace, "hb"))
        .isNotEqualTo(before)
        .doesNotContain(PINNED);
    await("event").atMost(LONG).until(() -> events().contains("RememberedReplaced"));
  }

  @Test
  void anImageThatNobodyCouldDeclareIsNotRun() throws Exception {
    hb.operator().close();
    editMap(it -> it.getData().replaceAll((key, text) -> text.replace(PINNED, FOREIGN)));
    patchStatus("{\"status\":null}");
    hb.startOperator();

    await("tuned").atMost(LONG).until(() -> hb.status() != null && isTuned());
    await("event").atMost(LONG).until(() -> events().contains("RememberedIgnored"));
    hb.awaitReady();
    assertThat(images()).doesNotContain(FOREIGN);
    assertThat(hb.status().images().defaultImage()).isNotEqualTo(FOREIGN);
    assertThat(Clusters.remembered(client, namespace, "hb")).doesNotContain(FOREIGN);
  }

  @Test
  void aTextThatIsNoneIsSaidAndWrittenAnew() throws Exception {
    hb.operator().close();
    editMap(it -> it.getData().replaceAll((key, text) -> "{\"version\":2}"));
    patchStatus("{\"status\":null}");
    hb.startOperator();

    await("event").atMost(LONG).until(() -> events().contains("RememberedIgnored"));
    await("written anew")
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(text()).contains("\"version\":1", "\"images\"").doesNotContain(COUNT));
    hb.awaitReady();
  }

  @Test
  void whoeverDeletesOrChangesItHasItBack() {
    hb.awaitQuiet();
    var before = Clusters.remembered(client, namespace, "hb");
    assertThat(before).contains("\"images\"");

    client.resource(map()).delete();
    awaitMap("made again", it -> assertThat(text()).isEqualTo(before));

    editMap(it -> it.setData(Map.of("remembered.json", "{}")));
    awaitMap("corrected", it -> assertThat(text()).isEqualTo(before));

    editMap(it -> it.setImmutable(true));
    hb.declare(RESOURCE.replace("mode: Recommend", "mode: \"Off\""));
    awaitMap(
        "replaced",
        it -> {
          assertThat(it.getImmutable()).isNull();
          assertThat(text()).isNotEqualTo(before).contains("\"images\"");
        });
  }

  @Test
  void itIsDeletedWithTheDataWhereThatIsDeclared() {
    assertThat(map().getMetadata().getOwnerReferences()).isEmpty();

    hb.declare(RESOURCE.replace("deleteClaim: false", "deleteClaim: true"));
    awaitMap(
        "owned",
        it ->
            assertThat(it.getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid)
                .containsExactly(hb.resource().getMetadata().getUid()));

    hb.declare(RESOURCE);
    awaitMap("kept", it -> assertThat(it.getMetadata().getOwnerReferences()).isEmpty());
    assertThat(map().getMetadata().getLabels())
        .containsEntry("app.kubernetes.io/managed-by", "hbase-offheap-operator");
  }

  @Test
  void aConfigMapOfSomebodyElseIsLeftAlone() {
    var other =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("second-remembered")
            .withNamespace(namespace)
            .endMetadata()
            .withData(Map.of("theirs", "1"))
            .build();
    client.resource(other).create();
    client.resource(Clusters.parse(RESOURCE, namespace, "second")).create();

    await("said")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(
                        Clusters.condition(
                            Clusters.get(client, namespace, "second"), "Progressing"))
                    .hasValueSatisfying(
                        it -> assertThat(it).contains("Failing", "second-remembered")));
    Clusters.awaitReady(client, namespace, "second");
    assertThat(client.resource(other).get().getData()).isEqualTo(Map.of("theirs", "1"));
  }

  private void awaitRemembered() {
    await("a status").atMost(LONG).until(() -> hb.resource() != null && hb.status() != null);
    hb.awaitReady();
    assertThat(hb.status().images().defaultImage()).isEqualTo(PINNED);
    assertThat(isTuned()).isTrue();
    await("kept")
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(Clusters.remembered(client, namespace, "hb")).contains(PINNED, COUNT));
  }

  private boolean isTuned() {
    return setting().source().equals("tuned") && setting().value().equals(Long.toString(tuned));
  }

  private PlanSetting setting() {
    var plan = hb.status().memoryPlan();
    return plan == null
        ? new PlanSetting("", COUNT, "", "", "")
        : plan.settings().stream().filter(it -> it.key().equals(COUNT)).findFirst().orElseThrow();
  }

  private Set<String> images() {
    return hb.pods().stream()
        .map(it -> it.getSpec().getContainers().get(0).getImage())
        .collect(Collectors.toSet());
  }

  private List<String> events() {
    return hb.events().stream().map(Event::getReason).toList();
  }

  private void patchStatus(String merge) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(namespace)
        .withName("hb")
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  private ConfigMap map() {
    return client.configMaps().inNamespace(namespace).withName("hb-remembered").get();
  }

  private String text() {
    return Clusters.remembered(client, namespace, "hb");
  }

  private void editMap(Consumer<ConfigMap> change) {
    Clusters.edit(client.resource(map()), change);
  }

  private void awaitMap(String what, Consumer<ConfigMap> holds) {
    await(what)
        .atMost(LONG)
        .untilAsserted(
            () -> {
              assertThat(map()).isNotNull();
              holds.accept(map());
            });
  }
}
