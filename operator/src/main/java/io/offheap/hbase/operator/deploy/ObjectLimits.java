package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeProjectionBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpecBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.CustomResource;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Which fields are kept in memory of an object that the operator's client has read:
 *
 * <ul>
 *   <li>of a config map, a digest of each text that the operator has written ({@link
 *       ConfigMapDigests});
 *   <li>of a pod, its status and which config maps of its cluster it mounts, since the operator
 *       never writes one;
 *   <li>of an object that no cluster owns, or that is larger than any which the operator writes,
 *       names, labels, owners, the number of replicas and the hash of the pod template;
 *   <li>of a cluster, who wrote to its status and when;
 *   <li>of all others, no annotations and labels that the operator does not read, and no managed
 *       fields but the operator's own ones, by which an object is compared.
 * </ul>
 */
final class ObjectLimits {
  /**
   * Bytes as JSON of a StatefulSet, with the record of the operator's fields: a pod template takes
   * at most 320 KiB of it. An object in memory is some ten times larger.
   */
  private static final int LARGEST_SET = 384 << 10;

  /** The same of a NetworkPolicy: it has at most the peers of a spec, which has 128 KiB. */
  private static final int LARGEST_POLICY = 192 << 10;

  /** The same of other objects, which the operator writes without any text of a spec. */
  private static final int LARGEST = 64 << 10;

  /** Kubernetes' limit of a name. */
  private static final int LONGEST_NAME = 253;

  private static final int LONGEST_ANNOTATION = 1024;

  /** More than an object of this operator has of annotations, owners or volumes. */
  private static final int MOST = 16;

  private static final String KIND = HasMetadata.getKind(HBaseCluster.class);
  private static final String GROUP = HasMetadata.getGroup(HBaseCluster.class) + "/";

  private static final String OWN_ANNOTATIONS = "hbase.offheap.io/";

  private static final Set<Class<?>> KINDS =
      Set.of(
          ConfigMap.class,
          Pod.class,
          Service.class,
          StatefulSet.class,
          NetworkPolicy.class,
          PodDisruptionBudget.class);

  private final ToLongFunction<HasMetadata> sizes;

  /**
   * Limits by size.
   *
   * @param sizes bytes of an object
   */
  ObjectLimits(ToLongFunction<HasMetadata> sizes) {
    this.sizes = sizes;
  }

  /** Whether objects of a kind are limited. */
  static boolean isLimited(Class<?> kind) {
    return KINDS.contains(kind) || CustomResource.class.isAssignableFrom(kind);
  }

  /** Drops what is not kept of an object of such a kind. */
  void drop(HasMetadata object) {
    var metadata = object.getMetadata();
    if (object instanceof CustomResource) {
      dropFields(metadata);
      dropAnnotations(metadata, it -> true, Integer.MAX_VALUE);
      return;
    }
    if (object instanceof ConfigMap map) {
      map.setData(ConfigMapDigests.written(map));
      map.setBinaryData(null);
    }
    dropMetadata(metadata);
    if (object instanceof ConfigMap) {
      metadata.setManagedFields(List.of());
    } else if (object instanceof Pod pod) {
      dropSpec(pod);
    } else if (!isOwned(metadata) || isLarge(object)) {
      metadata.setManagedFields(List.of());
      dropSpec(object);
    }
  }

  /**
   * Keeps of managed fields who wrote to the status and when. The fields themselves nest as deep as
   * those of the resource.
   */
  private static void dropFields(ObjectMeta metadata) {
    metadata.setManagedFields(
        metadata.getManagedFields().stream()
            .filter(it -> "status".equals(it.getSubresource()))
            .map(it -> it.edit().withFieldsV1(null).build())
            .toList());
  }

  private boolean isLarge(HasMetadata object) {
    int most =
        object instanceof StatefulSet
            ? LARGEST_SET
            : object instanceof NetworkPolicy ? LARGEST_POLICY : LARGEST;
    return sizes.applyAsLong(object) > most;
  }

