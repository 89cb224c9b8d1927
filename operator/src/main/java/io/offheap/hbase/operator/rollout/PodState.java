package io.offheap.hbase.operator.rollout;

/**
 * A region server's pod, as far as a restart depends on it.
 *
 * @param name pod
 * @param ordinal its number in the StatefulSet
 * @param outdated whether it was made from another template than the one it would get now
 * @param ready whether it serves
 * @param terminating whether it is going already
 */
public record PodState(
    String name, int ordinal, boolean outdated, boolean ready, boolean terminating) {}
