package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.TakenBack;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import java.util.List;
import java.util.Optional;

/**
 * What a pass makes of one turn.
 *
 * @param turn the turn as it is to be remembered; empty where it is over
 * @param outcome how it ended, where it is over
 * @param actions what it needs done
 * @param waitsFor what it waits for
 * @param takenBack its change, where that is to be taken back
 */
record Progress(
    Optional<Turn> turn,
    Rollout.Outcome outcome,
    List<Action> actions,
    Optional<Wait> waitsFor,
    Optional<TakenBack> takenBack) {

  static Progress to(Turn turn) {
    return new Progress(Optional.of(turn), null, List.of(), Optional.empty(), Optional.empty());
  }

  static Progress over(Rollout.Outcome outcome) {
    return new Progress(Optional.empty(), outcome, List.of(), Optional.empty(), Optional.empty());
  }

  static Progress waiting(Turn turn, Predicate predicate, String subject, Action... actions) {
    return new Progress(
        Optional.of(turn),
        null,
        List.of(actions),
        Optional.of(new Wait(predicate, subject)),
        Optional.empty());
  }

  Progress with(List<Action> others) {
    return new Progress(turn, outcome, others, waitsFor, takenBack);
  }

  Progress with(TakenBack back) {
    return new Progress(turn, outcome, actions, waitsFor, Optional.of(back));
  }
}
