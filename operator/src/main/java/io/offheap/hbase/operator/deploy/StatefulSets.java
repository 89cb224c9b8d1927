package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A StatefulSet for each role. Only the operator restarts its pods, hence {@code OnDelete}. A
 * StatefulSet that is no longer desired is deleted after its last pod.
 */
@KubernetesDependent(
    informer =
        @Informer(labelSelector = Labels.MANAGED_SELECTOR, informerListLimit = InformerLists.PAGE))
public class StatefulSets extends ManagedResource<StatefulSet> {
  /** Made by JOSDK. */
  public StatefulSets() {
    super(StatefulSet.class);
  }

  @Override
  List<StatefulSet> desired(ClusterModel model) {
    return model.roles().stream().map(role -> statefulSet(model, role)).toList();
  }

  /** Without building the pod templates, the most expensive part of a reconciliation. */
  @Override
  Set<String> desiredNames(ClusterModel model, Context<HBaseCluster> context) {
    return model.roles().stream().map(RoleModel::name).collect(Collectors.toSet());
  }

  @Override
  public Map<ResourceID, StatefulSet> desiredResources(
      HBaseCluster cluster, Context<HBaseCluster> context) {
    var sets = super.desiredResources(cluster, context);
    context
        .managedWorkflowAndDependentResourceContext()
        .put(
            Hashes.KEY,
            new Hashes(
                sets.values().stream()
                    .collect(
                        Collectors.toMap(
                            set -> set.getMetadata().getName(),
                            set -> templateHash(set).orElseThrow()))));
    return sets;
  }

  /** A write that ends pods is one over the StatefulSet that was seen, and over no newer one. */
  @Override
  public StatefulSet update(
      StatefulSet actual,
      StatefulSet desired,
      HBaseCluster cluster,
      Context<HBaseCluster> context) {
    if (desired.getSpec().getReplicas() < actual.getSpec().getReplicas()) {
      desired.getMetadata().setResourceVersion(actual.getMetadata().getResourceVersion());
    }
    return super.update(actual, desired, cluster, context);
  }

  /** Sets the number of pods of the StatefulSet that was seen, and of no newer one. */
  public static void scale(StatefulSet seen, int replicas, KubernetesClient client) {
    client
        .resource(seen)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\":{\"resourceVersion\":\""
                + seen.getMetadata().getResourceVersion()
                + "\"},\"spec\":{\"replicas\":"
                + replicas
                + "}}");
  }

  /** Hashes of a reconciliation's templates, by name of the StatefulSet. */
  private record Hashes(Map<String, String> byName) {
    private static final String KEY = "template-hashes";
  }

  /** Hashes of the current templates, by name of the StatefulSet. */
  public static Map<String, String> templateHashes(
      ClusterModel model, Context<HBaseCluster> context) {
    return context
        .managedWorkflowAndDependentResourceContext()
        .get(Hashes.KEY, Hashes.class)
        .map(Hashes::byName)
        // No StatefulSet was built, because a dependency was refused.
        .orElseGet(
            () ->
                model.roles().stream()
                    .collect(Collectors.toMap(RoleModel::name, role -> templateHash(model, role))));
  }

  /** Hash of a role's current template. */
  public static String templateHash(ClusterModel model, RoleModel role) {
    return PodTemplates.hash(model, role);
  }

  /** Hash of a StatefulSet's template. */
  public static Optional<String> templateHash(StatefulSet set) {
    return Optional.ofNullable(set.getSpec())
        .map(StatefulSetSpec::getTemplate)
        .map(PodTemplateSpec::getMetadata)
        .map(ObjectMeta::getAnnotations)
        .map(annotations -> annotations.get(Labels.TEMPLATE_HASH));
  }

  /** Whether its template is known: of one that is too large, the operator keeps only the hash. */
  public static boolean hasContainers(StatefulSet set) {
    return !set.getSpec().getTemplate().getSpec().getContainers().isEmpty();
  }

  @Override
  boolean isDisposable(StatefulSet set, ClusterModel model, Context<HBaseCluster> context) {
    return hasNoPod(set.getMetadata().getName(), context);
  }

  private static StatefulSet statefulSet(ClusterModel model, RoleModel role) {
    var builder =
        new StatefulSetBuilder()
            .withMetadata(metadata(model, role.name(), role.labels()))
            .withNewSpec()
            .withServiceName(role.name())
            .withReplicas(role.replicas())
            .withPodManagementPolicy("Parallel")
            .withNewUpdateStrategy()
            .withType("OnDelete")
            .endUpdateStrategy()
            .withNewSelector()
            .withMatchLabels(role.labels())
            .endSelector()
            .withTemplate(StoredTemplate.of(PodTemplates.of(model, role)))
            .endSpec();
    role.volume()
        .filter(volume -> volume.claim().isPresent())
        .ifPresent(
            volume ->
                builder
                    .editSpec()
                    .withVolumeClaimTemplates(claim(volume))
                    .withNewPersistentVolumeClaimRetentionPolicy()
                    .withWhenDeleted(volume.claim().orElseThrow().isKept() ? "Retain" : "Delete")
                    .withWhenScaled("Retain")
                    .endPersistentVolumeClaimRetentionPolicy()
                    .endSpec());
    return builder.build();
  }

  private static PersistentVolumeClaim claim(PodVolume volume) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName(volume.name())
        .endMetadata()
        .withNewSpec()
        .withAccessModes("ReadWriteOnce")
        .withStorageClassName(volume.claim().flatMap(PodVolume.Claim::storageClass).orElse(null))
        .withNewResources()
        .addToRequests("storage", volume.size())
        .endResources()
        .endSpec()
        .build();
  }
}
