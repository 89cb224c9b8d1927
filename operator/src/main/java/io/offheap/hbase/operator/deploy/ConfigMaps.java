package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import io.javaoperatorsdk.operator.processing.event.source.SecondaryToPrimaryMapper;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.render.ConfigFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Immutable config maps, named by a hash of their content, one for each role. Under names that stay
 * there is one for clients, and for each group of region servers one with what its running servers
 * take over. One that is no longer desired is kept while a pod has it mounted.
 */
@KubernetesDependent(informer = @Informer(labelSelector = Labels.MANAGED_SELECTOR))
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

  /** One that outlives its cluster has no owner, and wakes a pass of the cluster's all the same. */
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

  @Override
  boolean isDisposable(ConfigMap map, ClusterModel model, Context<HBaseCluster> context) {
    var name = map.getMetadata().getName();
    return RememberedMap.cluster(map).isEmpty()
        && OwnPods.of(context).stream().noneMatch(pod -> mounts(pod, name));
  }

  /** Whether a pod has a config map's files in its configuration folder. */
  public static boolean mounts(Pod pod, String configMap) {
    return pod.getSpec().getVolumes().stream()
        .filter(volume -> volume.getProjected() != null)
        .flatMap(volume -> volume.getProjected().getSources().stream())
        .anyMatch(
            source ->
                source.getConfigMap() != null && configMap.equals(source.getConfigMap().getName()));
  }
}
