package io.offheap.hbase.operator.rollout;

import java.time.Instant;
import java.util.Set;

/**
 * A simulated StatefulSet beside what is declared for its pods. The operator writes the declared
 * revision and number into it, and its controller sees the revision three seconds later.
 */
final class SimulatedStatefulSet {
  private static final int SECONDS_TO_OBSERVE = 3;
  private static final int NONE = 0;

  /** The declared number of pods. */
  int declared;

  /** The number of pods in the StatefulSet, as the operator has written it. */
  int replicas;

  /** The declared revision. */
  int revision = 1;

  /** The last revision with which all pods have served; {@link #NONE} if that is not known. */
  int older = 1;

  /** The revision that new pods get. */
  int observed = 1;

  /** When the declared revision became another one. */
  Instant since = Instant.MIN;

  boolean isRolledBack;
  boolean isHalted;
  Set<Integer> proven = Set.of(1);
  private int applied = 1;
  private Instant appliedAt = Instant.MIN;

  SimulatedStatefulSet(int declared) {
    this.declared = declared;
    this.replicas = declared;
  }

  void change(int other, Instant now) {
    since = revision == other ? since : now;
    revision = other;
    isRolledBack = false;
    isHalted = false;
  }

  /** Rolls the change back; without an older revision, the restarts of its pods are halted. */
  void rollBack(Instant now) {
    boolean hasOlder = hasOlder();
    if (hasOlder) {
      change(older, now);
    }
    isRolledBack = true;
    isHalted = !hasOlder;
  }

  /** Whether its pods have served with another revision, as far as it is known. */
  boolean hasOlder() {
    return older != NONE && revision != older;
  }

  /** It is not known with which revision the pods have served, as after a loss of the status. */
  void forget() {
    older = NONE;
    proven = Set.of();
  }

  /** Whether the declared revision is written. */
  boolean isApplied() {
    return applied == revision;
  }

  /** The operator writes the declared revision. */
  void apply(Instant now) {
    applied = revision;
    appliedAt = now;
  }

  /** Its controller sees what was written some time ago. */
  void tick(Instant now) {
    if (now.isAfter(appliedAt.plusSeconds(SECONDS_TO_OBSERVE))) {
      observed = applied;
    }
  }

  /** Whether a deleted pod would be created as it is declared now. */
  boolean isObserved() {
    return isApplied() && observed == revision;
  }
}
