package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Action.SendCommand;
import io.offheap.hbase.operator.rollout.HBaseCommand.Move;
import java.util.List;
import java.util.stream.Stream;

/** The commands that a decision sends to HBase. */
final class SentCommands {
  private SentCommands() {}

  static Action send(HBaseCommand command) {
    return new SendCommand(command);
  }

  static Stream<Move> moves(Decision decision) {
    return decision.actions().stream()
        .filter(SendCommand.class::isInstance)
        .map(it -> ((SendCommand) it).command())
        .filter(Move.class::isInstance)
        .map(Move.class::cast);
  }

  static List<String> moved(Decision decision) {
    return moves(decision).map(Move::encodedRegion).toList();
  }
}
