package io.offheap.hbase.operator.deploy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The config map {@code <cluster>-remembered}: state that outlives the resource. The resource owns
 * it only if HBase's files are deleted with the resource. So no finalizer is needed: Kubernetes'
 * garbage collector deletes it together with the volumes' claims.
 */
public final class RememberedMap {
  private static final String COMPONENT = "remembered";
  private static final String KEY = "remembered.json";

  private static final ObjectMapper WHOLE = new ObjectMapper();

  private RememberedMap() {}

  /** Its name. */
  public static String name(HasMetadata cluster) {
    return cluster.getMetadata().getName() + "-" + COMPONENT;
  }

  /** The desired config map. */
  public static ConfigMap of(HBaseCluster cluster, String text) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name(cluster))
        .withNamespace(cluster.getMetadata().getNamespace())
        .withLabels(labels(cluster))
        .withOwnerReferences(isDeletedWithData(cluster) ? List.of(owner(cluster)) : List.of())
        .endMetadata()
        .withData(Map.of(KEY, text))
        .build();
  }

  private static Map<String, String> labels(HBaseCluster cluster) {
    var labels = new TreeMap<>(Labels.of(cluster));
    labels.put(Labels.COMPONENT, COMPONENT);
    return labels;
  }

  /** ZooKeeper's volumes do not matter: HBase's files are in HDFS. */
  private static boolean isDeletedWithData(HBaseCluster cluster) {
    var hdfs = cluster.getSpec().storage().managed();
    return hdfs != null && hdfs.storage().deleteClaim();
  }

  static OwnerReference owner(HBaseCluster cluster) {
    return new OwnerReferenceBuilder()
        .withApiVersion(cluster.getApiVersion())
        .withKind(cluster.getKind())
        .withName(cluster.getMetadata().getName())
        .withUid(cluster.getMetadata().getUid())
        .build();
  }

  /**
   * Reads it with its text, which the operator's client drops from config maps.
   *
   * @return empty if there is none
   */
  public static Optional<ConfigMap> read(HBaseCluster cluster, KubernetesClient client) {
    var metadata = cluster.getMetadata();
    var json =
        client.raw(
            "/api/v1/namespaces/" + metadata.getNamespace() + "/configmaps/" + name(cluster));
    return Optional.ofNullable(json).map(RememberedMap::parsed);
  }

  /**
   * Replaces the text of a config map as it was read.
   *
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if it has changed since, or the
   *     write failed
   */
  public static void replace(ConfigMap read, String text, KubernetesClient client) {
    var nodes = JsonNodeFactory.instance;
    var patch =
        nodes
            .arrayNode()
            .add(
                nodes
                    .objectNode()
                    .put("op", "replace")
                    .put("path", "/metadata/resourceVersion")
                    .put("value", read.getMetadata().getResourceVersion()))
            .add(
                nodes
                    .objectNode()
                    .put("op", "replace")
                    .put("path", "/data/" + KEY)
                    .put("value", text));
    client
        .configMaps()
        .inNamespace(read.getMetadata().getNamespace())
        .withName(read.getMetadata().getName())
        .patch(PatchContext.of(PatchType.JSON), patch.toString());
  }

  private static ConfigMap parsed(String json) {
    try {
      return WHOLE.readValue(json, ConfigMap.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the API server's response is a config map", e);
    }
  }

  /** Its text, if any. */
  public static Optional<String> text(ConfigMap map) {
    return Optional.ofNullable(map.getData()).map(it -> it.get(KEY));
  }

  /** Whether this operator created it for this cluster. */
  public static boolean isOf(HBaseCluster cluster, ConfigMap map) {
    var labels = map.getMetadata().getLabels();
    return map.getMetadata().getName().equals(name(cluster))
        && labels != null
        && labels.entrySet().containsAll(labels(cluster).entrySet());
  }

  /**
   * Whether only other objects own it, such as a deleted resource, and it is deleted with them.
   * Owners that others have added beside the resource do not count.
   */
  public static boolean isOfAnother(HBaseCluster cluster, ConfigMap map) {
    var owners = map.getMetadata().getOwnerReferences();
    return !owners.isEmpty()
        && owners.stream().noneMatch(it -> it.getUid().equals(cluster.getMetadata().getUid()));
  }

  /** The cluster of a config map, if it is a remembered map. */
  static Optional<ResourceID> cluster(ConfigMap map) {
    return Optional.ofNullable(map.getMetadata().getLabels())
        .filter(it -> COMPONENT.equals(it.get(Labels.COMPONENT)))
        .map(it -> it.get(Labels.INSTANCE))
        .map(it -> new ResourceID(it, map.getMetadata().getNamespace()));
  }
}
