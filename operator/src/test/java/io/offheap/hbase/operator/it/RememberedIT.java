package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** State that outlives a resource and its status: tuned values and the pinned image. */
@Tag("verify")
class RememberedIT extends RememberedCluster {
  @Test
  void resourceDeletedAndAppliedAgainRestartsNothing() {
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
  void resourceDeletedWithObjectsIsRestored() {
    Clusters.deleteWithObjects(client, namespace, "hb");
    // The number of servers is not compared: an autoscaler may have set it.
    client
        .resource(Clusters.parse(RESOURCE.replace("replicas: 2", "replicas: 3"), namespace, "hb"))
        .create();

    awaitRemembered();
    assertThat(images()).containsExactly(PINNED);
  }

  @Test
  void restoresWipedStatus() throws Exception {
    var uids = hb.uids();

    hb.operator().close();
    patchStatus("{\"status\":null}");
    hb.startOperator();

    awaitRemembered();
    hb.awaitQuiet();
    assertThat(hb.uids()).isEqualTo(uids);
  }

  /** With tuning off, nothing else triggers a reconciliation. */
  @Test
  void restoresStatusWipedWhileOperatorRuns() {
    hb.declare(RESOURCE.replace("mode: Recommend", "mode: Disabled"));
    await("without tuned values").atMost(LONG).until(() -> !isTuned());
    // On a busy machine a running rollout may write nothing for a while.
    await("rolled out")
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(hb.condition("Progressing").orElse("")).startsWith("False Idle"));
    hb.awaitQuiet();
    var uids = hb.uids();

    patchStatus("{\"status\":null}");

    await("a status").atMost(LONG).until(() -> hb.status() != null);
    hb.awaitReady();
    hb.awaitQuiet();
    assertThat(hb.status().images().defaultImage()).isEqualTo(PINNED);
    assertThat(hb.uids()).isEqualTo(uids);
  }

  /** A refused resource's state is not remembered, though it is reconciled every few seconds. */
  @Test
  void refusedResourceReportsNoRememberedState() {
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
    var external = "{external: {rootDir: 'hdfs://elsewhere/hbase', configMapRefs: [{name: site}]}}";
    var managed = "{managed: {storage: {size: 1Gi, deleteClaim: false}}}";
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

  /** Its images stay: the volumes are the same. */
  @Test
  void anotherSpecIsPlannedWithoutIt() {
    var before = Clusters.remembered(client, namespace, "hb");
    Clusters.deleteWithObjects(client, namespace, "hb");
    client
        .resource(Clusters.parse(RESOURCE.replace("heap: 1Gi", "heap: 2Gi"), namespace, "hb"))
        .create();

    hb.awaitReady();
    assertThat(images()).containsExactly(PINNED);
    assertThat(isPlannedAs("tuned")).isFalse();
    assertThat(Clusters.remembered(client, namespace, "hb"))
        .isNotEqualTo(before)
        .contains(PINNED)
        .doesNotContain(COUNT);
    await("event").atMost(LONG).until(() -> events().contains("RememberedReplaced"));
  }
}
