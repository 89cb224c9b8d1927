package io.offheap.hbase.operator.tune;

import java.time.Instant;
import java.util.List;

/**
 * The result of one tuning step.
 *
 * @param next the state to store; its {@link TuningState#values()} go into the plan from now on
 * @param activity what tuning does or waits for
 * @param message the same for people, with its numbers
 * @param results of the rules, where they were evaluated
 * @param suspicions causes that tuning cannot remove; empty where there are none
 */
public record TuningStep(
    TuningState next,
    Activity activity,
    String message,
    List<RuleResult> results,
    List<Suspicion> suspicions) {
  public TuningStep {
    results = List.copyOf(results);
    suspicions = List.copyOf(suspicions);
  }

  /** What tuning does or waits for. */
  public enum Activity {
    /** It is disabled. */
    DISABLED("Disabled"),
    /** A change is on trial, or its trial ended in this step. */
    TRYING("Trying"),
    /** No rule is evaluated while servers are restarted, or another group's change is on trial. */
    WAITING_FOR_ROLLOUT("WaitingForRollout"),
    /** The declared change was rolled back: the servers do not run what is declared. */
    WAITING_FOR_SPEC("WaitingForSpec"),
    /** The window is not full yet, so no rule was evaluated. */
    GATHERING("Gathering"),
    /** The last change is too recent. */
    COOLING_DOWN("CoolingDown"),
    /** The rules were evaluated, and none proposes a change. */
    WATCHING("Watching"),
    /** A change waits for a person's approval. */
    WAITING_FOR_APPROVAL("WaitingForApproval"),
    /** A change waits, since there were as many restarts in 24 hours as are allowed. */
    LIMITED("Limited"),
    /** A change is applied. */
    APPLYING("Applying"),
    /** A rule stopped: its changes did not help. */
    STOPPING("Stopping");

    private final String text;

    Activity(String text) {
      this.text = text;
    }

    /** The name in status. */
    public String text() {
      return text;
    }
  }

  /**
   * A cause that tuning cannot remove.
   *
   * @param rule the rule that suspects it
   * @param text what it suspects, with the numbers
   */
  public record Suspicion(String rule, String text) {
    /** For people. */
    @Override
    public String toString() {
      return rule + ": " + text;
    }
  }

  /** Whether the rules were not evaluated because the window is not full. */
  public boolean isGathering() {
    return activity == Activity.GATHERING;
  }

  /**
   * The same, where a change that this step applies names an alert as its cause. The alert is added
   * after the decision, so that no decision depends on it.
   */
  public TuningStep after(AlertCause alert, Instant now) {
    return new TuningStep(next.after(alert, now), activity, message, results, suspicions);
  }
}
