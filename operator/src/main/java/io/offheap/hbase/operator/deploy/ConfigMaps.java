package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.dependent.Matcher;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.source.SecondaryToPrimaryMapper;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.render.ConfigFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Immutable config maps, named by a hash of their content, one for each role. Two kinds have
 * constant names: the clients' one, and for each group of region servers the one with the values
 * that running servers reload. A config map that is no longer desired is kept while a pod mounts
 * it.
 */
@KubernetesDependent(
    informer =
        @Informer(labelSelector = Labels.MANAGED_SELECTOR, informerListLimit = InformerLists.PAGE))
public class ConfigMaps extends ManagedResource<ConfigMap> {
  /** Made by JOSDK. */
  public ConfigMaps() {
    super(ConfigMap.class);
  }

  @Override
  List<ConfigMap> desired(ClusterModel model) {
    var maps = new ArrayList<ConfigMap>();
    for (RoleModel role : model.roles()) {
      maps.add(
          new ConfigMapBuilder()
              .withMetadata(metadata(model, role.configMapName(), role.labels()))
              .withImmutable(true)
              .withData(role.configFiles())
              .build());
      role.online()
          .ifPresent(
              online ->
                  maps.add(
                      new ConfigMapBuilder()
                          .withMetadata(metadata(model, online.configMap(), role.labels()))
                          .withData(online.files())
                          .build()));
    }
    maps.add(
        new ConfigMapBuilder()
            .withMetadata(metadata(model, model.clientConfigMapName(), Labels.of(model.cluster())))
            .withData(ConfigFiles.client(model.topology(), model.clientConfig()))
            .build());
    return maps;
  }

  /** The remembered map may have no owner; its changes must trigger a reconciliation as well. */
  @Override
  protected Optional<SecondaryToPrimaryMapper<ConfigMap>> getSecondaryToPrimaryMapper(
      EventSourceContext<HBaseCluster> context) {
    return super.getSecondaryToPrimaryMapper(context)
        .map(
            owners ->
                map ->
                    RememberedMap.cluster(map)
                        .map(Set::of)
                        .orElseGet(() -> owners.toPrimaryResourceIDs(map)));
  }

  /** By digests, in place of the texts and managed fields that the operator's client drops. */
  @Override
  public Matcher.Result<ConfigMap> match(
      ConfigMap actual, ConfigMap desired, HBaseCluster cluster, Context<HBaseCluster> context) {
    addMetadata(true, actual, desired, cluster, context);
    return Matcher.Result.computed(isSame(actual, desired), desired);
  }

  private static boolean isSame(ConfigMap actual, ConfigMap desired) {
    return Objects.equals(actual.getData(), ConfigMapDigests.of(desired.getData()))
        // One that another has made immutable stays so: to apply it again would change nothing.
        && (!Boolean.TRUE.equals(desired.getImmutable())
            || Boolean.TRUE.equals(actual.getImmutable()))
        && actual
            .getMetadata()
            .getLabels()
            .entrySet()
            .containsAll(desired.getMetadata().getLabels().entrySet())
        && owners(actual).containsAll(owners(desired));
  }

  private static Set<String> owners(ConfigMap map) {
    return map.getMetadata().getOwnerReferences().stream()
        .map(OwnerReference::getUid)
        .collect(Collectors.toSet());
  }

  @Override
  boolean isDisposable(ConfigMap map, ClusterModel model, Context<HBaseCluster> context) {
    var name = map.getMetadata().getName();
    return RememberedMap.cluster(map).isEmpty()
        && !PlanMap.isOne(map)
        && PodSource.pods(context).stream().noneMatch(pod -> mounts(pod, name));
  }

  /** Whether a pod mounts a config map in its configuration folder. */
  public static boolean mounts(Pod pod, String configMap) {
    return pod.getSpec().getVolumes().stream()
        .filter(volume -> volume.getProjected() != null)
        .flatMap(volume -> volume.getProjected().getSources().stream())
        .anyMatch(
            source ->
                source.getConfigMap() != null && configMap.equals(source.getConfigMap().getName()));
  }
}
