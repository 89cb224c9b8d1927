package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.RolledBack;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import java.util.List;
import java.util.Optional;

/**
 * The result of one reconciliation for the restart of one server.
 *
 * @param restart the restart to store; empty if it has ended
 * @param outcome how it ended; null if it has not
 * @param actions what to do for it
 * @param waitsFor what it waits for
 * @param rolledBack its change, if that must be rolled back
 */
record Progress(
    Optional<ServerRestart> restart,
    Rollout.Outcome outcome,
    List<Action> actions,
    Optional<Wait> waitsFor,
    Optional<RolledBack> rolledBack) {

  static Progress to(ServerRestart restart) {
    return new Progress(Optional.of(restart), null, List.of(), Optional.empty(), Optional.empty());
  }

  static Progress over(Rollout.Outcome outcome) {
    return new Progress(Optional.empty(), outcome, List.of(), Optional.empty(), Optional.empty());
  }

  static Progress waiting(
      ServerRestart restart, WaitReason reason, String subject, Action... actions) {
    return new Progress(
        Optional.of(restart),
        null,
        List.of(actions),
        Optional.of(new Wait(reason, subject)),
        Optional.empty());
  }

  Progress with(List<Action> others) {
    return new Progress(restart, outcome, others, waitsFor, rolledBack);
  }

  Progress with(RolledBack back) {
    return new Progress(restart, outcome, actions, waitsFor, Optional.of(back));
  }
}
