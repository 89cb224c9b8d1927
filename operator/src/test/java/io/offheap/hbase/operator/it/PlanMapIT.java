package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The config map with the full plan, when it is deleted or changed from outside. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
class PlanMapIT {
  private KubernetesClient client;
  private Tool kubectl;
  private WatchedNamespace hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    kubectl = Tool.kubectl(server);
    hb = WatchedNamespace.start(server, test);
    client = hb.client();
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  private Resource<ConfigMap> map() {
    return client.configMaps().inNamespace(hb.name()).withName("hb-plan");
  }

  private String text() {
    var map = map().get();
    return map == null ? "" : map.getData().getOrDefault("plan.yaml", "");
  }

  @Test
  void restoresDeletedOrChangedPlanMapAndWritesNothingAtRest() {
    hb.createReady("hb", Clusters.SMALLEST);
    hb.awaitQuiet();
    var before = text();
    var plan = hb.get("hb").getStatus().memoryPlan();
    assertThat(before).contains("hash: " + plan.hash(), "key: hbase.bucketcache.size", "reason:");
    assertThat(map().get().getMetadata().getOwnerReferences())
        .as("it is deleted with the resource")
        .extracting(it -> it.getUid())
        .containsExactly(hb.get("hb").getMetadata().getUid());

    map().delete();
    await("created again").atMost(LONG).until(() -> text().equals(before));

    Clusters.edit(map(), it -> it.setData(Map.of("plan.yaml", "hash: none")));
    await("restored").atMost(LONG).until(() -> text().equals(before));

    hb.awaitQuiet();
    var version = map().get().getMetadata().getResourceVersion();
    hb.declare("hb", Clusters.SMALLEST.replace("memory:", "replicas: 4\n    memory:"));
    await("scaled").atMost(LONG).until(() -> hb.get("hb").getStatus().replicas() == 4);
    hb.awaitQuiet();
    assertThat(map().get().getMetadata().getResourceVersion()).isEqualTo(version);
  }

  /** Compared with what others have added, it would be written in each pass. */
  @Test
  void ownersThatOthersAddAreKept() {
    hb.createReady("hb", Clusters.SMALLEST);
    var theirs =
        client
            .resource(
                new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName("theirs")
                    .withNamespace(hb.name())
                    .endMetadata()
                    .build())
            .create();
    hb.awaitQuiet();
    var before = text();
    var writes = hb.writes();
    double passes = hb.operator().passes("success");

    Clusters.edit(
        map(),
        it -> {
          var owners = new ArrayList<>(it.getMetadata().getOwnerReferences());
          owners.get(0).setBlockOwnerDeletion(true);
          owners.add(
              new OwnerReferenceBuilder()
                  .withApiVersion("v1")
                  .withKind("ConfigMap")
                  .withName("theirs")
                  .withUid(theirs.getMetadata().getUid())
                  .build());
          it.getMetadata().setOwnerReferences(owners);
        });
    await("a pass").atMost(LONG).until(() -> hb.operator().passes("success") > passes);
    hb.awaitQuiet();

    assertThat(hb.writes()).isEqualTo(writes);
    assertThat(map().get().getMetadata().getOwnerReferences()).hasSize(2);

    hb.declare("hb", Clusters.SMALLEST.replace("heap: 1Gi", "heap: 2Gi"));
    await("the new plan").atMost(LONG).until(() -> !text().equals(before));
    assertThat(map().get().getMetadata().getOwnerReferences()).hasSize(2);
  }

  @Test
  void keepsForeignConfigMapAndClusterServes() {
    var other =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("hb-plan")
            .withNamespace(hb.name())
            .endMetadata()
            .withData(Map.of("theirs", "1"))
            .build();
    client.resource(other).create();

    hb.create("hb", Clusters.SMALLEST);

    await("reported")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("hb", "Progressing"))
                    .hasValueSatisfying(
                        it -> assertThat(it).contains("Failing", "config map hb-plan")));
    hb.awaitReady("hb");
    assertThat(map().get().getData()).isEqualTo(Map.of("theirs", "1"));

    map().delete();
    await("written").atMost(LONG).until(() -> text().contains("hbase.bucketcache.size"));
    await("no failure")
        .atMost(LONG)
        .until(() -> hb.condition("hb", "Progressing").orElse("").startsWith("False Idle"));
  }

  /** Created as a person does: a Java client would send each default of the spec with it. */
  @Test
  void describeFitsAScreenAndAHalf(@TempDir Path folder) throws Exception {
    var file = folder.resolve("hb.yaml");
    Files.writeString(
        file, Clusters.SMALLEST.replace("NAMESPACE", hb.name()).replace("NAME", "hb"));
    kubectl.run("create", "--filename", file.toString()).orThrow();
    hb.awaitReady("hb");
    hb.awaitQuiet();

    var lines =
        kubectl.run("describe", "hbc", "hb", "--namespace", hb.name()).orThrow().lines().toList();

    assertThat(lines).hasSizeLessThan(105).noneMatch(it -> it.length() > 4000);
  }
}
