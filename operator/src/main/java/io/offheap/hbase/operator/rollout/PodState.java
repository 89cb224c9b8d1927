package io.offheap.hbase.operator.rollout;

/**
 * A pod of ZooKeeper or HDFS, as far as a restart depends on it.
 *
 * @param name pod
 * @param ordinal its number in the StatefulSet
 * @param outdated whether its template is not the current one
 * @param ready whether it serves
 * @param terminating whether it is being deleted
 */
public record PodState(
    String name, int ordinal, boolean outdated, boolean ready, boolean terminating) {}
