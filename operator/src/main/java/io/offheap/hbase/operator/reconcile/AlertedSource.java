package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.Set;

/** Wakes a pass for a cluster that an alert names; the event has no content. */
final class AlertedSource extends AbstractEventSource<Void, HBaseCluster> {
  AlertedSource() {
    super(Void.class, "alerted");
  }

  /** A cluster is to be looked at. */
  void wake(ResourceID id) {
    if (isRunning()) {
      getEventHandler().handleEvent(new Event(id));
    }
  }

  @Override
  public Set<Void> getSecondaryResources(HBaseCluster cluster) {
    return Set.of();
  }
}
