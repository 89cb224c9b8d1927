package io.offheap.hbase.operator.rollout;

import java.util.Optional;

/**
 * The result of a reconciliation for a rollout.
 *
 * @param before what was remembered
 * @param decision what was decided
 * @param lock version of the resource that alone may be written over; empty where what is
 *     remembered stays as it is
 * @param isStale whether the decision was not carried out, as it was made from an older resource
 */
public record RolloutResult(
    Optional<Rollout> before, Decision decision, Optional<String> lock, boolean isStale) {
  /** The stored state after this reconciliation. */
  public Optional<Rollout> remembered() {
    return isStale ? before : decision.remembered();
  }

  /** Whether a rollout is under way, or waits for something. */
  public boolean isActive() {
    return isStale || remembered().isPresent() || decision.waitsFor().isPresent();
  }
}
