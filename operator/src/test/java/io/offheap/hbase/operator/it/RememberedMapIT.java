package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The remembered map, when it is deleted or changed from outside. */
@Tag("verify")
class RememberedMapIT extends RememberedCluster {
  @Test
  void doesNotRunImageThatCannotBeDeclared() throws Exception {
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
  void reportsAndReplacesInvalidText() throws Exception {
    hb.operator().close();
    editMap(it -> it.getData().replaceAll((key, text) -> "{\"version\":2}"));
    patchStatus("{\"status\":null}");
    hb.startOperator();

    await("event").atMost(LONG).until(() -> events().contains("RememberedIgnored"));
    await("replaced")
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(text()).contains("\"version\":1", "\"images\"").doesNotContain(COUNT));
    hb.awaitReady();
  }

  @Test
  void restoresDeletedOrChangedMap() {
    hb.awaitQuiet();
    var before = Clusters.remembered(client, namespace, "hb");
    assertThat(before).contains("\"images\"");

    client.resource(map()).delete();
    awaitMap("made again", it -> assertThat(text()).isEqualTo(before));

    editMap(it -> it.setData(Map.of("remembered.json", "{}")));
    awaitMap("corrected", it -> assertThat(text()).isEqualTo(before));

    editMap(it -> it.setImmutable(true));
    hb.declare(RESOURCE.replace("mode: Recommend", "mode: Disabled"));
    awaitMap(
        "replaced",
        it -> {
          assertThat(it.getImmutable()).isNull();
          assertThat(text()).isNotEqualTo(before).contains("\"images\"");
        });
  }

  @Test
  void isDeletedWithTheDataIfDeclared() {
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

  /** It would be deleted with the resource; applying leaves what another writer has set too. */
  @Test
  void ownerThatOthersSetIsRemoved() {
    var cluster = hb.resource();
    hb.awaitQuiet();
    var before = text();

    editMap(
        it ->
            it.getMetadata()
                .setOwnerReferences(
                    List.of(
                        new OwnerReferenceBuilder()
                            .withApiVersion(cluster.getApiVersion())
                            .withKind(cluster.getKind())
                            .withName("hb")
                            .withUid(cluster.getMetadata().getUid())
                            .build())));

    awaitMap("kept", it -> assertThat(it.getMetadata().getOwnerReferences()).isEmpty());
    hb.awaitQuiet();
    assertThat(text()).isEqualTo(before);
  }

  @Test
  void doesNotChangeForeignConfigMap() {
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

    await("event of the foreign map")
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
}
