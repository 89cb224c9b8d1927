package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The informer of all clusters' pods, with the names of each cluster's: a look through all pods
 * would take each pass of one cluster longer with every other cluster. Not by the framework's
 * index, which is filled by events and lags behind when the operator starts: a pod that is missed
 * looks like one that was deleted.
 */
public final class PodSource extends InformerEventSource<Pod, HBaseCluster> {
  /** Name of the event source. */
  static final String NAME = "pods";

  private final NameIndex<ResourceID, Pod> names =
      new NameIndex<>(pod -> OwnPods.owner(pod).stream().toList(), this::get);

  /** Made once for a controller. */
  public PodSource(EventSourceContext<HBaseCluster> context) {
    super(
        InformerEventSourceConfiguration.from(Pod.class, HBaseCluster.class)
            .withName(NAME)
            .withLabelSelector(Labels.MANAGED_SELECTOR)
            .withSecondaryToPrimaryMapper(pod -> OwnPods.owner(pod).map(Set::of).orElse(Set.of()))
            .build(),
        context);
    // Called with each pod as it comes into the cache; the index itself stays empty.
    addIndexers(
        Map.of(
            "cluster",
            pod -> {
              names.add(pod);
              return List.of();
            }));
  }

  @Override
  public synchronized void onDelete(Pod pod, boolean isStateUnknown) {
    names.remove(pod);
    super.onDelete(pod, isStateUnknown);
  }

  /** The pods of a cluster that the informer has. */
  List<Pod> of(ResourceID cluster) {
    return names.of(cluster);
  }
}
