package io.offheap.hbase.operator.webhook;

/** The clusters that an alert may be about; both methods read a cache and never block. */
public interface WatchedClusters {
  /** Whether the operator watches this namespace. */
  boolean isWatched(String namespace);

  /** Whether this cluster exists. */
  boolean exists(ClusterName cluster);
}
