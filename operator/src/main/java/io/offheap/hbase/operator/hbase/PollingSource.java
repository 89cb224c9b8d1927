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
 * Polls a system outside of Kubernetes about every resource, and caches the last result for the
 * reconciler. A poll is a future: one thread starts the polls of all resources and waits for none,
 * so that a system that does not respond delays no other. A resource is polled again one period
 * after its last result, or soon on request, and never twice at once. A reconciliation is triggered
 * when a result differs from the last; a missing response is an empty result.
 */
abstract class PollingSource<R, P extends HasMetadata>
    extends ExternalResourceCachingEventSource<R, P, String> implements ResourceEventAware<P> {
  /** Shortest time from a result to the next poll: many callers may request one at once. */
  private static final Duration REST = Duration.ofMillis(200);

  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private static final int MAX_DOUBLINGS = 10;

  private final Set<ResourceID> silent = ConcurrentHashMap.newKeySet();
  private final Cache<P> resources;
  private final Duration period;
  private final Map<ResourceID, Round> rounds = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor executor;
  private final PollFailures failures;

  /** The polls of one resource; used on the one thread. */
  private static final class Round {
    /** The next poll; null while one is running. */
    private ScheduledFuture<?> next;

    /** How long after the end of the running poll the next one is requested; null if none is. */
    private Duration wanted;

    /** Consecutive rounds without any response. */
    private int silent;

    private long lastResult = System.nanoTime() - REST.toNanos();
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
    this.executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              var thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
  }

  /** Reads the state of a resource, within a deadline; called on the one thread, must not block. */
  abstract CompletableFuture<Set<R>> poll(P resource);

  /**
   * Returns what records a failed request to one of a resource's hosts, for failures that are not
   * in the future of the poll.
   */
  final Consumer<Throwable> onFailure(ResourceID id, String host) {
    return failure -> failures.failed(id, host, failure);
  }

  /** Refused responses of a resource's servers, and servers that do not respond. */
  final List<String> problems(ResourceID id) {
    return failures.problems(id);
  }

  /**
   * Records a round without any response; called before the round's future completes. A future that
   * fails is recorded without this call.
   */
  final void silent(ResourceID id) {
    silent.add(id);
  }

  /**
   * The time from the end of a round to the next. While nothing responds, it doubles after each
   * round, up to {@link #LONGEST_SILENCE} or the period if that is longer: a failed connection
   * costs more than a response.
   *
   * @param silentRounds consecutive rounds without a response
   */
  static Duration pause(Duration period, int silentRounds) {
    // The first may be a server's restart.
    var pause = period.multipliedBy(1L << Math.max(0, Math.min(silentRounds - 1, MAX_DOUBLINGS)));
    var longest = period.compareTo(LONGEST_SILENCE) > 0 ? period : LONGEST_SILENCE;
    return pause.compareTo(longest) > 0 ? longest : pause;
  }

  /** The time from a result to the next poll of the resource; called on any thread. */
  Duration period(P resource) {
    return period;
  }

  /**
   * Drops the state of a deleted resource; called on the one thread after its last poll has
   * started, and once more if a poll ends later.
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
    // A reconciliation has seen a change, such as a ready pod: the system may respond now.
    execute(
        () -> {
          var round = rounds.get(id);
          if (round != null && (isMoreUrgent || round.silent > 1)) {
            round.silent = 0;
            pollSoon(id);
          }
        });
  }

  @Override
  public void onResourceDeleted(P resource) {
    var id = ResourceID.fromResource(resource);
    rounds.remove(id);
    handleDelete(id);
    try {
      executor.execute(
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
    executor.shutdownNow();
  }

  /** Polls a resource now, or as soon as the running poll has ended. */
  public final void pollSoon(ResourceID id) {
    pollSoon(id, REST);
  }

  /**
   * Polls a resource as soon as the given time since its last result has passed, or earlier if a
   * poll is scheduled earlier.
   */
  final void pollSoon(ResourceID id, Duration rest) {
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
            schedule(id, round, left(round, rest));
          }
        });
  }

  /** Runs a task on the one thread, unless its resource is deleted by then. */
  final void execute(ResourceID id, Consumer<P> task) {
    execute(
        () -> {
          if (rounds.containsKey(id)) {
            resources.get(id).ifPresent(task);
          }
        });
  }

  /** Runs a task on the one thread; dropped once this source is stopped. */
  final void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException stopped) {
      // A stopped source polls no more.
    }
  }

  private void begin(P resource) {
    var id = ResourceID.fromResource(resource);
    var round = new Round();
    if (rounds.putIfAbsent(id, round) == null) {
      execute(() -> schedule(id, round, Duration.ZERO));
    }
  }

  /** What remains of a time since the last result; negative if it is over. */
  private static Duration left(Round round, Duration rest) {
    return rest.minusNanos(System.nanoTime() - round.lastResult);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one == null || other.compareTo(one) < 0 ? other : one;
  }

  private void schedule(ResourceID id, Round round, Duration delay) {
    try {
      round.next =
          executor.schedule(() -> pollNow(id, round), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopped) {
      rounds.remove(id, round);
    }
  }

  /** A round ends with its resource; a new resource of the same name has its own round. */
  private void pollNow(ResourceID id, Round round) {
    if (rounds.get(id) != round) {
      return;
    }
    round.next = null;
    round.wanted = null;
    var resource = resources.get(id);
    var unused =
        resource
            .map(this::pollSafely)
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
        // Drops what this late poll has stored.
        forget(id);
      }
      return;
    }
    if (failures.roundEnded(id) && isRunning()) {
      getEventHandler().handleEvent(new Event(id));
    }
    round.lastResult = System.nanoTime();
    handleResources(id, values);
    // The period of the resource as it is now: the poll may have changed it.
    var pause = pause(resources.get(id).map(this::period).orElse(period), round.silent);
    schedule(id, round, shorter(round.wanted, pause));
  }

  private CompletableFuture<Set<R>> pollSafely(P resource) {
    try {
      return poll(resource);
    } catch (RuntimeException | LinkageError e) {
      // Any failure: the next round may succeed, and without a result there would be none.
      return CompletableFuture.failedFuture(e);
    }
  }
}
