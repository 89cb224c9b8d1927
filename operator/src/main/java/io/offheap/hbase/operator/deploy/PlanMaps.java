package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.plan.MemoryPlan;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * The digests of each cluster's config map {@code NAME-plan}. The text, with a sentence for each
 * value, is rendered only if a plan or a reason differs from the last reconciliation: plans are
 * compared as data, and most reconciliations change none.
 *
 * <p>A reconciliation can end after its cluster was deleted. Nothing is kept of such a cluster,
 * since it would never be removed.
 */
public final class PlanMaps {
  private final BiFunction<HBaseCluster, List<GroupPlan>, ConfigMap> texts;
  private final Predicate<ResourceID> exists;
  private final Map<ResourceID, Last> lasts = new ConcurrentHashMap<>();

  /**
   * The result of a cluster's last reconciliation.
   *
   * @param plans by group
   * @param digests of their texts, by the config map's key
   */
  private record Last(Map<String, MemoryPlan> plans, Map<String, String> digests) {}

  /**
   * For one controller.
   *
   * @param exists whether a cluster exists, by the informer; false for a deleted one before {@link
   *     #forget} is called for it
   */
  public PlanMaps(Predicate<ResourceID> exists) {
    this(PlanMap::of, exists);
  }

  PlanMaps(
      BiFunction<HBaseCluster, List<GroupPlan>, ConfigMap> texts, Predicate<ResourceID> exists) {
    this.texts = texts;
    this.exists = exists;
  }

  /** The desired config map with digests in place of texts, as the operator's client reads it. */
  public ConfigMap digests(HBaseCluster cluster, List<GroupPlan> plans) {
    var id = ResourceID.fromResource(cluster);
    var byGroup = new TreeMap<String, MemoryPlan>();
    plans.forEach(it -> byGroup.put(it.group().name(), it.plan()));
    var last = lasts.get(id);
    if (last == null || !last.plans().equals(byGroup)) {
      last = new Last(byGroup, ConfigMapDigests.of(texts.apply(cluster, plans).getData()));
      lasts.put(id, last);
      // Checked after the put: in any order, either this or forget comes last.
      if (!exists.test(id)) {
        forget(id);
      }
    }
    return PlanMap.of(cluster, last.digests());
  }

  /** Removes a deleted cluster. */
  public void forget(ResourceID id) {
    lasts.remove(id);
  }

  /** Number of kept clusters. */
  int size() {
    return lasts.size();
  }
}
