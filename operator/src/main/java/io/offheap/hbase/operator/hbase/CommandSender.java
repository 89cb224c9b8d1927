package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.rollout.HBaseCommand;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
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
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.exceptions.MasterStoppedException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * Sends commands to one HBase; every command ends by its deadline. While a command for a server or
 * region runs, no other is sent to it: the caller sends it again after the next view. The number of
 * concurrent moves is limited, because the master holds a thread for each until it is done, and
 * that of moves to one server ({@link MoveLimits}). Further moves wait until the next call replaces
 * them or they expire.
 */
final class CommandSender {
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final Duration RPC_DEADLINE = Duration.ofSeconds(10);

  /** Deadline of a move. */
  static final Duration MOVE_DEADLINE = Duration.ofSeconds(60);

  /** A move that has waited this long is dropped: the cluster may have changed. */
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
  private MoveLimits limits;
  private int moving;
  private final Map<String, Integer> movingTo = new HashMap<>();

  /** Commands of the previous operator process may still take effect until then. */
  private Instant settledAt = Instant.now().plus(DEADLINE);

  private long sent;
  private CompletableFuture<AsyncConnection> connection;

  private record Refusal(HBaseCommand command, String text, boolean isFinal, long since) {}

  /**
   * Creates a sender for one cluster.
   *
   * @param regionNames full region name by encoded name
   * @param isLive whether a region server is live
   * @param beforeEach runs before each command; if it throws, nothing is sent
   * @param moveDeadline deadline of a move
   * @param executor runs continuations of commands
   * @param ended called when a command has ended, whatever its result
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
   * Sends commands; waiting moves of an earlier call are dropped.
   *
   * @param moves limits of concurrent moves
   */
  void send(CompletableFuture<AsyncConnection> to, MoveLimits moves, List<HBaseCommand> commands) {
    List<HBaseCommand> next;
    synchronized (this) {
      next = new ArrayList<>();
      waiting.clear();
      limits = moves;
      connection = to;
      sent = System.nanoTime();
      for (HBaseCommand command : commands) {
        if (command instanceof HBaseCommand.Move move) {
          // One that is sent again would wait, and move the region once more after it has come.
          if (!running.contains(subject(move))) {
            waiting.add(move);
          }
        } else if (running.add(subject(command))) {
          next.add(command);
        }
      }
      next.addAll(nextMoves());
    }
    next.forEach(command -> start(to, command));
  }

  /**
   * HBase's messages for refused commands that have not succeeded since. A command that ended
   * without a response of HBase counts as refused.
   */
  synchronized Map<HBaseCommand, String> refusals() {
    forgetOldRefusals();
    var texts = new LinkedHashMap<HBaseCommand, String>();
    refusals.values().forEach(it -> texts.put(it.command(), it.text()));
    return texts;
  }

  /** The refused commands of which HBase responded last that another attempt is in vain. */
  synchronized Set<HBaseCommand> denied() {
    forgetOldRefusals();
    return refusals.values().stream()
        .filter(Refusal::isFinal)
        .map(Refusal::command)
        .collect(Collectors.toUnmodifiableSet());
  }

  private void forgetOldRefusals() {
    refusals.values().removeIf(it -> System.nanoTime() - it.since() > REFUSAL_NANOS);
  }

  /** When the last command ended; empty while a command is running. */
  synchronized Optional<Instant> settledAt() {
    return running.isEmpty() && waiting.isEmpty() ? Optional.of(settledAt) : Optional.empty();
  }

  /** Commands that are running. */
  synchronized int running() {
    return running.size();
  }

  private List<HBaseCommand.Move> nextMoves() {
    if (System.nanoTime() - sent > WAIT_NANOS) {
      waiting.clear();
    }
    var next = new ArrayList<HBaseCommand.Move>();
    for (var moves = waiting.iterator(); moving < limits.atOnce() && moves.hasNext(); ) {
      var move = moves.next();
      if (movingTo.getOrDefault(move.destination(), 0) < limits.toOneServer()) {
        moves.remove();
        if (running.add(subject(move))) {
          moving++;
          movingTo.merge(move.destination(), 1, Integer::sum);
          next.add(move);
        }
      }
    }
    return next;
  }

  private void start(CompletableFuture<AsyncConnection> to, HBaseCommand command) {
    var deadline = command instanceof HBaseCommand.Move ? moveDeadline : DEADLINE;
    var unused =
        to.thenCompose(made -> execute(made, command))
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
        refusals.put(
            subject,
            new Refusal(command, text(failed, deadline), isFinal(failed), System.nanoTime()));
        if (refusals.size() > REFUSALS) {
          refusals.remove(refusals.keySet().iterator().next());
        }
      }
      if (command instanceof HBaseCommand.Move move) {
        moving--;
        movingTo.computeIfPresent(move.destination(), (server, n) -> n > 1 ? n - 1 : null);
      }
      to = connection;
      next = nextMoves();
    }
    ended.run();
    next.forEach(move -> start(to, move));
  }

  private CompletableFuture<?> execute(AsyncConnection connection, HBaseCommand command) {
    beforeEach.run();
    if (command instanceof HBaseCommand.Move move) {
      if (!isLive.test(move.destination())) {
        // The master would close the region first and then open it on any server.
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

  /** The object of a command: only one command for the same object runs at a time. */
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

  /** The message in one line; HBase adds its stack traces. */
  static String text(Throwable failed, Duration deadline) {
    var cause = cause(failed);
    if (cause instanceof TimeoutException) {
      return "no response in " + deadline.toSeconds() + " s";
    }
    var line = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
    var text =
        cause instanceof IllegalStateException
            ? line
            : cause.getClass().getSimpleName() + ": " + line;
    return text.substring(0, Math.min(text.length(), TEXT));
  }

  /**
   * Whether HBase has responded that another attempt has no other result. It does not where its
   * master starts, or has lost ZooKeeper and so cannot delete the znode of a decommissioned server.
   * A master that stops leaves the next attempt to another one.
   */
  private static boolean isFinal(Throwable failed) {
    var cause = cause(failed);
    // The client throws some of these itself, without a response. The name that was sent counts: of
    // a MasterStoppedException the client makes its superclass.
    return cause instanceof DoNotRetryIOException
        && cause.getCause() instanceof RemoteException sent
        && !sent.getClassName().equals(MasterStoppedException.class.getName());
  }

  /** The failure without the exceptions that futures wrap it in. */
  static Throwable cause(Throwable failed) {
    var cause = failed;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
