package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** A resource that is made again, with fewer servers than have data. */
@ExtendWith(ApiServer.class)
@Tag("verify")
class KeptNodesIT {
  private static final String THREE =
      Clusters.SMALLEST
          .replace("zookeeper: {managed: {}}", "zookeeper: {managed: {replicas: 3}}")
          .replace("storage: {managed: {}}", "storage: {managed: {dataNodes: 3}}");
  private static final String FEWER_DATA_NODES = THREE.replace("dataNodes: 3", "dataNodes: 2");
  private static final String ANOTHER_ENSEMBLE = THREE.replace("replicas: 3}", "replicas: 1}");

  private WatchedNamespace hb;
  private KubernetesClient client;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws IOException {
    hb = WatchedNamespace.start(server, test);
    client = hb.client();
    hb.createReady("hb", THREE);
    hb.awaitQuiet();
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void fewerThanTheStatefulSetHasAreRefused() {
    orphan();
    var before = replicas();

    hb.create("hb", FEWER_DATA_NODES);
    awaitRefused(
        "spec.storage.managed.dataNodes: 2 is fewer than the 3 of StatefulSet hb-datanode",
        "must be at least 3",
        "scale that StatefulSet to 2 and delete the claim data-hb-datanode-2 first");
    hb.awaitQuiet();
    assertThat(replicas()).isEqualTo(before);

    hb.declare("hb", THREE);
    hb.awaitReady("hb");
  }

  @Test
  void anotherEnsembleThanTheStatefulSetIsIsRefused() {
    orphan();

    hb.create("hb", ANOTHER_ENSEMBLE);

    awaitRefused(
        "spec.zookeeper.managed.replicas: 1 is not the 3 of StatefulSet hb-zookeeper",
        "must be 3",
        "delete that StatefulSet and the claims data-hb-zookeeper-0 to data-hb-zookeeper-2 first");
  }

  /** The objects are deleted, and the claims are kept. */
  @Test
  void fewerThanTheClaimsAreRefused() {
    createClaims("data-hb-datanode-", 3);
    Clusters.deleteWithObjects(client, hb.name(), "hb");

    hb.create("hb", FEWER_DATA_NODES);
    awaitRefused(
        "spec.storage.managed.dataNodes: 2 is fewer than the 3 of claims up to data-hb-datanode-2",
        "must be at least 3",
        "delete the claim data-hb-datanode-2 first");

    deleteClaim("data-hb-datanode-2");
    hb.awaitReady("hb");
  }

  /** A number that was declared by mistake, and corrected before there was a volume. */
  @Test
  void rememberedNumberWithoutClaimsIsNotCompared() {
    assertThat(Clusters.remembered(client, hb.name(), "hb"))
        .contains("\"dataNodes\":3", "\"zookeeper\":3");
    Clusters.deleteWithObjects(client, hb.name(), "hb");

    hb.create("hb", FEWER_DATA_NODES.replace("replicas: 3", "replicas: 1"));

    hb.awaitReady("hb");
  }

  /** With {@code deleteClaim} of HDFS alone, the config map is deleted with the resource. */
  @Test
  void anotherEnsembleThanTheClaimsIsRefusedWithoutConfigMap() {
    createClaims("data-hb-zookeeper-", 3);
    Clusters.deleteWithObjects(client, hb.name(), "hb");
    client.configMaps().inNamespace(hb.name()).withName("hb-remembered").delete();

    hb.create("hb", ANOTHER_ENSEMBLE);

    awaitRefused(
        "spec.zookeeper.managed.replicas: 1 is fewer than the 3 of claims up to data-hb-zookeeper-2",
        "must be at least 3");
  }

  /** What runs is never refused, whatever claims there are. */
  @Test
  void wipedStatusOfResourceIsNotComparedWithClaims() throws IOException {
    hb.stopOperator();
    createClaims("data-hb-datanode-", 4);
    client.configMaps().inNamespace(hb.name()).withName("hb-remembered").delete();
    wipeStatus();

    hb.startOperator();

    hb.awaitReady("hb");
    assertThat(hb.condition("hb", "Planned").orElse("")).startsWith("True");
  }

  /** What runs is never refused for it. */
  @Test
  void wipedStatusOfAResourceIsRestored() {
    wipeStatus();

    await("a status").atMost(LONG).until(() -> hb.get("hb").getStatus() != null);
    hb.awaitReady("hb");
  }

  /** Like {@code kubectl delete --cascade=orphan} with a garbage collector. */
  private void orphan() {
    hb.stopOperator();
    var objects = Clusters.owned(client, hb.name());
    client.resource(hb.get("hb")).delete();
    await("deleted").atMost(LONG).until(() -> hb.get("hb") == null);
    objects.forEach(
        it ->
            Clusters.edit(
                client.resource(it), object -> object.getMetadata().setOwnerReferences(null)));
    try {
      hb.startOperator();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void wipeStatus() {
    client
        .resource(hb.get("hb"))
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":null}");
  }

  /** As the StatefulSet's controller does, and with a volume, as a provisioner does. */
  private void createClaims(String prefix, int count) {
    for (int i = 0; i < count; i++) {
      client
          .resource(
              new PersistentVolumeClaimBuilder()
                  .withNewMetadata()
                  .withName(prefix + i)
                  .withNamespace(hb.name())
                  .addToLabels("app.kubernetes.io/name", "hbase")
                  .addToLabels("app.kubernetes.io/instance", "hb")
                  .addToLabels("app.kubernetes.io/managed-by", "hbase-offheap-operator")
                  .addToLabels(
                      "app.kubernetes.io/component",
                      prefix.contains("datanode") ? "datanode" : "zookeeper")
                  .endMetadata()
                  .withNewSpec()
                  .withVolumeName("volume-of-" + prefix + i)
                  .withAccessModes("ReadWriteOnce")
                  .withNewResources()
                  .addToRequests("storage", new Quantity("1Gi"))
                  .endResources()
                  .endSpec()
                  .build())
          .create();
    }
  }

  private void deleteClaim(String name) {
    var claim = client.persistentVolumeClaims().inNamespace(hb.name()).withName(name);
    // The controller that would remove it does not run here.
    Clusters.edit(claim, it -> it.getMetadata().setFinalizers(List.of()));
    claim.delete();
  }

  private List<Integer> replicas() {
    return client.apps().statefulSets().inNamespace(hb.name()).list().getItems().stream()
        .map(it -> it.getSpec().getReplicas())
        .toList();
  }

  private void awaitRefused(String... words) {
    await("refused")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Planned"))
                    .hasValueSatisfying(
                        it -> assertThat(it).startsWith("False SpecRefused").contains(words)));
  }
}
