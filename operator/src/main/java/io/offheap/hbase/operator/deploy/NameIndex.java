package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Names of objects by a key, beside an informer's cache that has the objects by name.
 *
 * <p>Not an index of that cache. The cache takes an object out of an index and puts it in again
 * each time when the object changes, and readers take no lock: a reader in between misses an object
 * that exists. Here a name stays from before the first change until after the deletion, and the
 * cache replaces an object by its name in one step.
 *
 * @param <K> what objects are found by
 * @param <R> the kind of object
 */
public final class NameIndex<K, R extends HasMetadata> {
  private final Map<K, Set<ResourceID>> names = new ConcurrentHashMap<>();
  private final Function<R, ? extends Collection<K>> keys;
  private final Function<ResourceID, Optional<R>> cache;

  /**
   * An empty index.
   *
   * @param keys an object's keys
   * @param cache returns an object by its name, empty if there is none; must not block
   */
  public NameIndex(
      Function<R, ? extends Collection<K>> keys, Function<ResourceID, Optional<R>> cache) {
    this.keys = keys;
    this.cache = cache;
  }

  /** An indexer of the cache must call it with each object that enters the cache. */
  public void add(R object) {
    var name = ResourceID.fromResource(object);
    keys.apply(object)
        .forEach(
            key ->
                names.compute(
                    key,
                    (it, known) ->
                        known != null && known.contains(name) ? known : with(known, name)));
  }

  /** An object was deleted. One of the same name may be in the cache already, and stays. */
  public void remove(R object) {
    var name = ResourceID.fromResource(object);
    names.forEach(
        (key, all) -> {
          if (all.contains(name)) {
            names.computeIfPresent(
                key,
                // A concurrent add of the same name waits for this computation.
                (it, known) -> cache.apply(name).isPresent() ? known : without(known, name));
          }
        });
  }

  /** The objects in the cache that have a key. */
  public List<R> of(K key) {
    return names.getOrDefault(key, Set.of()).stream()
        .flatMap(name -> cache.apply(name).stream())
        .filter(object -> keys.apply(object).contains(key))
        .toList();
  }

  /** How many keys have a name. */
  int size() {
    return names.size();
  }

  private static Set<ResourceID> with(Set<ResourceID> known, ResourceID name) {
    var names = known == null ? new HashSet<ResourceID>() : new HashSet<>(known);
    names.add(name);
    return Set.copyOf(names);
  }

  /** Null if none is left. */
  private static Set<ResourceID> without(Set<ResourceID> known, ResourceID name) {
    var names = new HashSet<>(known);
    names.remove(name);
    return names.isEmpty() ? null : Set.copyOf(names);
  }
}
