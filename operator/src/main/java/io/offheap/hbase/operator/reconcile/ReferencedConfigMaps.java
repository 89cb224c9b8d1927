package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.List;

/** The config maps that a resource refers to and others make. */
final class ReferencedConfigMaps {
  private ReferencedConfigMaps() {}

  /** Those that do not exist. */
  static List<PlanProblem> missing(HBaseCluster cluster, KubernetesClient client) {
    var external = cluster.getSpec().storage().external();
    if (external == null) {
      return List.of();
    }
    var namespace = cluster.getMetadata().getNamespace();
    return external.configMapRefs().stream()
        .filter(name -> client.configMaps().inNamespace(namespace).withName(name).get() == null)
        .map(
            name ->
                new PlanProblem(
                    "spec.storage.external.configMapRefs",
                    "there is no config map '"
                        + name
                        + "' in namespace "
                        + namespace
                        + "; make one with the core-site.xml and hdfs-site.xml of that HDFS"))
        .toList();
  }
}