  private static void dropMetadata(ObjectMeta metadata) {
    metadata.setManagedFields(
        metadata.getManagedFields().stream()
            .filter(it -> ConfigMapDigests.isApplied(it, ConfigMapDigests.DEPENDENTS))
            .toList());
    dropAnnotations(metadata, it -> it.startsWith(OWN_ANNOTATIONS), MOST);
    metadata.setLabels(Labels.known(metadata.getLabels()));
    metadata.setFinalizers(List.of());
    metadata.setOwnerReferences(
        metadata.getOwnerReferences().stream()
            .filter(ObjectLimits::isShort)
            .sorted(Comparator.comparing(it -> !isCluster(it)))
            .limit(MOST)
            .toList());
  }

  private static void dropAnnotations(ObjectMeta metadata, Predicate<String> isRead, int most) {
    if (metadata.getAnnotations() == null) {
      return;
    }
    var kept = new TreeMap<String, String>();
    metadata.getAnnotations().entrySet().stream()
        .filter(it -> isRead.test(it.getKey()) && isShort(it.getValue()))
        .limit(most)
        .forEach(it -> kept.put(it.getKey(), it.getValue()));
    metadata.setAnnotations(kept);
  }

  private static boolean isShort(String value) {
    return value != null && value.length() <= LONGEST_ANNOTATION;
  }

  private static void dropSpec(Pod pod) {
    pod.getMetadata().setManagedFields(List.of());
    var kept = new PodSpec();
    if (OwnPods.owner(pod).isEmpty()) {
      pod.setStatus(null);
    } else if (pod.getSpec() != null) {
      var ofCluster = pod.getMetadata().getLabels().get(Labels.INSTANCE) + "-";
      kept.setVolumes(
          pod.getSpec().getVolumes().stream()
              .filter(it -> it.getProjected() != null)
              .map(it -> configMaps(it, ofCluster))
              .filter(it -> !it.getProjected().getSources().isEmpty())
              .limit(MOST)
              .toList());
    }
    pod.setSpec(kept);
  }

  private static Volume configMaps(Volume volume, String ofCluster) {
    return new VolumeBuilder()
        .withName(volume.getName())
        .withNewProjected()
        .withSources(
            volume.getProjected().getSources().stream()
                .filter(it -> it.getConfigMap() != null && it.getConfigMap().getName() != null)
                .map(it -> it.getConfigMap().getName())
                .filter(it -> it.startsWith(ofCluster))
                .limit(MOST)
                // Its items may be many.
                .map(
                    it ->
                        new VolumeProjectionBuilder()
                            .withNewConfigMap()
                            .withName(it)
                            .endConfigMap()
                            .build())
                .toList())
        .endProjected()
        .build();
  }

  private static void dropSpec(HasMetadata object) {
    if (object instanceof StatefulSet set) {
      int replicas = Optional.ofNullable(set.getSpec()).map(it -> it.getReplicas()).orElse(0);
      // Fields of others may make it large: without the hash, no rollout would end any more.
      var hash = StatefulSets.templateHash(set).filter(ObjectLimits::isShort);
      set.setSpec(
          new StatefulSetSpecBuilder()
              .withReplicas(replicas)
              .withNewTemplate()
              .withNewMetadata()
              .withAnnotations(hash.map(it -> Map.of(Labels.TEMPLATE_HASH, it)).orElse(null))
              .endMetadata()
              .withNewSpec()
              .endSpec()
              .endTemplate()
              .build());
    } else if (object instanceof Service service) {
      service.setSpec(null);
      service.setStatus(null);
    } else if (object instanceof NetworkPolicy policy) {
      policy.setSpec(null);
    } else if (object instanceof PodDisruptionBudget budget) {
      budget.setSpec(null);
      budget.setStatus(null);
    }
  }

  /** The operator names what it makes for a cluster after the cluster. */
  private static boolean isOwned(ObjectMeta metadata) {
    return metadata.getOwnerReferences().stream()
        .anyMatch(it -> isCluster(it) && metadata.getName().startsWith(it.getName()));
  }

  private static boolean isCluster(OwnerReference owner) {
    return KIND.equals(owner.getKind())
        && owner.getApiVersion() != null
        && owner.getApiVersion().startsWith(GROUP);
  }

  /** The API server limits no text of an owner reference. */
  private static boolean isShort(OwnerReference owner) {
    return Stream.of(owner.getApiVersion(), owner.getKind(), owner.getName(), owner.getUid())
        .allMatch(it -> it != null && it.length() <= LONGEST_NAME);
  }
}
