package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.observe.ObservationTimes;
import io.offheap.hbase.operator.rollout.Restoration;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends the commands of a {@link Restoration} in passes that apply nothing, until HBase has
 * everything back. From then on it sends none until a spec is applied again: a person may drain a
 * server or switch the balancer meanwhile. That is known to this process alone, so a restarted
 * operator restores once more.
 */
final class Restorer {
  private final ClusterControl hbase;
  private final ObservationTimes times;
  private final Clock clock;
  private final Set<ResourceID> ended = ConcurrentHashMap.newKeySet();

  /** Without any cluster. */
  Restorer(ClusterControl hbase, ObservationTimes times, Clock clock) {
    this.hbase = hbase;
    this.times = times;
    this.clock = clock;
  }

  /** Whether nothing more is sent to this cluster's HBase. */
  boolean hasEnded(ResourceID id) {
    return ended.contains(id);
  }

  /**
   * Sends the next commands.
   *
   * @return whether HBase has everything back
   */
  boolean restore(ResourceID id, RolloutCopy copy) {
    var view = hbase.view(id);
    var settledAt = hbase.settledAt(id);
    // Read last, as it must be no earlier than a view.
    var now = clock.instant();
    var step =
        Restoration.next(
            now,
            times.watchedByRestoration(id, now),
            view,
            settledAt,
            copy.switches(),
            copy.servers().values());
    if (!step.commands().isEmpty()) {
      hbase.send(id, step.commands());
    }
    return step.isOver();
  }

  /** HBase has everything back, and that is stored. */
  void end(ResourceID id) {
    ended.add(id);
  }

  /** A spec is applied again, or the cluster was deleted. */
  void forget(ResourceID id) {
    ended.remove(id);
  }
}
