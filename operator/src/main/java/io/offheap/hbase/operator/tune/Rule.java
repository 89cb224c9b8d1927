package io.offheap.hbase.operator.tune;

import java.util.OptionalDouble;

/** One thing that may be wrong with a group of region servers, and what to change then. */
public interface Rule {
  RuleName name();

  /**
   * The figure that the rule wants lower, of the server with the highest: what a change is judged
   * by. Empty where the evidence does not tell.
   */
  OptionalDouble symptom(Evidence evidence);

  /**
   * Whether one change is to mend the matter: where the rule asks for another with no more traffic,
   * the last one did not.
   */
  default boolean isOneStep() {
    return false;
  }

  /** What to change, or why nothing. */
  RuleResult evaluate(Evidence evidence);
}
