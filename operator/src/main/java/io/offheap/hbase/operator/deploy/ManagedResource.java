package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.dependent.GarbageCollected;
import io.javaoperatorsdk.operator.processing.dependent.CRUDKubernetesBulkDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.net.HttpURLConnection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All objects of one kind that a cluster consists of. They are written by server-side apply, which
 * keeps fields of other managers, and owned by the resource, so that they are deleted with it.
 *
 * @param <R> the kind
 */
abstract class ManagedResource<R extends HasMetadata>
    extends KubernetesDependentResource<R, HBaseCluster>
    implements CRUDKubernetesBulkDependentResource<R, HBaseCluster>,
        GarbageCollected<HBaseCluster> {

  ManagedResource(Class<R> kind) {
    super(kind);
  }

  /** The desired objects of a cluster. */
  abstract List<R> desired(ClusterModel model);

  /** The desired objects, which a reconciliation builds once and needs twice. */
  private List<R> desired(Context<HBaseCluster> context) {
    var kept = context.managedWorkflowAndDependentResourceContext();
    var key = "desired-" + resourceType().getSimpleName();
    var before = kept.get(key, Desired.class);
    if (before.isPresent()) {
      return before.get().objects().stream().map(resourceType()::cast).toList();
    }
    var made = desired(ClusterModel.from(context));
    kept.put(key, new Desired(made));
    return made;
  }

  /** The desired objects of a kind in one reconciliation. */
  private record Desired(List<? extends HasMetadata> objects) {}

  /** Names of a cluster's desired objects. */
  Set<String> desiredNames(ClusterModel model, Context<HBaseCluster> context) {
    return desired(context).stream()
        .map(it -> it.getMetadata().getName())
        .collect(Collectors.toSet());
  }

  /** Whether an object that is no longer desired may be deleted now. */
  boolean isDisposable(R object, ClusterModel model, Context<HBaseCluster> context) {
    return true;
  }

  /** Whether a StatefulSet has no pod any more. */
  static boolean hasNoPod(String statefulSet, Context<HBaseCluster> context) {
    return PodSource.pods(context).stream()
        .noneMatch(pod -> statefulSet.equals(Labels.statefulSetOf(pod)));
  }

  @Override
  public Map<ResourceID, R> desiredResources(HBaseCluster cluster, Context<HBaseCluster> context) {
    return byId(desired(context));
  }

  @Override
  public Map<ResourceID, R> getSecondaryResources(
      HBaseCluster cluster, Context<HBaseCluster> context) {
    var model = ClusterModel.from(context);
    var desired = desiredNames(model, context);
    var existing = context.getSecondaryResources(resourceType());
    return byId(
        existing.stream()
            .filter(
                object ->
                    desired.contains(object.getMetadata().getName())
                        || isDisposable(object, model, context))
            .toList());
  }

  /**
   * Creates an object, or adopts an existing one without an owner and with all labels of this
   * cluster: its resource was deleted without its objects and created again.
   */
  @Override
  public R create(R desired, HBaseCluster cluster, Context<HBaseCluster> context) {
    try {
      return super.create(desired, cluster, context);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      var existing = context.getClient().resource(desired).get();
      if (existing == null || !isOrphanOf(existing, desired)) {
        throw e;
      }
      desired.getMetadata().setResourceVersion(existing.getMetadata().getResourceVersion());
      return update(existing, desired, cluster, context);
    }
  }

  @Override
  public void deleteTargetResource(
      HBaseCluster cluster, R object, ResourceID id, Context<HBaseCluster> context) {
    handleDelete(cluster, object, context);
  }

  /**
   * Deletes the object that was seen, and none that was made or changed since: this process may
   * have been paused, and another one leads.
   */
  @Override
  protected void handleDelete(HBaseCluster cluster, R object, Context<HBaseCluster> context) {
    if (object != null) {
      context
          .getClient()
          .resource(object)
          .lockResourceVersion(object.getMetadata().getResourceVersion())
          .delete();
    }
  }

  private static boolean isOrphanOf(HasMetadata existing, HasMetadata desired) {
    var labels = Optional.ofNullable(existing.getMetadata().getLabels()).orElse(Map.of());
    return existing.getMetadata().getOwnerReferences().isEmpty()
        && existing.getMetadata().getDeletionTimestamp() == null
        && labels.entrySet().containsAll(desired.getMetadata().getLabels().entrySet());
  }

  private static <T extends HasMetadata> Map<ResourceID, T> byId(List<T> objects) {
    var byId = new LinkedHashMap<ResourceID, T>();
    objects.forEach(object -> byId.put(ResourceID.fromResource(object), object));
    return byId;
  }

  static ObjectMeta metadata(ClusterModel model, String name, Map<String, String> labels) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace(model.cluster().getMetadata().getNamespace())
        .withLabels(labels)
        .build();
  }
}
