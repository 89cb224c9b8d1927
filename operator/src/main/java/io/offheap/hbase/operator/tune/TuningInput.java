package io.offheap.hbase.operator.tune;

import java.time.Instant;
import java.util.Optional;

/**
 * What one step of tuning stands on.
 *
 * @param rules how a person wants it done
 * @param memory what the last step said to remember
 * @param evidence what the group is judged by, where there is any
 * @param rollout where the group's rollout is
 * @param approved the recommendation that a person approved
 * @param now the time
 */
public record TuningInput(
    TuningRules rules,
    TuningMemory memory,
    Optional<Evidence> evidence,
    Rollout rollout,
    Optional<String> approved,
    Instant now) {
  /** Where a group's rollout is. */
  public enum Rollout {
    /** Every server runs with the plan as it is now, and nothing else is under way. */
    OVER,
    /** A server does not yet, or something else is under way. */
    UNDER_WAY,
    /** The plan as it is now was taken back, because its canary was worse or did not start. */
    TAKEN_BACK
  }
}
