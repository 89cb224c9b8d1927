package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Action.Tell;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import java.util.List;
import java.util.stream.Stream;

/** What a decision tells HBase. */
final class Told {
  private Told() {}

  static Action tell(HBaseCommand command) {
    return new Tell(command);
  }

  static Stream<Move> moves(Decision decision) {
    return decision.actions().stream()
        .filter(Tell.class::isInstance)
        .map(it -> ((Tell) it).command())
        .filter(Move.class::isInstance)
        .map(Move.class::cast);
  }

  static List<String> moved(Decision decision) {
    return moves(decision).map(Move::encodedRegion).toList();
  }
}
