package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

/** Resources that the tests apply. */
final class Clusters {
  private Clusters() {}

  /** The smallest valid resource. */
  static final String SMALLEST =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managed: {}}
        regionServers:
          memory: {heap: 1Gi, offHeap: 512Mi}
      """;

  static HBaseCluster smallest(String namespace, String name) {
    return parse(SMALLEST, namespace, name);
  }

  static HBaseCluster parse(String yaml, String namespace, String name) {
    return Serialization.unmarshal(
        yaml.replace("NAMESPACE", namespace).replace("NAME", name), HBaseCluster.class);
  }

  static Optional<String> condition(HBaseCluster cluster, String type) {
    return Optional.ofNullable(cluster)
        .map(HBaseCluster::getStatus)
        .map(status -> status.conditions())
        .flatMap(all -> all.stream().filter(it -> it.getType().equals(type)).findFirst())
        .map(it -> it.getStatus() + " " + it.getReason() + ": " + it.getMessage());
  }

  static HBaseCluster get(KubernetesClient client, String namespace, String name) {
    return client.resources(HBaseCluster.class).inNamespace(namespace).withName(name).get();
  }

  /** Creates a cluster with the fields that are written, as kubectl does, and no others. */
  static void create(KubernetesClient client, String namespace, String name, String yaml) {
    client.resource(written(yaml, namespace, name)).create();
  }

  /** Declares another spec for an existing cluster, with the fields that are written. */
  static void declare(KubernetesClient client, String namespace, String name, String yaml) {
    var spec = written(yaml, namespace, name).getAdditionalProperties().get("spec");
    edit(written(client, namespace, name), it -> it.setAdditionalProperty("spec", spec));
  }

  /** Sets an annotation of a cluster, and changes no field of its spec. */
  static void annotate(
      KubernetesClient client, String namespace, String name, String key, String value) {
    edit(
        written(client, namespace, name),
        it -> it.setMetadata(it.getMetadata().edit().addToAnnotations(key, value).build()));
  }

  private static Resource<GenericKubernetesResource> written(
      KubernetesClient client, String namespace, String name) {
    return client
        .genericKubernetesResources(ResourceDefinitionContext.fromResourceType(HBaseCluster.class))
        .inNamespace(namespace)
        .withName(name);
  }

  /** The types of the API have each field, and write empty lists and defaults too. */
  private static GenericKubernetesResource written(String yaml, String namespace, String name) {
    return Serialization.unmarshal(
        yaml.replace("NAMESPACE", namespace).replace("NAME", name),
        GenericKubernetesResource.class);
  }

  /** Changes a cluster's resource, which then has each field of the API's types. */
  static void change(
      KubernetesClient client, String namespace, String name, Consumer<HBaseCluster> change) {
    edit(client.resources(HBaseCluster.class).inNamespace(namespace).withName(name), change);
  }

  /** Changes an object; a conflict with a write of its status is retried. */
  static <T> void edit(Resource<T> resource, Consumer<T> change) {
    await("a change")
        .atMost(LONG)
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsMatching(
            it -> it instanceof KubernetesClientException failed && failed.getCode() == 409)
        .until(
            () ->
                resource.edit(
                    it -> {
                      change.accept(it);
                      return it;
                    }),
            Objects::nonNull);
  }

  /** Every object that the operator has created in a namespace. */
  static List<HasMetadata> owned(KubernetesClient client, String namespace) {
    var objects = new ArrayList<HasMetadata>();
    for (Class<? extends HasMetadata> kind :
        List.of(
            StatefulSet.class,
            Service.class,
            ConfigMap.class,
            PodDisruptionBudget.class,
            NetworkPolicy.class)) {
      client.resources(kind).inNamespace(namespace).list().getItems().stream()
          .filter(it -> !it.getMetadata().getOwnerReferences().isEmpty())
          .forEach(objects::add);
    }
    return objects;
  }

  /** The text of a cluster's remembered map; empty if there is none. */
  static String remembered(KubernetesClient client, String namespace, String name) {
    var map = client.configMaps().inNamespace(namespace).withName(name + "-remembered").get();
    return map == null ? "" : map.getData().getOrDefault("remembered.json", "");
  }

  /** A value of the default group's plan with its reason, from the cluster's config map. */
  static Optional<JsonNode> planned(
      KubernetesClient client, String namespace, String name, String key) {
    var map = client.configMaps().inNamespace(namespace).withName(name + "-plan").get();
    if (map == null) {
      return Optional.empty();
    }
    var plan = Serialization.unmarshal(map.getData().get("plan.yaml"), JsonNode.class);
    return StreamSupport.stream(plan.path("settings").spliterator(), false)
        .filter(it -> it.path("key").asText().equals(key))
        .findFirst();
  }

  /** Deletes a resource, its objects and its pods, as Kubernetes' garbage collector does. */
  static void deleteWithObjects(KubernetesClient client, String namespace, String name) {
    var uid = get(client, namespace, name).getMetadata().getUid();
    client.resources(HBaseCluster.class).inNamespace(namespace).withName(name).delete();
    owned(client, namespace).stream()
        .filter(
            it ->
                it.getMetadata().getOwnerReferences().stream()
                    .anyMatch(owner -> owner.getUid().equals(uid)))
        .forEach(it -> client.resource(it).delete());
    client.pods().inNamespace(namespace).withGracePeriod(0).delete();
  }

  /** The config maps that a StatefulSet's pods mount, in the order of projection. */
  static List<String> configMapsOf(KubernetesClient client, String namespace, String statefulSet) {
    return client
        .apps()
        .statefulSets()
        .inNamespace(namespace)
        .withName(statefulSet)
        .get()
        .getSpec()
        .getTemplate()
        .getSpec()
        .getVolumes()
        .get(0)
        .getProjected()
        .getSources()
        .stream()
        .map(source -> source.getConfigMap().getName())
        .toList();
  }

  /** Each object's version and each pod's uid, which show any change of a running cluster. */
  static Set<String> versions(KubernetesClient client, String namespace) {
    var versions = new TreeSet<String>();
    owned(client, namespace)
        .forEach(
            it ->
                versions.add(
                    it.getKind()
                        + " "
                        + it.getMetadata().getName()
                        + " "
                        + it.getMetadata().getResourceVersion()));
    client
        .pods()
        .inNamespace(namespace)
        .list()
        .getItems()
        .forEach(
            it -> versions.add("Pod " + it.getMetadata().getName() + it.getMetadata().getUid()));
    return versions;
  }

  static void awaitReady(KubernetesClient client, String namespace, String name) {
    await("cluster " + name + " ready")
        .pollDelay(Duration.ZERO)
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(condition(get(client, namespace, name), "Ready"))
                    .hasValueSatisfying(it -> assertThat(it).startsWith("True")));
  }
}
