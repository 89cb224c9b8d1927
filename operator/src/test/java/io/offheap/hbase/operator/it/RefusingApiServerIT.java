package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatusBuilder;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An API server that refuses the operator's objects, for reasons outside of the resource. */
@ExtendWith(ApiServer.class)
@Execution(ExecutionMode.CONCURRENT)
@Tag("verify")
class RefusingApiServerIT {
  /** The StatefulSet has no such status: only Kubernetes' own events report it. */
  @Test
  void reportsWhyPodIsNotCreated(ApiServer.Running server) throws Exception {
    var namespace = "pod-quota";
    var client = server.client();
    server.createNamespace(namespace);
    var quota =
        Quotas.make(
            client,
            namespace,
            Map.of("pods", new Quantity("1")),
            Map.of("pods", new Quantity("0")));
    try (var simulator = new StatefulSetSimulator(client, namespace);
        var operator = OperatorUnderTest.start(server, namespace)) {
      simulator.letBecomeReady(pod -> true);
      client.resource(Clusters.smallest(namespace, "hb")).create();

      await("the API server's message in a condition")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(
                          Clusters.condition(Clusters.get(client, namespace, "hb"), "Progressing"))
                      .hasValueSatisfying(
                          it ->
                              assertThat(it)
                                  .startsWith("True PodRefused")
                                  .contains("exceeded quota: bound", "limited: pods=1")));
      assertThat(operator.passes("failure")).isZero();

      client.resource(quota).delete();

      Clusters.awaitReady(client, namespace, "hb");
    }
  }

  @Test
  void reportsQuotaAndMakesClusterAfterItIsLifted(ApiServer.Running server) throws Exception {
    var namespace = "quota";
    var client = server.client();
    server.createNamespace(namespace);
    var none = Map.of("count/services", new Quantity("0"));
    var quota =
        client
            .resource(
                new ResourceQuotaBuilder()
                    .withNewMetadata()
                    .withName("none")
                    .withNamespace(namespace)
                    .endMetadata()
                    .withNewSpec()
                    .withHard(none)
                    .endSpec()
                    .build())
            .create();
    // The controller that would set it does not run here.
    quota.setStatus(new ResourceQuotaStatusBuilder().withHard(none).withUsed(none).build());
    client.resource(quota).updateStatus();

    try (var simulator = new StatefulSetSimulator(client, namespace);
        var operator = OperatorUnderTest.start(server, namespace)) {
      simulator.letBecomeReady(pod -> true);
      client.resource(Clusters.smallest(namespace, "hb")).create();

      await("the API server's message in a condition, again")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(
                          Clusters.condition(Clusters.get(client, namespace, "hb"), "Progressing"))
                      .hasValueSatisfying(
                          it ->
                              assertThat(it)
                                  .startsWith("True Failing")
                                  .contains("exceeded quota: none")));
      await("more attempts than the framework's own")
          .atMost(LONG)
          .until(() -> operator.passes("failure") > 6);

      client.resource(quota).delete();

      await("ready")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(Clusters.condition(Clusters.get(client, namespace, "hb"), "Ready"))
                      .hasValueSatisfying(it -> assertThat(it).startsWith("True")));
      assertThat(Clusters.condition(Clusters.get(client, namespace, "hb"), "Progressing"))
          .hasValue("False Idle: nothing to do");
    }
  }

  /** A server that is drained gets its regions back, whatever else is refused meanwhile. */
  @Test
  void refusedObjectFreezesNoRestartThatRuns(ApiServer.Running server, TestInfo test)
      throws Exception {
    var namespace = server.createNamespace(test);
    var client = server.client();
    try (var hb = ServingCluster.start(server, namespace, RolledServers.RESOURCE)) {
      var servers = new RolledServers(hb);
      var uids = servers.uids();
      var cut = new CutAtSteps();
      hb.operator().close();
      hb.startOperator(cut);
      servers.setHeap("2Gi");
      await("a server to drain").atMost(LONG).until(cut::isCut);
      hb.operator().close();
      var none = Map.of("count/services", new Quantity("0"));
      var quota = Quotas.make(client, namespace, none, none);
      client.services().inNamespace(namespace).withName("hb-regionserver").delete();

      hb.startOperator();

      await("all restarted").atMost(LONG).until(() -> servers.isDone(uids));
      assertThat(client.services().inNamespace(namespace).withName("hb-regionserver").get())
          .as("refused all the time")
          .isNull();
      assertThat(hb.hbase().lost()).isEmpty();
      assertThat(hb.hbase().draining()).isEmpty();
      assertThat(hb.hbase().isBalancerOn()).isTrue();
      await("reported")
          .atMost(LONG)
          .untilAsserted(
              () ->
                  assertThat(hb.condition("Progressing"))
                      .hasValueSatisfying(
                          it -> assertThat(it).contains("Failing", "exceeded quota: bound")));

      client.resource(quota).delete();
      await("made")
          .atMost(LONG)
          .until(
              () ->
                  client.services().inNamespace(namespace).withName("hb-regionserver").get()
                      != null);
    }
  }
}
