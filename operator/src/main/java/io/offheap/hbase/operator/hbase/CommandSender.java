package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.rollout.HBaseCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;

/**
 * Tells one HBase what to do; every command ends by its deadline. Nothing is told of a server or
 * region about which something is being told already: whoever wants it sends it again once he has
 * looked. Of moves a number run at a time, as the master holds a thread for each until it is done;
 * the others wait until the next are sent, or are too old.
 */
final class CommandSender {
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final Duration RPC_DEADLINE = Duration.ofSeconds(10);

  /** How long a move may take. */
  static final Duration MOVE_DEADLINE = Duration.ofSeconds(60);

  /** What was wanted so long ago is not begun: HBase may be another by now. */
  private static final long WAIT_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long REFUSAL_NANOS = Duration.ofMinutes(10).toNanos();
  private static final int REFUSALS = 100;
  private static final int TEXT = 300;

  private final Function<String, byte[]> regionNames;
  private final Predicate<String> isLive;
  private final Runnable beforeEach;
  private final Duration moveDeadline;
  private final Executor executor;
  private final Runnable ended;

  private final Set<String> running = new HashSet<>();
  private final Deque<HBaseCommand.Move> waiting = new ArrayDeque<>();
  private final Map<String, Refusal> refusals = new LinkedHashMap<>();
  private int most;
  private int moving;

  /** What an operator before this one has told may come true until then. */
  private Instant settledAt = Instant.now().plus(DEADLINE);

  private long sent;
  private CompletableFuture<AsyncConnection> connection;

  private record Refusal(HBaseCommand command, String text, long since) {}

  /**
   * For one cluster.
   *
   * @param regionNames what HBase finds a region by, from its encoded name
   * @param isLive whether a region server lives
   * @param beforeEach run before each command; where it throws, nothing is told
   * @param moveDeadline how long a move may take
   * @param executor runs what follows the end of a command
   * @param ended called when a command has ended, however it did
   */
  CommandSender(
      Function<String, byte[]> regionNames,
      Predicate<String> isLive,
      Runnable beforeEach,
      Duration moveDeadline,
      Executor executor,
      Runnable ended) {
    this.regionNames = regionNames;
    this.isLive = isLive;
    this.beforeEach = beforeEach;
    this.moveDeadline = moveDeadline;
    this.executor = executor;
    this.ended = ended;
  }

  /**
   * Tells all this; moves that wait from an earlier call do not any more.
   *
   * @param moves moves at a time
   */
  void send(CompletableFuture<AsyncConnection> to, int moves, List<HBaseCommand> commands) {
    List<HBaseCommand> next;
    synchronized (this) {
      next = new ArrayList<>();
      waiting.clear();
      most = moves;
      connection = to;
      sent = System.nanoTime();
      for (HBaseCommand command : commands) {
        if (command instanceof HBaseCommand.Move move) {
          waiting.add(move);
        } else if (running.add(subject(command))) {
          next.add(command);
        }
      }
      next.addAll(nextMoves());
    }
    next.forEach(command -> start(to, command));
  }

  /** Why commands were refused, of those that have not succeeded since. */
  synchronized Map<HBaseCommand, String> refusals() {
    refusals.values().removeIf(it -> System.nanoTime() - it.since() > REFUSAL_NANOS);
    var texts = new LinkedHashMap<HBaseCommand, String>();
    refusals.values().forEach(it -> texts.put(it.command(), it.text()));
    return texts;
  }

  /** When the last command ended; empty while one is under way. */
  synchronized Optional<Instant> settledAt() {
    return running.isEmpty() && waiting.isEmpty() ? Optional.of(settledAt) : Optional.empty();
  }

  /** Commands that were begun and have not ended. */
  synchronized int running() {
    return running.size();
  }

  private List<HBaseCommand.Move> nextMoves() {
    if (System.nanoTime() - sent > WAIT_NANOS) {
      waiting.clear();
    }
    var next = new ArrayList<HBaseCommand.Move>();
    while (moving < most && !waiting.isEmpty()) {
      var move = waiting.remove();
      if (running.add(subject(move))) {
        moving++;
        next.add(move);
      }
    }
    return next;
  }

