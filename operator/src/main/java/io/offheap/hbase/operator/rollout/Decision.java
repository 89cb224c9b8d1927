package io.offheap.hbase.operator.rollout;

import java.util.List;
import java.util.Optional;

/**
 * The decision of one reconciliation for a rollout. If the state to store differs from the stored
 * state, it is stored and nothing else is done; the next reconciliation acts on it.
 *
 * @param remembered the state to store; empty if no rollout is under way
 * @param actions what to do; none if the state must be stored first
 * @param waitsFor what the rollout waits for
 * @param rolledBack a group whose change must be rolled back
 */
public record Decision(
    Optional<Rollout> remembered,
    List<Action> actions,
    Optional<Wait> waitsFor,
    Optional<RolledBack> rolledBack) {

  public Decision {
    actions = List.copyOf(actions);
  }

  /** A change of HBase or Kubernetes. */
  public sealed interface Action {
    /** Sends a command to HBase. */
    record SendCommand(HBaseCommand command) implements Action {}

    /** Deletes the pod with this uid, and no later pod of the same name. */
    record DeletePod(String pod, String uid) implements Action {}
  }

  /**
   * What the rollout waits for.
   *
   * @param blocker the condition that does not hold
   * @param subject the server, region or time concerned; may be empty
   */
  public record Wait(Blocker blocker, String subject) {
    /** For people. */
    public String text() {
      return blocker.text() + (subject.isEmpty() ? "" : ": " + subject);
    }
  }

  /**
   * A change that made things worse.
   *
   * @param group the group
   * @param reason what happened, as an upper camel case word
   * @param evidence the measured values
   */
  public record RolledBack(String group, String reason, List<String> evidence) {
    public RolledBack {
      evidence = List.copyOf(evidence);
    }
  }

  static Decision nothing() {
    return new Decision(Optional.empty(), List.of(), Optional.empty(), Optional.empty());
  }
}
