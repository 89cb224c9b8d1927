package io.offheap.hbase.operator.rollout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** The commands that a simulated operator has sent: they arrive late, and end later. */
final class CommandsInTransit {
  private static final int MOVES_AT_A_TIME = 4;

  private final Simulation world;
  private final Random random;
  private final List<Sent> sent = new ArrayList<>();
  private final Set<String> refused = new HashSet<>();
  private Instant settled;

  /** A command on its way. */
  private static final class Sent {
    private final HBaseCommand command;
    private final Instant arrives;
    private final Instant responded;
    private boolean arrived;

    Sent(HBaseCommand command, Instant arrives, Instant responded) {
      this.command = command;
      this.arrives = arrives;
      this.responded = responded;
    }

    HBaseCommand command() {
      return command;
    }

    Instant arrives() {
      return arrives;
    }

    Instant responded() {
      return responded;
    }

    boolean isArrived() {
      return arrived;
    }
  }

  CommandsInTransit(Simulation world, Random random) {
    this.world = world;
    this.random = random;
    this.settled = world.clock();
  }

  /** Regions whose last move HBase refused. */
  Set<String> refused() {
    return Set.copyOf(refused);
  }

  /** When the last command ended; empty while one is under way. */
  Optional<Instant> settledAt() {
    return sent.isEmpty() ? Optional.of(settled) : Optional.empty();
  }

  /** Delivers commands that are due. */
  void deliver() {
    var now = world.now();
    for (Sent command : List.copyOf(sent)) {
      if (!command.isArrived() && !now.isBefore(command.arrives())) {
        command.arrived = true;
        boolean isDone = world.hbase().arrived(command.command());
        if (command.command() instanceof HBaseCommand.Move move) {
          refused.remove(move.encodedRegion());
          if (!isDone) {
            refused.add(move.encodedRegion());
          }
        }
      }
      if (!now.isBefore(command.responded())) {
        sent.remove(command);
        settled = world.clock();
      }
    }
  }

  void send(HBaseCommand command) {
    boolean isMove = command instanceof HBaseCommand.Move;
    long moves = sent.stream().filter(it -> it.command() instanceof HBaseCommand.Move).count();
    if (world.writes().isRefused(OperatorWrites.Kind.COMMAND)) {
      return;
    }
    if (sent.stream().anyMatch(it -> subject(it.command()).equals(subject(command)))
        || (isMove && moves >= MOVES_AT_A_TIME)) {
      return;
    }
    var arrives = world.now().plusSeconds(1 + random.nextInt(3));
    sent.add(new Sent(command, arrives, arrives.plusSeconds(random.nextInt(isMove ? 8 : 3))));
  }

  private static String subject(HBaseCommand command) {
    if (command instanceof HBaseCommand.Move move) {
      return move.encodedRegion();
    } else if (command instanceof HBaseCommand.Decommission it) {
      return it.server();
    } else if (command instanceof HBaseCommand.Recommission it) {
      return it.server();
    }
    return command.getClass().getSimpleName();
  }
}