  private void start(CompletableFuture<AsyncConnection> to, HBaseCommand command) {
    var deadline = command instanceof HBaseCommand.Move ? moveDeadline : DEADLINE;
    var unused =
        to.thenCompose(made -> tell(made, command))
            .orTimeout(deadline.toMillis(), TimeUnit.MILLISECONDS)
            .whenCompleteAsync((done, failed) -> end(command, deadline, failed), executor);
  }

  private void end(HBaseCommand command, Duration deadline, Throwable failed) {
    CompletableFuture<AsyncConnection> to;
    List<HBaseCommand.Move> next;
    synchronized (this) {
      var subject = subject(command);
      running.remove(subject);
      settledAt = Instant.now();
      refusals.remove(subject);
      if (failed != null) {
        refusals.put(subject, new Refusal(command, text(failed, deadline), System.nanoTime()));
        if (refusals.size() > REFUSALS) {
          refusals.remove(refusals.keySet().iterator().next());
        }
      }
      if (command instanceof HBaseCommand.Move) {
        moving--;
      }
      to = connection;
      next = nextMoves();
    }
    ended.run();
    next.forEach(move -> start(to, move));
  }

  private CompletableFuture<?> tell(AsyncConnection connection, HBaseCommand command) {
    beforeEach.run();
    if (command instanceof HBaseCommand.Move move) {
      if (!isLive.test(move.destination())) {
        // The master would close the region first and then open it anywhere.
        throw new IllegalStateException("No live region server: " + move.destination());
      }
      return admin(connection, moveDeadline, moveDeadline, 1)
          .move(regionNames.apply(move.encodedRegion()), ServerName.valueOf(move.destination()));
    }
    var admin = admin(connection, DEADLINE, RPC_DEADLINE, 3);
    if (command instanceof HBaseCommand.SwitchBalancer balancer) {
      // Off: it is over with what it was doing.
      return admin.balancerSwitch(balancer.on(), !balancer.on());
    } else if (command instanceof HBaseCommand.SwitchNormalizer normalizer) {
      return admin.normalizerSwitch(normalizer.on());
    } else if (command instanceof HBaseCommand.Decommission it) {
      return admin.decommissionRegionServers(List.of(ServerName.valueOf(it.server())), false);
    } else if (command instanceof HBaseCommand.Recommission it) {
      return admin.recommissionRegionServer(ServerName.valueOf(it.server()), List.of());
    } else if (command instanceof HBaseCommand.Reconfigure it) {
      return admin.updateConfiguration(ServerName.valueOf(it.server()));
    }
    throw new IllegalArgumentException("Not known: " + command);
  }

  private static AsyncAdmin admin(
      AsyncConnection connection, Duration operation, Duration rpc, int attempts) {
    return connection
        .getAdminBuilder()
        .setOperationTimeout(operation.toMillis(), TimeUnit.MILLISECONDS)
        .setRpcTimeout(rpc.toMillis(), TimeUnit.MILLISECONDS)
        .setMaxAttempts(attempts)
        .build();
  }

  /** What a command is about: of one thing one is told at a time. */
  private static String subject(HBaseCommand command) {
    if (command instanceof HBaseCommand.Move move) {
      return "region " + move.encodedRegion();
    } else if (command instanceof HBaseCommand.Decommission it) {
      return "server " + it.server();
    } else if (command instanceof HBaseCommand.Recommission it) {
      return "server " + it.server();
    } else if (command instanceof HBaseCommand.Reconfigure it) {
      return "configuration " + it.server();
    }
    return command.getClass().getSimpleName();
  }

  /** One line for people; HBase sends its stack traces along. */
  static String text(Throwable failed, Duration deadline) {
    var cause = failed;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof TimeoutException) {
      return "No answer in " + deadline.toSeconds() + " s";
    }
    var line = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    var text =
        cause instanceof IllegalStateException
            ? line
            : cause.getClass().getSimpleName() + ": " + line;
    return text.substring(0, Math.min(text.length(), TEXT));
  }
}
