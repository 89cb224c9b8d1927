package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Names of each cluster's pods, beside an informer's cache that has the pods by name.
 *
 * <p>Not an index of that cache. The cache takes a pod out of an index and puts it in again each
 * time when the pod changes, and readers take no lock: a reader in between misses a pod that
 * exists. Here a name stays from before the first change until after the deletion, and the cache
 * replaces a pod by its name in one step.
 */
final class PodNames {
  private final Map<ResourceID, Set<ResourceID>> names = new ConcurrentHashMap<>();
  private final Function<ResourceID, Optional<Pod>> cache;

  /**
   * Without any name.
   *
   * @param cache a pod by its name, empty where there is none; must not wait
   */
  PodNames(Function<ResourceID, Optional<Pod>> cache) {
    this.cache = cache;
  }

  /** A pod is in the cache, or was a moment ago. */
  void add(Pod pod) {
    var name = ResourceID.fromResource(pod);
    OwnPods.owner(pod)
        .ifPresent(
            cluster ->
                names.compute(
                    cluster,
                    (id, known) ->
                        known != null && known.contains(name) ? known : with(known, name)));
  }

  /** A pod was deleted. One of the same name may be in the cache already, and keeps its name. */
  void remove(Pod pod) {
    var name = ResourceID.fromResource(pod);
    OwnPods.owner(pod)
        .ifPresent(
            cluster ->
                names.computeIfPresent(
                    cluster,
                    // A pod that comes now waits here with its name.
                    (id, known) -> cache.apply(name).isPresent() ? known : without(known, name)));
  }

  /** The pods of a cluster that are in the cache. */
  List<Pod> of(ResourceID cluster) {
    return names.getOrDefault(cluster, Set.of()).stream()
        .flatMap(name -> cache.apply(name).stream())
        .filter(pod -> OwnPods.owner(pod).filter(cluster::equals).isPresent())
        .toList();
  }

  /** How many clusters have a name. */
  int size() {
    return names.size();
  }

  private static Set<ResourceID> with(Set<ResourceID> known, ResourceID name) {
    var names = known == null ? new HashSet<ResourceID>() : new HashSet<>(known);
    names.add(name);
    return Set.copyOf(names);
  }

  /** Null where none is left. */
  private static Set<ResourceID> without(Set<ResourceID> known, ResourceID name) {
    var names = new HashSet<>(known);
    names.remove(name);
    return names.isEmpty() ? null : Set.copyOf(names);
  }
}
