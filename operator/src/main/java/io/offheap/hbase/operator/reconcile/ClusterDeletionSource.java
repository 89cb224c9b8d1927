package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.Set;
import java.util.function.Consumer;

/** Calls back when a cluster is deleted: without a finalizer, there is no reconciliation. */
final class ClusterDeletionSource extends AbstractEventSource<Void, HBaseCluster>
    implements ResourceEventAware<HBaseCluster> {
  private final Consumer<HBaseCluster> deleted;

  ClusterDeletionSource(Consumer<HBaseCluster> deleted) {
    super(Void.class, "cluster-deletions");
    this.deleted = deleted;
  }

  @Override
  public void onResourceDeleted(HBaseCluster cluster) {
    deleted.accept(cluster);
  }

  @Override
  public Set<Void> getSecondaryResources(HBaseCluster cluster) {
    return Set.of();
  }
}
