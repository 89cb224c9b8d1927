package io.offheap.hbase.operator.tune;

import java.util.OptionalDouble;

/**
 * One symptom of a region server group, and the change of settings that reduces it.
 *
 * <p>A rule is a class of its own, without state. {@link Rules} lists all rules.
 */
public interface Rule {
  /**
   * The name in the resource, in status, in events and in metrics. A user can disable a rule by
   * this name, so it never changes.
   */
  String name();

  /**
   * Whether a change by this rule was seen to help a real region server, from the first evidence to
   * the comparison after which the change was kept. Other rules recommend, and a user approves.
   */
  boolean isProven();

  /**
   * Whether a proposal of this rule is of the kind that was seen to help, for a rule that makes
   * changes of several kinds.
   */
  default boolean isProven(RuleResult.Proposal proposal, Evidence evidence) {
    return isProven();
  }

  /** The cause to suspect where the rule's changes have no effect. */
  String suspicion();

  /**
   * The number that must fall, of the server with the highest: a share from 0 to 1. A change after
   * which it is as high is rolled back. Empty where no server reports the metrics for it.
   */
  OptionalDouble symptom(Evidence evidence);

  /**
   * Whether the symptom is a cost itself: time in pauses, or reads that the pool does not serve as
   * it should. Where it only counts what the collector does, a change is kept only if clients feel
   * it ({@link Comparison}).
   */
  boolean isSymptomFelt();

  /**
   * Whether one change must be enough: a second proposal without more traffic means that the first
   * change had no effect.
   */
  default boolean isOneStep() {
    return false;
  }

  /** The change to make, or the reason for none. */
  RuleResult evaluate(Evidence evidence);
}
