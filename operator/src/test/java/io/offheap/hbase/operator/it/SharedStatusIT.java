package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** Others write to a status, as a person who edits it or a tool that restores a backup with it. */
@ExtendWith(ApiServer.class)
@Tag("verify")
class SharedStatusIT {
  private static final String TUNING =
      """
      {"status": {"tuning": {"groups": [
        {"name": "", "reason": "Disabled", "message": "is disabled", "values": [], "rules": [],
         "history": [], "restarts": [], "trials": 0, "trial": %s}]}}}
      """;

  private static final String OUTSIDE =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {external: {quorum: "zk:2181"}}
        storage: {external: {rootDir: "hdfs://ns/hbase"}}
        regionServers:
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  private WatchedNamespace hb;

  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    hb = WatchedNamespace.start(server, test);
    hb.createReady("hb", Clusters.SMALLEST + "  tuning: {mode: Disabled}\n");
    hb.awaitQuiet();
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  /** The operator ends it as its own, and has never applied it itself. */
  @Test
  void rolloutThatIsOverDoesNotStay() {
    patch(
        """
        {"status": {"rollout": {"started": "2025-11-01T02:00:00Z", "balancer": true,
                                "normalizer": true, "servers": [], "finished": [], "passed": []}}}
        """);

    await("no rollout").atMost(LONG).until(() -> status().rollout() == null);
    hb.awaitReady("hb");
  }

  /** What is left of one whose other half the operator has removed. */
  @Test
  void pieceOfATrialEndsNoReconciliation() {
    patch(
        TUNING.formatted(
            "{\"rule\": \"PoolTooSmall\", \"values\": {\"a\": \"1\"}, \"before\": [],"
                + " \"baseline\": {}}"));

    await("no trial")
        .atMost(LONG)
        .until(() -> status().tuning().groups().stream().allMatch(it -> it.trial() == null));
    hb.declare("hb", Clusters.SMALLEST.replace("heap: 1Gi", "heap: 2Gi"));
    await("the next spec")
        .atMost(LONG)
        .until(
            () -> hb.get("hb").getMetadata().getGeneration().equals(status().observedGeneration()));
    assertThat(hb.condition("hb", "Progressing").orElse("")).doesNotContain("Failing");
  }

  /** The other writer owns nothing then, and nothing is written at rest. */
  @Test
  void changedValueIsRolledBack() {
    var before = status();

    patch("{\"status\": {\"desiredServers\": 7, \"readyServers\": 7}}");

    await("the operator's values")
        .atMost(LONG)
        .untilAsserted(
            () -> {
              assertThat(status().desiredServers()).isEqualTo(before.desiredServers());
              assertThat(status().readyServers()).isEqualTo(before.readyServers());
              assertThat(hb.get("hb").getMetadata().getManagedFields())
                  .extracting(ManagedFieldsEntry::getManager)
                  .doesNotContain("editor");
            });
    hb.awaitQuiet();
  }

  /** One resource must not end the operator for all clusters. */
  @Test
  void valueThatCannotBeReadIsRolledBack() {
    var before = status();

    patch("{\"status\": {\"desiredServers\": 9999999999, \"readyServers\": 9999999999}}");

    await("the operator's values")
        .atMost(LONG)
        // Until then the client of this test cannot read it either.
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(status().desiredServers()).isEqualTo(before.desiredServers());
              assertThat(status().readyServers()).isEqualTo(before.readyServers());
            });
    hb.awaitQuiet();
  }

  /** The end of a wait that no event announces is still observed. */
  @Test
  void waitContinues() {
    hb.create("first", OUTSIDE);
    await("first is planned")
        .atMost(LONG)
        .until(() -> hb.condition("first", "Planned").orElse("").startsWith("True"));
    var created = hb.get("first").getMetadata().getCreationTimestamp();
    await("the second after")
        .until(() -> Instant.now().isAfter(Instant.parse(created).plusSeconds(1)));
    hb.create("second", OUTSIDE);
    await("second is refused")
        .atMost(LONG)
        .until(() -> hb.condition("second", "Planned").orElse("").startsWith("False"));
    patch("second", "{\"status\": {\"readyServers\": 7}}");
    await("the operator's value")
        .atMost(LONG)
        .until(() -> !Objects.equals(hb.get("second").getStatus().readyServers(), 7));

    hb.client().resource(hb.get("first")).delete();

    await("second is planned")
        .atMost(LONG)
        .until(() -> hb.condition("second", "Planned").orElse("").startsWith("True"));
  }

  private void patch(String status) {
    patch("hb", status);
  }

  private void patch(String cluster, String status) {
    hb.client()
        .genericKubernetesResources(ResourceDefinitionContext.fromResourceType(HBaseCluster.class))
        .inNamespace(hb.name())
        .withName(cluster)
        .subresource("status")
        .patch(
            new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager("editor")
                .build(),
            status);
  }

  private HBaseClusterStatus status() {
    return hb.get("hb").getStatus();
  }
}
