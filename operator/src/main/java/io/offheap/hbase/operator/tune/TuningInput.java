package io.offheap.hbase.operator.tune;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The input of one tuning step of one region server group.
 *
 * @param settings the user's settings for tuning
 * @param state the state after the last step
 * @param evidence metrics and plan of the group, if there are any
 * @param rollout the state of the group's rollout
 * @param approved id of the recommendation that a user approved
 * @param dismissed id of the recommendation that a user dismissed
 * @param watchedSince since when the group was observed without a break: neither the operator's
 *     absence nor a jump of its clock is time in which a change was watched
 * @param now the time of the step
 */
public record TuningInput(
    TuningSettings settings,
    TuningState state,
    Optional<Evidence> evidence,
    Rollout rollout,
    Optional<String> approved,
    Optional<String> dismissed,
    Instant watchedSince,
    Instant now) {
  /** Readings are ten seconds apart, some arrive late, and a window may be as short as 50 s. */
  private static final double FULL_WINDOW = 0.75;

  /**
   * The permitted gap in the shortest windows, whose readings are 10 s apart: one may be lost, and
   * the next one late.
   */
  private static final Duration SHORTEST_GAP = Duration.ofSeconds(30);

  /** The state of a group's rollout. */
  public sealed interface Rollout {
    /** Every server runs the current plan, and no other rollout is in progress. */
    record Complete() implements Rollout {}

    /** A server does not run the current plan yet, or another rollout is in progress. */
    record InProgress() implements Rollout {}

    /**
     * The current plan was rolled back because its canary was worse or did not start.
     *
     * @param reason which of the two
     * @param evidence the metrics that showed it
     */
    record RolledBack(String reason, List<String> evidence) implements Rollout {}
  }

  /**
   * Metrics of the newest window, of the servers that reported for three quarters of it without a
   * long gap. Counters include what happened in a gap; highest and lowest values do not.
   */
  Optional<Evidence> newestWindow() {
    var window = settings.window();
    var full = Duration.ofMillis((long) (window.toMillis() * FULL_WINDOW));
    var quarter = window.dividedBy(4);
    var gap = quarter.compareTo(SHORTEST_GAP) < 0 ? SHORTEST_GAP : quarter;
    return evidence.map(it -> it.since(now.minus(window)).lasting(full, gap));
  }
}
