package io.offheap.hbase.operator.rollout;

import java.time.Instant;
import java.util.Optional;

/**
 * A pod of ZooKeeper or HDFS, as far as a restart depends on it.
 *
 * @param name pod
 * @param ordinal its number in the StatefulSet
 * @param outdated whether its template is not the current one
 * @param ready whether it serves
 * @param terminating whether it is being deleted
 * @param since since when it does not serve, or starts again; the end of its grace period if it is
 *     being deleted
 * @param cannotStart whether it does not serve, as it cannot start as it was made
 * @param trouble what keeps it from serving, as Kubernetes reports it
 */
public record PodState(
    String name,
    int ordinal,
    boolean outdated,
    boolean ready,
    boolean terminating,
    Instant since,
    boolean cannotStart,
    Optional<PodTrouble> trouble) {

  /** Whether a deletion would take effect now. */
  boolean isReported() {
    return trouble.filter(it -> it.kind() == PodTrouble.Kind.SILENT_NODE).isEmpty();
  }

  /** For messages: its name, and what keeps it from serving. */
  public String text() {
    return name + trouble.map(it -> ", which " + it.text()).orElse("");
  }
}
