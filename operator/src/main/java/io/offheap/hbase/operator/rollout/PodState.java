package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.util.Optional;

/**
 * A pod of ZooKeeper or HDFS, as far as a restart depends on it.
 *
 * @param name pod
 * @param ordinal its number in the StatefulSet
 * @param outdated whether its template is not the current one
 * @param phase how it is
 * @param times the times by which Kubernetes reports that its state began; they are of several
 *     clocks, so that one says nothing but that it is another than before
 * @param lasted how long this process has seen it in that state; if it is being deleted, since the
 *     end of its grace period, and negative before
 * @param trouble what keeps it from serving, as Kubernetes reports it
 */
public record PodState(
    String name,
    int ordinal,
    boolean outdated,
    Phase phase,
    String times,
    Duration lasted,
    Optional<PodTrouble> trouble) {

  /**
   * A name node reads its image and edits, and waits for reports of blocks: with many files, for
   * minutes. One that would never serve, for example in safe mode, looks alike, so the time has an
   * end. A person who knows better deletes the pod.
   */
  public static final Duration LONGEST_LOAD = Duration.ofMinutes(30);

  /** How a pod is. */
  public enum Phase {
    SERVING,
    /** It does not serve yet, and a restart would take away what its process has done so far. */
    LOADING,
    /** It does not serve, as it cannot start as it was made. */
    CANNOT_START,
    /** It does not serve, for whatever other reason. */
    DOWN,
    /** It is being deleted. */
    TERMINATING
  }

  /** Whether it serves. */
  public boolean ready() {
    return phase == Phase.SERVING;
  }

  /** Whether it is being deleted. */
  public boolean terminating() {
    return phase == Phase.TERMINATING;
  }

  /** Whether it does not serve, as it cannot start as it was made. */
  public boolean cannotStart() {
    return phase == Phase.CANNOT_START;
  }

  /** The same state, seen for some time. */
  PodState seenFor(Duration time) {
    return new PodState(name, ordinal, outdated, phase, times, lasted.plus(time), trouble);
  }

  /** Whether a deletion would take effect now. */
  boolean isReported() {
    return trouble.filter(it -> it.kind() == PodTrouble.Kind.SILENT_NODE).isEmpty();
  }

  /** For messages: its name, and what keeps it from serving. */
  public String text() {
    return name + trouble.map(it -> ", which " + it.text()).orElse("");
  }
}
