package io.offheap.hbase.operator.tune;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
  /** Readings are ten seconds apart and late at times, and a window may be one of a minute. */
  private static final double FULL_WINDOW = 0.75;

  /** Where a group's rollout is. */
  public sealed interface Rollout {
    /** Every server runs with the plan as it is now, and nothing else is under way. */
    record Over() implements Rollout {}

    /** A server does not yet, or something else is under way. */
    record UnderWay() implements Rollout {}

    /**
     * The plan as it is now was taken back, because its canary was worse or did not start.
     *
     * @param reason which of them
     * @param evidence its numbers
     */
    record TakenBack(String reason, List<String> evidence) implements Rollout {}
  }

  /** What was said in the newest window, by the servers that spoke for all of it. */
  Optional<Evidence> newestWindow() {
    var window = rules.window();
    var full = Duration.ofMillis((long) (window.toMillis() * FULL_WINDOW));
    return evidence.map(it -> it.since(now.minus(window)).lasting(full));
  }
}
