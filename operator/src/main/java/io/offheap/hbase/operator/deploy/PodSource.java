package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The informer of all clusters' pods, with an index by cluster: without it, each reconciliation
 * would scan the pods of all clusters. The framework's index is filled by events and lags behind
 * when the operator starts, and a missing pod would count as deleted.
 */
public final class PodSource extends InformerEventSource<Pod, HBaseCluster> {
  /** Name of the event source. */
  private static final String NAME = "pods";

  private final NameIndex<ResourceID, Pod> names =
      new NameIndex<>(pod -> OwnPods.owner(pod).stream().toList(), this::get);

  /** Creates the event source of a controller. */
  public PodSource(EventSourceContext<HBaseCluster> context) {
    super(
        InformerEventSourceConfiguration.from(Pod.class, HBaseCluster.class)
            .withName(NAME)
            .withLabelSelector(Labels.MANAGED_SELECTOR)
            .withInformerListLimit(InformerLists.PAGE)
            .withSecondaryToPrimaryMapper(pod -> OwnPods.owner(pod).map(Set::of).orElse(Set.of()))
            .build(),
        context);
    // Called with each pod that enters the cache; the cache's own index stays empty.
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

  /** The pods of the reconciled cluster. */
  public static List<Pod> pods(Context<HBaseCluster> context) {
    var source = (PodSource) context.eventSourceRetriever().getEventSourceFor(Pod.class, NAME);
    return source.of(ResourceID.fromResource(context.getPrimaryResource()));
  }

  /** The pods of a cluster that the informer has. */
  List<Pod> of(ResourceID cluster) {
    return names.of(cluster);
  }
}
