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
 * @param isOutdated whether it is to be replaced: what it was made from is not what is declared, or
 *     its restart was requested
 * @param isChanged whether it is outdated because it would be made differently now
 * @param isReady whether it serves
 * @param isTerminating whether it terminates already
 * @param isSurplus whether it is more than are declared
 * @param restarts how often its container was restarted
 * @param trouble what keeps it from serving, as far as Kubernetes reports
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
  /** Whether no node has room for it, so that nothing follows for a change. */
  boolean isUnschedulable() {
    return trouble.filter(it -> it.kind() == PodTrouble.Kind.NO_NODE).isPresent();
  }
}
