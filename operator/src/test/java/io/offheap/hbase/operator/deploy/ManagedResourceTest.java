package io.offheap.hbase.operator.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.config.ConfigurationService;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that end something are about the version that was seen. */
class ManagedResourceTest {
  private ApiServerStandIn server;
  private KubernetesClient client;

  @BeforeEach
  void start() throws IOException {
    server = new ApiServerStandIn();
    client = server.client();
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void deletesOnlyTheObjectThatWasSeen() {
    server.respond(200, "{\"kind\": \"Status\", \"apiVersion\": \"v1\"}");
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName("hb-1")
            .withNamespace("test")
            .withResourceVersion("41")
            .endMetadata()
            .build();

    new ConfigMaps()
        .deleteTargetResource(cluster(), map, new ResourceID("hb-1", "test"), context());

    assertThat(server.requests()).singleElement().asString().startsWith("DELETE ");
    assertThat(sent().path("preconditions").path("resourceVersion").asText()).isEqualTo("41");
  }

  @Test
  void lowersReplicasOnlyOfTheSetThatWasSeen() {
    server.respond(200, Serialization.asJson(set(1, "42")));

    new StatefulSets().update(set(3, "41"), set(1, null), cluster(), context());

    assertThat(server.requests()).singleElement().asString().startsWith("PATCH ");
    assertThat(sent().path("metadata").path("resourceVersion").asText()).isEqualTo("41");
  }

  /** At rest a set changes with each pod, and a conflict would delay every other change. */
  @Test
  void otherWritesAreOfNoVersion() {
    server.respond(200, Serialization.asJson(set(3, "42")));

    new StatefulSets().update(set(3, "41"), set(3, null), cluster(), context());

    assertThat(sent().path("metadata").has("resourceVersion")).isFalse();
  }

  @Test
  void scalesOnlyTheSetThatWasSeen() {
    server.respond(200, Serialization.asJson(set(1, "42")));

    StatefulSets.scale(set(3, "41"), 1, client);

    assertThat(server.requests()).singleElement().asString().startsWith("PATCH ");
    assertThat(sent().path("metadata").path("resourceVersion").asText()).isEqualTo("41");
    assertThat(sent().path("spec").path("replicas").asInt()).isEqualTo(1);
  }

  private JsonNode sent() {
    return Serialization.unmarshal(server.bodies().get(0), JsonNode.class);
  }

  private static StatefulSet set(int replicas, String version) {
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withName("hb-regionserver")
        .withNamespace("test")
        .withResourceVersion(version)
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .endSpec()
        .build();
  }

  private static HBaseCluster cluster() {
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: hb, namespace: test, uid: u}
        """,
        HBaseCluster.class);
  }

  @SuppressWarnings("unchecked")
  private Context<HBaseCluster> context() {
    var service =
        proxy(
            ConfigurationService.class,
            (it, method, arguments) -> method.getName().equals("shouldUseSSA"));
    var configuration =
        proxy(
            ControllerConfiguration.class,
            (it, method, arguments) ->
                method.getName().equals("fieldManager") ? ConfigMapDigests.DEPENDENTS : service);
    return proxy(
        Context.class,
        (it, method, arguments) -> method.getName().equals("getClient") ? client : configuration);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
