package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.Map;
import java.util.Set;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * State of a rollout that outlives the resource and its status, on a real API server, with a model
 * of HBase in its pods.
 */
@ExtendWith(ApiServer.class)
@Tag("verify")
class RememberedRolloutIT {
  private static final String BAD =
      RolledServers.RESOURCE
          .replace("heap: 1Gi", "heap: 2Gi")
          .replace("window: 1s}", "window: 1s}, startTimeout: 5s");

  private static final String REFUSED =
      RolledServers.RESOURCE.replace("offHeap: 512Mi", "offHeap: 512Mi, limit: 1536Mi");

  private static final String MORE_DATA_NODES = "storage: {managed: {dataNodes: 9}}";

  private KubernetesClient client;
  private String namespace;
  private ServingCluster hb;
  private RolledServers servers;
  private Set<String> before;

  /** Servers with another plan never serve. */
  @BeforeEach
  void start(ApiServer.Running server, TestInfo test) throws Exception {
    client = server.client();
    namespace = server.createNamespace(test);
    hb = ServingCluster.start(server, namespace, RolledServers.RESOURCE);
    servers = new RolledServers(hb);
    before = servers.planHashes();
    hb.simulator()
        .letBecomeReady(
            pod -> !RolledServers.isServer(pod) || before.contains(RolledServers.plan(pod)));
  }

  @AfterEach
  void stop() {
    hb.close();
  }

  @Test
  void restoresSwitchesAndRegionsAfterWipedStatus() throws Exception {
    interruptRollout();
    patchStatus("{\"status\":null}");
    hb.simulator().letBecomeReady(pod -> true);
    hb.startOperator();

    awaitGivenBack();
  }

  @Test
  void restoresSwitchesAndRegionsAfterDeletedResource() throws Exception {
    interruptRollout();
    Clusters.deleteWithObjects(client, namespace, "hb");
    hb.simulator().letBecomeReady(pod -> true);
    client.resource(Clusters.parse(RolledServers.RESOURCE, namespace, "hb")).create();
    hb.startOperator();

    awaitGivenBack();
  }

  /** A drained server must not wait for a person who corrects the spec. */
  @Test
  void restoresSwitchesAndServersAfterWipedStatusOfRefusedSpec() throws Exception {
    interruptRollout();
    patchStatus("{\"status\":null}");
    hb.declare(REFUSED);
    hb.simulator().letBecomeReady(pod -> true);
    hb.startOperator();

    awaitRestoredWhileRefused();
    awaitRefused(
        () ->
            assertThat(Clusters.remembered(client, namespace, "hb"))
                .doesNotContain("\"balancer\"")
                .contains("\"images\""));
    assertThat(hb.status().regionServers()).as("no more views are requested").isNull();
    assertThat(servers.eventReasons()).contains("RememberedUsed");
    assertThat(hb.hbase().lost()).isEmpty();

    hb.declare(RolledServers.RESOURCE);
    hb.awaitReady();
  }

  /** The same for an applied spec in status that must not be applied again. */
  @Test
  void restoresSwitchesAndServersWhereRefusedSpecHasNoValidAppliedSpec() throws Exception {
    interruptRollout();
    var other = RolledServers.RESOURCE.replace("storage: {managed: {}}", MORE_DATA_NODES);
    var text = Serialization.asJson(Clusters.parse(other, namespace, "hb").getSpec());
    patchStatus(
        Serialization.asJson(Map.of("status", Map.of("appliedSpec", Map.of("json", text)))));
    hb.declare(REFUSED);
    hb.simulator().letBecomeReady(pod -> true);
    hb.startOperator();

    awaitRestoredWhileRefused();
    assertThat(hb.status().rollout()).isNotNull();

    hb.declare(RolledServers.RESOURCE);
    awaitGivenBack();
  }

  /** It is restored, and not continued: its plans are not known. */
  @Test
  void restoresRolloutThatIsAloneInStatusAndRecallsTheRest() throws Exception {
    interruptRollout();
    var rollout = hb.status().rollout();
    var images = hb.status().images();
    patchStatus("{\"status\":null}");
    patchStatus(Serialization.asJson(Map.of("status", Map.of("rollout", rollout))));
    hb.declare(REFUSED);
    hb.simulator().letBecomeReady(pod -> true);
    hb.startOperator();

    awaitRestoredWhileRefused();
    awaitRefused(() -> assertThat(hb.status().rollout()).isNull());

    hb.declare(RolledServers.RESOURCE);
    awaitGivenBack();
    assertThat(hb.status().images()).isEqualTo(images);
    assertThat(hb.hbase().lost()).isEmpty();
  }

  private void awaitRestoredWhileRefused() {
    await("switches and servers restored")
        .atMost(LONG)
        .untilAsserted(
            () -> {
              assertThat(hb.hbase().draining()).isEmpty();
              assertThat(hb.hbase().isBalancerOn()).isTrue();
              assertThat(hb.hbase().isNormalizerOn()).isFalse();
            });
  }

  private void awaitRefused(ThrowingRunnable holds) {
    await("the end of the restoration").atMost(LONG).untilAsserted(holds);
    assertThat(hb.condition("Planned"))
        .hasValueSatisfying(it -> assertThat(it).startsWith("False PlanRefused"));
  }

  private void patchStatus(String merge) {
    client
        .resources(HBaseCluster.class)
        .inNamespace(namespace)
        .withName("hb")
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), merge);
  }

  private void interruptRollout() {
    servers.edit("heap: 1Gi", "heap: 2Gi");
    await("a server that starts")
        .atMost(LONG)
        .until(
            () ->
                hb.status().rollout() != null
                    && hb.status().rollout().servers().stream()
                        .anyMatch(it -> it.step().equals("Start")));
    assertThat(hb.hbase().isBalancerOn()).isFalse();
    assertThat(hb.hbase().draining()).isNotEmpty();
    hb.operator().close();
  }

  private void awaitGivenBack() {
    await("switches and regions restored")
        .atMost(LONG)
        .untilAsserted(
            () -> {
              assertThat(hb.status()).isNotNull();
              assertThat(hb.status().rollout()).isNull();
              assertThat(hb.hbase().draining()).isEmpty();
              assertThat(hb.hbase().isBalancerOn()).isTrue();
              assertThat(hb.hbase().isNormalizerOn()).isFalse();
            });
    hb.awaitReady();
  }

  @Test
  void rollbackOutlivesResource() {
    hb.declare(BAD);
    await("rolled back and ready again")
        .atMost(LONG)
        .until(
            () ->
                hb.condition("RolledBack").filter(it -> it.startsWith("True")).isPresent()
                    && hb.status().rollout() == null
                    && servers.planHashes().equals(before));
    hb.awaitReady();
    hb.awaitQuiet();

    Clusters.deleteWithObjects(client, namespace, "hb");
    client.resource(Clusters.parse(BAD, namespace, "hb")).create();

    await("a status").atMost(LONG).until(() -> hb.resource() != null && hb.status() != null);
    hb.awaitReady();
    assertThat(servers.planHashes()).isEqualTo(before);
    assertThat(hb.condition("RolledBack"))
        .hasValueSatisfying(it -> assertThat(it).startsWith("True ChangeRolledBack"));
  }
}
