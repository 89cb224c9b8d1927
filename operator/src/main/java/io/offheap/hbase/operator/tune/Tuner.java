package io.offheap.hbase.operator.tune;

/**
 * Applies the rules' proposals one at a time and rolls back the changes without effect.
 *
 * <p>A step depends on its input alone: the state after the last step, the metrics, the rollout and
 * the time. It does one thing:
 *
 * <ol>
 *   <li><b>Disabled</b>: every tuned value is dropped, so that the plan is as declared. The records
 *       of the rules are cleared; the history stays.
 *   <li>A tuned value that the resource or its profile declares is dropped, and so is one of a rule
 *       that this version does not have.
 *   <li><b>A change is on trial</b>: nothing else changes until it is kept or rolled back ({@link
 *       TrialEvaluation}).
 *   <li><b>No change is on trial</b>: while a rollout is in progress, the window is not full or the
 *       last change cools down, nothing happens. Then the rules are evaluated in their order,
 *       without the disabled and the stopped ones. The first proposal counts.
 *       <ul>
 *         <li>The first change of a rule's direction halves its step, and so does each further one
 *             ({@link Steps}).
 *         <li>Where a change helped, but the symptom has returned without more traffic, the change
 *             counts as one without effect.
 *         <li>After two changes without effect in a row the rule stops and reports a suspicion. Its
 *             changes without effect are rolled back. The rule starts again when tuning is switched
 *             off and on.
 *         <li>Where the restarts of 24 hours reach the limit, the proposal waits.
 *         <li><b>Recommend</b>, and in Auto a proposal that is not {@linkplain
 *             Rule#isProven(RuleResult.Proposal, Evidence) proven}: it waits until a user approves
 *             its id. Each change has another id, so that an approval counts once. In Auto such a
 *             proposal delays no proposal of a proven rule.
 *       </ul>
 * </ol>
 *
 * <p>An approved change is on trial as any other: in Recommend too, it is rolled back where it has
 * no effect.
 */
public final class Tuner {
  private final Rules rules;

  /** Tunes by these rules. */
  public Tuner(Rules rules) {
    this.rules = rules;
  }

  /** The next step of a group. */
  public TuningStep step(TuningInput in) {
    return new TuningDecision(rules, in).step();
  }
}
