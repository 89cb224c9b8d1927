package io.offheap.hbase.operator.webhook;

/** What there is to look at; both answers come from memory, at once. */
public interface WatchedClusters {
  /** Whether the operator looks after this namespace. */
  boolean isWatched(String namespace);

  /** Whether there is such a cluster. */
  boolean exists(ClusterName cluster);
}
