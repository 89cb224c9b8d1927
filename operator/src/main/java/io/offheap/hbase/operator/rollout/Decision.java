package io.offheap.hbase.operator.rollout;

import java.util.List;
import java.util.Optional;

/**
 * The decision of one reconciliation for a rollout. If the state to store differs from the stored
 * state, it is stored and nothing else is done; the next reconciliation acts on it.
 *
 * @param remembered what is to be remembered; empty where no rollout is under way
 * @param actions what to do; none where something is to be written first
 * @param waitsFor what is waited for
 * @param rolledBack a group whose change is to be rolled back
 */
public record Decision(
    Optional<Rollout> remembered,
    List<Action> actions,
    Optional<Wait> waitsFor,
    Optional<RolledBack> rolledBack) {

  public Decision {
    actions = List.copyOf(actions);
  }

  /** What is done outside. */
  public sealed interface Action {
    /** A command is sent to HBase. */
    record SendCommand(HBaseCommand command) implements Action {}

    /** This pod and no other of its name is deleted. */
    record DeletePod(String pod, String uid) implements Action {}
  }

  /**
   * What is waited for.
   *
   * @param blocker what does not hold
   * @param subject the server, region or time that it is about; may be empty
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
   * @param evidence the numbers
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
