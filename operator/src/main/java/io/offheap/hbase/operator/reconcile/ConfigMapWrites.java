package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.ConfigMapDigests;
import io.offheap.hbase.operator.deploy.PlanMap;
import io.offheap.hbase.operator.deploy.PlanMaps;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes of the two config maps of a cluster that no pod mounts: {@code NAME-remembered} and {@code
 * NAME-plan}. Each is written only if the API server has other content.
 */
final class ConfigMapWrites {
  private ConfigMapWrites() {}

  /**
   * Writes the applied plans.
   *
   * @param plans the content of each cluster's config map
   * @throws IllegalStateException if a foreign config map has this name
   */
  static void plan(PlanMaps plans, Applied applied, Context<HBaseCluster> context) {
    write(
        plans.digests(applied.cluster(), applied.plans()),
        () -> PlanMap.of(applied.cluster(), applied.plans()),
        "no plan is shown",
        context);
  }

  /**
   * Writes one.
   *
   * @param wanted the desired config map
   * @param loss the consequence of a foreign config map of this name
   * @throws IllegalStateException if there is one
   */
  static void write(ConfigMap wanted, String loss, Context<HBaseCluster> context) {
    var digests =
        new ConfigMapBuilder(wanted).withData(ConfigMapDigests.of(wanted.getData())).build();
    write(digests, () -> wanted, loss, context);
  }

  /** The same, with the digests of what is written, as the operator's client reads it. */
  private static void write(
      ConfigMap wanted, Supplier<ConfigMap> written, String loss, Context<HBaseCluster> context) {
    if (seen(wanted, context).filter(it -> isSame(it, wanted)).isPresent()) {
      return;
    }
    // The informer may be older than this operator's own last write.
    var client = context.getClient();
    var there = client.resource(wanted).get();
    if (there != null && !hasLabels(there, wanted)) {
      throw new IllegalStateException(
          "config map "
              + wanted.getMetadata().getName()
              + " is not this operator's: it has other labels. Delete it, or "
              + loss);
    }
    if (there != null && isSame(there, wanted)) {
      return;
    }
    if (there != null && !isWritable(there, context.getPrimaryResource())) {
      client.resource(there).lockResourceVersion(there.getMetadata().getResourceVersion()).delete();
    }
    client.resource(written.get()).forceConflicts().serverSideApply();
  }

  private static boolean isSame(ConfigMap map, ConfigMap wanted) {
    return wanted.getData().equals(map.getData())
        && hasLabels(map, wanted)
        && map.getMetadata().getOwnerReferences().equals(wanted.getMetadata().getOwnerReferences());
  }

  private static boolean hasLabels(ConfigMap map, ConfigMap wanted) {
    return Optional.ofNullable(map.getMetadata().getLabels())
        .orElse(Map.of())
        .entrySet()
        .containsAll(wanted.getMetadata().getLabels().entrySet());
  }

  /** Neither immutable nor owned by another object, with which it would be deleted. */
  private static boolean isWritable(ConfigMap map, HBaseCluster cluster) {
    return !Boolean.TRUE.equals(map.getImmutable())
        && map.getMetadata().getOwnerReferences().stream()
            .allMatch(it -> it.getUid().equals(cluster.getMetadata().getUid()));
  }

  private static Optional<ConfigMap> seen(ConfigMap map, Context<HBaseCluster> context) {
    var source =
        (InformerEventSource<ConfigMap, HBaseCluster>)
            context.eventSourceRetriever().getEventSourceFor(ConfigMap.class);
    return source.get(ResourceID.fromResource(map));
  }
}
