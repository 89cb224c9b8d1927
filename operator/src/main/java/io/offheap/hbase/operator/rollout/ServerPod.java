package io.offheap.hbase.operator.rollout;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;

/**
 * The pod of a region server or a master, as far as a rollout depends on it.
 *
 * @param name pod; its host's first part, thus in HBase's server names
 * @param uid distinguishes the pod from one of the same name that comes after it
 * @param group group of region servers; empty for the default group and for masters
 * @param ordinal its number in the StatefulSet
 * @param isOutdated whether it must be replaced: its spec is not the declared one, or its restart
 *     was requested
 * @param isChanged whether its spec is not the declared one
 * @param isReady whether it serves
 * @param isTerminating whether it is being deleted
 * @param isSurplus whether it exceeds the declared number
 * @param restarts how often its container was restarted
 * @param trouble what keeps it from serving, as Kubernetes reports it
 */
@RecordBuilder
public record ServerPod(
    String name,
    String uid,
    String group,
    int ordinal,
    boolean isOutdated,
    boolean isChanged,
    boolean isReady,
    boolean isTerminating,
    boolean isSurplus,
    int restarts,
    Optional<PodTrouble> trouble) {
  /** Whether no node has room for it, which is no evidence against a change. */
  boolean isUnschedulable() {
    return trouble.filter(it -> it.kind() == PodTrouble.Kind.NO_NODE).isPresent();
  }
}
