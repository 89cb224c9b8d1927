package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
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
    if (there != null && !isWritable(there, wanted, context.getPrimaryResource())) {
      delete(there, client);
    }
    var applied = client.resource(written.get()).forceConflicts().serverSideApply();
    if (!isOwnedAs(applied, wanted)) {
      // The owner to remove is also that of another writer, so it stays.
      delete(applied, client);
      client.resource(written.get()).forceConflicts().serverSideApply();
    }
  }

  /** Deletes the config map that was seen, and no newer one. */
  private static void delete(ConfigMap map, KubernetesClient client) {
    client.resource(map).lockResourceVersion(map.getMetadata().getResourceVersion()).delete();
  }

  private static boolean isSame(ConfigMap map, ConfigMap wanted) {
    return wanted.getData().equals(map.getData())
        && hasLabels(map, wanted)
        && isOwnedAs(map, wanted);
  }

  /**
   * Whether it is deleted with its owner, or with nothing where it has none. Kubernetes deletes an
   * object after the last of its owners, so those that others have added beside ours do not count,
   * nor do the fields that they have added to ours.
   */
  private static boolean isOwnedAs(ConfigMap map, ConfigMap wanted) {
    var owners = map.getMetadata().getOwnerReferences();
    var ours = wanted.getMetadata().getOwnerReferences();
    return ours.isEmpty()
        ? owners.isEmpty()
        : ours.stream().allMatch(it -> owners.stream().anyMatch(other -> isSame(it, other)));
  }

  private static boolean isSame(OwnerReference one, OwnerReference other) {
    return one.getUid().equals(other.getUid())
        && one.getName().equals(other.getName())
        && one.getKind().equals(other.getKind())
        && one.getApiVersion().equals(other.getApiVersion());
  }

  private static boolean hasLabels(ConfigMap map, ConfigMap wanted) {
    return Optional.ofNullable(map.getMetadata().getLabels())
        .orElse(Map.of())
        .entrySet()
        .containsAll(wanted.getMetadata().getLabels().entrySet());
  }

  /** Neither immutable nor, where it has no owner, owned by another object: applying keeps that. */
  private static boolean isWritable(ConfigMap map, ConfigMap wanted, HBaseCluster cluster) {
    return !Boolean.TRUE.equals(map.getImmutable())
        && (!wanted.getMetadata().getOwnerReferences().isEmpty()
            || map.getMetadata().getOwnerReferences().stream()
                .allMatch(it -> it.getUid().equals(cluster.getMetadata().getUid())));
  }

  private static Optional<ConfigMap> seen(ConfigMap map, Context<HBaseCluster> context) {
    var source =
        (InformerEventSource<ConfigMap, HBaseCluster>)
            context.eventSourceRetriever().getEventSourceFor(ConfigMap.class);
    return source.get(ResourceID.fromResource(map));
  }
}
