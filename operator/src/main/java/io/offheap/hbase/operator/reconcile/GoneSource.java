package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.Set;
import java.util.function.Consumer;

/** Tells when a cluster is gone: without a finalizer, no pass does. */
final class GoneSource extends AbstractEventSource<Void, HBaseCluster>
    implements ResourceEventAware<HBaseCluster> {
  private final Consumer<HBaseCluster> gone;

  GoneSource(Consumer<HBaseCluster> gone) {
    super(Void.class, "gone");
    this.gone = gone;
  }

  @Override
  public void onResourceDeleted(HBaseCluster cluster) {
    gone.accept(cluster);
  }

  @Override
  public Set<Void> getSecondaryResources(HBaseCluster cluster) {
    return Set.of();
  }
}
