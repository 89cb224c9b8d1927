package io.offheap.hbase.operator.hbase;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.ResourceIDMapper;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.Cache;
import io.javaoperatorsdk.operator.processing.event.source.ExternalResourceCachingEventSource;
import io.javaoperatorsdk.operator.processing.event.source.ResourceEventAware;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Asks something outside Kubernetes about every resource, again and again, and keeps what it last
 * said for the reconciler to read. A question is a future: one thread asks about all resources and
 * waits for none, so that one that does not answer delays no other. A resource is asked about again
 * a period after its last answer came, thus never twice at once. A pass is woken when an answer is
 * another than the last; no answer is an empty one.
 */
abstract class PollingSource<R, P extends HasMetadata>
    extends ExternalResourceCachingEventSource<R, P, String> implements ResourceEventAware<P> {
  private final Cache<P> resources;
  private final Duration period;
  private final Map<ResourceID, Object> asked = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor asking;

  PollingSource(
      String name,
      Class<R> type,
      ResourceIDMapper<R, String> ids,
      EventSourceContext<P> context,
      Duration period) {
    super(name, type, ids);
    this.resources = context.getPrimaryCache();
    this.period = period;
    this.asking =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              var thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** What is known of a resource, within a deadline; called on the one thread, must not wait. */
  abstract CompletableFuture<Set<R>> ask(P resource);

  /** A resource is gone, after all questions about it were asked; called on the one thread. */
  void forget(ResourceID id) {}

  @Override
  public void onResourceCreated(P resource) {
    begin(resource);
  }

  @Override
  public void onResourceUpdated(P resource, P before) {
    begin(resource);
  }

  @Override
  public void onResourceDeleted(P resource) {
    var id = ResourceID.fromResource(resource);
    asked.remove(id);
    handleDelete(id);
    try {
      asking.execute(() -> forget(id));
    } catch (RejectedExecutionException stopped) {
      forget(id);
    }
  }

  @Override
  public void stop() {
    super.stop();
    asking.shutdownNow();
  }

  private void begin(P resource) {
    var id = ResourceID.fromResource(resource);
    var round = new Object();
    if (asked.putIfAbsent(id, round) == null) {
      askLater(id, round, Duration.ZERO);
    }
  }

  /** A round ends with its resource; one of the same name that came since has its own. */
  private void askLater(ResourceID id, Object round, Duration delay) {
    try {
      var unused =
          asking.schedule(() -> askNow(id, round), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopped) {
      asked.remove(id, round);
    }
  }

  private void askNow(ResourceID id, Object round) {
    var resource = resources.get(id);
    if (asked.get(id) != round) {
      return;
    }
    var answer =
        resource
            .map(this::askSafely)
            .orElseGet(() -> CompletableFuture.completedFuture(Set.<R>of()));
    var unused =
        answer
            .exceptionally(failed -> Set.of())
            .thenAccept(
                values -> {
                  if (asked.get(id) == round) {
                    handleResources(id, values);
                    askLater(id, round, period);
                  }
                });
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
