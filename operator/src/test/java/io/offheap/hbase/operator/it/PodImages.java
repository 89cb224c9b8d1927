package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The images of the pods and StatefulSets of one cluster, alone in a namespace. */
record PodImages(KubernetesClient client, String namespace) {
  private static final Set<String> HBASE = Set.of("master", "regionserver");

  /** A cluster that declares images of ZooKeeper and of HDFS, such as {@code image: {tag: new}}. */
  static String declaring(String zookeeper, String storage) {
    return Clusters.SMALLEST
        .replace("zookeeper: {managed: {}}", "zookeeper: {managed: {" + zookeeper + "}}")
        .replace("storage: {managed: {}}", "storage: {managed: {" + storage + "}}");
  }

  List<Pod> pods() {
    return client.pods().inNamespace(namespace).list().getItems();
  }

  Pod pod(String name) {
    return client.pods().inNamespace(namespace).withName(name).get();
  }

  /** Uids of all pods, by their names. */
  Map<String, String> uids() {
    return pods().stream()
        .collect(
            Collectors.toMap(it -> it.getMetadata().getName(), it -> it.getMetadata().getUid()));
  }

  /** Whether each pod of a role is ready. */
  boolean areReady(String role) {
    return pods().stream()
        .filter(it -> role(it).equals(role))
        .allMatch(it -> !it.getStatus().getConditions().isEmpty());
  }

  /** The image of the pods of each role; several where they differ. */
  Map<String, String> ofPods() {
    return pods().stream()
        .collect(
            Collectors.toMap(
                PodImages::role,
                PodImages::of,
                (one, other) -> one.equals(other) ? one : one + " " + other));
  }

  /** The image of the StatefulSet of each role. */
  Map<String, String> ofTemplates() {
    return client.apps().statefulSets().inNamespace(namespace).list().getItems().stream()
        .collect(Collectors.toMap(PodImages::role, it -> of(it.getSpec().getTemplate().getSpec())));
  }

  /** Those of ZooKeeper and HDFS. */
  static Map<String, String> withoutHBase(Map<String, String> byRole) {
    var others = new TreeMap<>(byRole);
    others.keySet().removeAll(HBASE);
    return others;
  }

  /** Whether a pod, by its name, is one of HBase. */
  static boolean isHBase(String pod) {
    return HBASE.stream().anyMatch(pod::contains);
  }

  /** The image of a pod. */
  static String of(Pod pod) {
    return of(pod.getSpec());
  }

  private static String of(PodSpec spec) {
    return spec.getContainers().get(0).getImage();
  }

  private static String role(HasMetadata object) {
    return object.getMetadata().getLabels().get("app.kubernetes.io/component");
  }
}
