package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.Store;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.ObjectName;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The names of all config maps that clusters may refer to, by one watch of all namespaces or one
 * for each watched namespace. A watch begins with the first reference and keeps only names, those
 * of clusters' own config maps included: a cluster may refer to files of another one. The creation
 * or deletion of a referenced config map triggers a reconciliation.
 *
 * <p>An informer of the framework would count them as the cluster's own objects and delete the
 * undesired ones. It also has one store for all namespaces, in which the list of one would remove
 * the names of the others.
 */
final class ReferencedConfigMaps extends AbstractEventSource<Void, HBaseCluster> {
  /** A namespace may have many config maps of 1 MiB, and a page of them is in memory at once. */
  private static final long PER_PAGE = 10;

  private final KubernetesClient client;
  private final boolean isEveryNamespace;
  private final Supplier<Stream<HBaseCluster>> clusters;
  private final Map<String, SharedIndexInformer<ConfigMap>> watched = new HashMap<>();

  /** Keeps names. */
  private static final class Names extends BasicItemStore<ConfigMap> {
    Names() {
      super(Cache::metaNamespaceKeyFunc);
    }

    @Override
    public ConfigMap put(String key, ConfigMap map) {
      return super.put(
          key,
          new ConfigMapBuilder()
              .withNewMetadata()
              .withName(map.getMetadata().getName())
              .withNamespace(map.getMetadata().getNamespace())
              .withResourceVersion(map.getMetadata().getResourceVersion())
              .endMetadata()
              .build());
    }
  }

  /**
   * For one controller.
   *
   * @param namespaces the watched namespaces, in the framework's form
   * @param clusters all clusters, by the informer
   */
  ReferencedConfigMaps(
      KubernetesClient client, Set<String> namespaces, Supplier<Stream<HBaseCluster>> clusters) {
    super(Void.class, "referenced-config-maps");
    this.client = client;
    this.isEveryNamespace = namespaces.contains(Constants.WATCH_ALL_NAMESPACES);
    this.clusters = clusters;
  }

  /** Names of the config maps that a cluster refers to. */
  static List<String> references(HBaseCluster cluster) {
    var storage = cluster.getSpec().storage();
    // Required, but a value that cannot be read is left out.
    var external = storage == null ? null : storage.external();
    return external == null
        ? List.of()
        : external.configMapRefs().stream().map(ObjectName::name).toList();
  }

  /**
   * The problems of missing ones. A config map without a known name is requested: a watch may be
   * late, and is empty at first.
   */
  List<PlanProblem> missing(HBaseCluster cluster) {
    var references = references(cluster);
    if (references.isEmpty()) {
      return List.of();
    }
    var namespace = cluster.getMetadata().getNamespace();
    var known = known(isEveryNamespace ? "" : namespace);
    return references.stream()
        .filter(
            name ->
                known
                    .filter(it -> it.getByKey(Cache.namespaceKeyFunc(namespace, name)) != null)
                    .isEmpty())
        .filter(name -> client.configMaps().inNamespace(namespace).withName(name).get() == null)
        .map(name -> problem(name, namespace))
        .toList();
  }

  private static PlanProblem problem(String name, String namespace) {
    return new PlanProblem(
        "spec.storage.external.configMapRefs",
        "there is no config map '"
            + name
            + "' in namespace "
            + namespace
            + "; make one with the core-site.xml and hdfs-site.xml of that HDFS");
  }

  /** The watch of a namespace. After this source has stopped, no watch begins. */
  private synchronized Optional<Store<ConfigMap>> known(String namespace) {
    if (isRunning()) {
      watched.computeIfAbsent(namespace, this::watch);
    }
    return Optional.ofNullable(watched.get(namespace)).map(SharedIndexInformer::getStore);
  }

  /** Does not block; a failed start is repeated while this source runs. */
  private SharedIndexInformer<ConfigMap> watch(String namespace) {
    var maps = client.configMaps();
    var informer =
        (namespace.isEmpty() ? maps.inAnyNamespace() : maps.inNamespace(namespace))
            .withLimit(PER_PAGE)
            .runnableInformer(0)
            .itemStore(new Names())
            .addEventHandler(new Changes())
            .exceptionHandler((hasStarted, failure) -> true);
    var unused = informer.start();
    return informer;
  }

  private void wake(ConfigMap map) {
    if (!isRunning()) {
      return;
    }
    var about = map.getMetadata();
    clusters
        .get()
        .filter(it -> it.getMetadata().getNamespace().equals(about.getNamespace()))
        .filter(it -> references(it).contains(about.getName()))
        .forEach(it -> getEventHandler().handleEvent(new Event(ResourceID.fromResource(it))));
  }

  private final class Changes implements ResourceEventHandler<ConfigMap> {
    @Override
    public void onAdd(ConfigMap map) {
      wake(map);
    }

    @Override
    public void onUpdate(ConfigMap before, ConfigMap map) {
      // It still exists.
    }

    @Override
    public void onDelete(ConfigMap map, boolean isFinalStateUnknown) {
      wake(map);
    }
  }

  @Override
  public Set<Void> getSecondaryResources(HBaseCluster cluster) {
    return Set.of();
  }

  @Override
  public synchronized void stop() {
    super.stop();
    watched.values().forEach(SharedIndexInformer::stop);
    watched.clear();
  }
}
