package io.offheap.hbase.operator.hbase;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.ResourceIDMapper;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.Cache;
import io.javaoperatorsdk.operator.processing.event.source.ExternalResourceCachingEventSource;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Asks something outside Kubernetes about every resource, again and again, and keeps what it last
 * said for the reconciler to read. A question is a future: one thread asks about all resources and
 * waits for none, so that one that does not answer delays no other. A resource is asked about again
 * a period after its last answer came, or soon if someone wants it, and never twice at once. A pass
 * is woken when an answer is another than the last; no answer is an empty one.
 */
abstract class PollingSource<R, P extends HasMetadata>
    extends ExternalResourceCachingEventSource<R, P, String> implements ResourceEventAware<P> {
  /** As long after an answer, the next question waits at least: many may want it at once. */
  private static final Duration REST = Duration.ofMillis(200);

  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private static final int MAX_DOUBLINGS = 10;

  private final Set<ResourceID> silent = ConcurrentHashMap.newKeySet();
  private final Cache<P> resources;
  private final Duration period;
  private final Map<ResourceID, Round> rounds = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor asking;
  private final PollFailures failures;

  /** The questions about one resource; used on the one thread. */
  private static final class Round {
    /** The next question; none while one is being answered. */
    private ScheduledFuture<?> next;

    /** How long after the answer that is awaited the next question is wanted; null if not. */
    private Duration wanted;

    /** Rounds without any answer, one after the other. */
    private int silent;

    private long answered = System.nanoTime() - REST.toNanos();
  }

  PollingSource(
      String name,
      Class<R> type,
      ResourceIDMapper<R, String> ids,
      EventSourceContext<P> context,
      Duration period) {
    super(name, type, ids);
    this.resources = context.getPrimaryCache();
    this.period = period;
    this.failures = new PollFailures(name, Clock.systemUTC());
    this.asking =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              var thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    asking.setRemoveOnCancelPolicy(true);
  }

  /** What is known of a resource, within a deadline; called on the one thread, must not wait. */
  abstract CompletableFuture<Set<R>> ask(P resource);

  /**
   * Takes the failure of a question to one of a resource's hosts, of which nothing else is said.
   */
  final Consumer<Throwable> failing(ResourceID id, String host) {
    return failure -> failures.failed(id, host, failure);
  }

  /** What is wrong with answers of a resource's servers, and which servers are silent. */
  final List<String> problems(ResourceID id) {
    return failures.problems(id);
  }

  /**
   * A round has ended in which a resource was asked about and nothing answered; called before its
   * future is complete. Where the future fails, this is known.
   */
  final void silent(ResourceID id) {
    silent.add(id);
  }

  /**
   * How long after a round the next one comes. While nothing answers, it is twice as long after
   * each round, up to {@link #LONGEST_SILENCE} or the period where that is longer: to connect in
   * vain costs more than an answer.
   *
   * @param silentRounds rounds without an answer, one after the other
   */
  static Duration pause(Duration period, int silentRounds) {
    // The first may be a server's restart.
    var pause = period.multipliedBy(1L << Math.max(0, Math.min(silentRounds - 1, MAX_DOUBLINGS)));
    var longest = period.compareTo(LONGEST_SILENCE) > 0 ? period : LONGEST_SILENCE;
    return pause.compareTo(longest) > 0 ? longest : pause;
  }

  /** How long after an answer the resource is asked about again; called on any thread. */
  Duration period(P resource) {
    return period;
  }

  /**
   * A resource was deleted, after all questions about it were asked; called on the one thread, and
   * once more where an answer came later.
   */
  void forget(ResourceID id) {}

  @Override
  public void onResourceCreated(P resource) {
    begin(resource);
  }

  @Override
  public void onResourceUpdated(P resource, P before) {
    begin(resource);
    var id = ResourceID.fromResource(resource);
    boolean isMoreUrgent = period(resource).compareTo(period(before)) < 0;
    // A pass has seen something, as a pod that is ready: it may answer now.
    execute(
        () -> {
          var round = rounds.get(id);
          if (round != null && (isMoreUrgent || round.silent > 1)) {
            round.silent = 0;
            askSoon(id);
          }
        });
  }

  @Override
  public void onResourceDeleted(P resource) {
    var id = ResourceID.fromResource(resource);
    rounds.remove(id);
    handleDelete(id);
    try {
      asking.execute(
          () -> {
            failures.forget(id);
            forget(id);
          });
    } catch (RejectedExecutionException stopped) {
      forget(id);
    }
  }

  @Override
  public void stop() {
    super.stop();
    asking.shutdownNow();
  }

  /** Asks about a resource now, or once the question that is being answered is. */
  public final void askSoon(ResourceID id) {
    askSoon(id, REST);
  }

  /**
   * Asks about a resource as soon as its last answer is some time ago, or earlier where it is asked
   * about earlier anyway.
   */
  final void askSoon(ResourceID id, Duration rest) {
    execute(
        () -> {
          var round = rounds.get(id);
          if (round == null) {
            return;
          }
          if (round.next == null) {
            round.wanted = shorter(round.wanted, rest);
          } else if (round.next.getDelay(TimeUnit.NANOSECONDS) > left(round, rest).toNanos()
              && round.next.cancel(false)) {
            askLater(id, round, left(round, rest));
          }
        });
  }

  /** Runs a task on the one thread, unless its resource is gone by then. */
  final void execute(ResourceID id, Consumer<P> task) {
    execute(
        () -> {
          if (rounds.containsKey(id)) {
            resources.get(id).ifPresent(task);
          }
        });
  }

  /** Runs a task on the one thread; not once this source is stopped. */
  final void execute(Runnable task) {
    try {
      asking.execute(task);
    } catch (RejectedExecutionException stopped) {
      // Nothing is asked any more.
    }
  }

  private void begin(P resource) {
    var id = ResourceID.fromResource(resource);
    var round = new Round();
    if (rounds.putIfAbsent(id, round) == null) {
      execute(() -> askLater(id, round, Duration.ZERO));
    }
  }

  /** What is left of a time after the last answer; negative where it is over. */
  private static Duration left(Round round, Duration rest) {
    return rest.minusNanos(System.nanoTime() - round.answered);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one == null || other.compareTo(one) < 0 ? other : one;
  }

  private void askLater(ResourceID id, Round round, Duration delay) {
    try {
      round.next =
          asking.schedule(() -> askNow(id, round), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopped) {
      rounds.remove(id, round);
    }
  }

  /** A round ends with its resource; one of the same name that came since has its own. */
  private void askNow(ResourceID id, Round round) {
    if (rounds.get(id) != round) {
      return;
    }
    round.next = null;
    round.wanted = null;
    var resource = resources.get(id);
    var unused =
        resource
            .map(this::askSafely)
            .orElseGet(() -> CompletableFuture.completedFuture(Set.<R>of()))
            .exceptionally(
                failed -> {
                  failures.failed(id, "", failed);
                  silent(id);
                  return Set.of();
                })
            .thenAccept(values -> execute(() -> take(id, round, values)));
  }

  private void take(ResourceID id, Round round, Set<R> values) {
    round.silent = silent.remove(id) ? round.silent + 1 : 0;
    if (rounds.get(id) != round) {
      if (!rounds.containsKey(id)) {
        failures.forget(id);
        // What its last answer has left behind: that came after the first time.
        forget(id);
      }
      return;
    }
    if (failures.roundEnded(id) && isRunning()) {
      getEventHandler().handleEvent(new Event(id));
    }
    round.answered = System.nanoTime();
    handleResources(id, values);
    // As the resource is now: what was asked about may have changed it.
    var pause = pause(resources.get(id).map(this::period).orElse(period), round.silent);
    askLater(id, round, shorter(round.wanted, pause));
  }

  private CompletableFuture<Set<R>> askSafely(P resource) {
    try {
      return ask(resource);
    } catch (RuntimeException | LinkageError e) {
      // Whatever it is, the next round may do better; without one there would be no further.
      return CompletableFuture.failedFuture(e);
    }
  }
}
