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
 * @param restarts how often its server's process has ended; other containers do not count
 * @param isEndedByNode whether its server's last process ended with its node
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
    boolean isEndedByNode,
    Optional<PodTrouble> trouble) {
  /** Whether no node runs it, as far as Kubernetes knows: no evidence against a change. */
  boolean isWithoutNode() {
    return isSilent() || isUnschedulable();
  }

  /** Whether no node has room for it. */
  boolean isUnschedulable() {
    return hasTrouble(PodTrouble.Kind.NO_NODE);
  }

  /** Whether its node has ceased to report it. Its server may still run. */
  boolean isSilent() {
    return hasTrouble(PodTrouble.Kind.SILENT_NODE);
  }

  /** Whether its node has ended it, for ever. */
  boolean isEvicted() {
    return hasTrouble(PodTrouble.Kind.EVICTED);
  }

  private boolean hasTrouble(PodTrouble.Kind kind) {
    return trouble.filter(it -> it.kind() == kind).isPresent();
  }
}
