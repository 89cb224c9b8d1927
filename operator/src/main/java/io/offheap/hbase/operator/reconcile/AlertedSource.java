package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.tune.AlertCause;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Triggers a reconciliation of a cluster with an alert, and keeps the alert for a short time. */
final class AlertedSource extends AbstractEventSource<Void, HBaseCluster> {
  /**
   * How long an alert counts as the cause of a change: the metrics are read first, and the next
   * reconciliation may be {@link TuningPass#LONGEST_PERIOD} away.
   */
  static final Duration CAUSE = Duration.ofMinutes(3);

  private final Clock clock;
  private final Map<ResourceID, Received> received = new ConcurrentHashMap<>();

  private record Received(AlertCause alert, Instant at) {
    boolean isRecent(Instant now) {
      return now.isBefore(at.plus(CAUSE));
    }
  }

  AlertedSource(Clock clock) {
    super(Void.class, "alerted");
    this.clock = clock;
  }

  /** A cluster has an alert; of several, the latest counts. */
  void wake(ResourceID id, AlertCause alert) {
    if (isRunning()) {
      var now = clock.instant();
      // Removes old alerts, also of deleted clusters.
      received.values().removeIf(it -> !it.isRecent(now));
      received.put(id, new Received(alert, now));
      getEventHandler().handleEvent(new Event(id));
    }
  }

  /** The alert to record as the cause of a change that is decided now. */
  Optional<AlertCause> cause(ResourceID id) {
    return Optional.ofNullable(received.get(id))
        .filter(it -> it.isRecent(clock.instant()))
        .map(Received::alert);
  }

  /** A cluster was deleted. */
  void forget(ResourceID id) {
    received.remove(id);
  }

  @Override
  public Set<Void> getSecondaryResources(HBaseCluster cluster) {
    return Set.of();
  }
}
