package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.Optional;

/** Resources that the tests apply. */
final class Clusters {
  private Clusters() {}

  /** The smallest resource: everything that can be left out is. */
  static final String SMALLEST =
      """
      apiVersion: hbase.offheap.io/v1alpha1
      kind: HBaseCluster
      metadata: {name: NAME, namespace: NAMESPACE}
      spec:
        zookeeper: {managed: {}}
        storage: {managedHdfs: {}}
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
}
