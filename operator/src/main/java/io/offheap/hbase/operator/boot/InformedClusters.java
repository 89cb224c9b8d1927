package io.offheap.hbase.operator.boot;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.reconcile.HBaseClusterReconciler;
import io.offheap.hbase.operator.webhook.ClusterName;
import io.offheap.hbase.operator.webhook.WatchedClusters;
import java.util.Set;

/**
 * The clusters in the controller's cache.
 *
 * @param namespaces the watched namespaces; empty for all
 */
record InformedClusters(HBaseClusterReconciler reconciler, Set<String> namespaces)
    implements WatchedClusters {
  @Override
  public boolean isWatched(String namespace) {
    return namespaces.isEmpty() || namespaces.contains(namespace);
  }

  @Override
  public boolean exists(ClusterName cluster) {
    return reconciler.exists(new ResourceID(cluster.name(), cluster.namespace()));
  }
}
