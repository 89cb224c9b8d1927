package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.observe.ObservationTimes;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.Restoration;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends the commands of a {@link Restoration} in passes that apply nothing, until HBase has
 * everything back. From then on it sends none for the same copy until a spec is applied again: a
 * person may drain a server or switch the balancer meanwhile. That is known to this process alone,
 * so a restarted operator restores once more.
 */
final class Restorer {
  private final ObservationTimes times;
  private final Clock clock;
  private final Map<ResourceID, RolloutCopy> ended = new ConcurrentHashMap<>();
  private final Set<ResourceID> open = ConcurrentHashMap.newKeySet();

  /** Without any cluster. */
  Restorer(ObservationTimes times, Clock clock) {
    this.times = times;
    this.clock = clock;
  }

  /** Whether HBase has had all of this back, so that nothing more is sent to it. */
  boolean hasEnded(ResourceID id, RolloutCopy copy) {
    return copy.equals(ended.get(id));
  }

  /** Whether an admission threw, and HBase has not everything back. */
  boolean isOpen(ResourceID id) {
    return open.contains(id);
  }

  /** After an admission that threw, before HBase is seen. */
  void open(ResourceID id) {
    open.add(id);
  }

  /**
   * Sends the next commands, if any.
   *
   * @return whether HBase has everything back
   */
  boolean restore(ResourceID id, RolloutCopy copy, ClusterControl hbase) {
    var view = hbase.view(id);
    var settledAt = hbase.settledAt(id);
    var keptDraining = HBaseCommand.Recommission.serversOf(hbase.denied(id));
    // Read last, as it must be no earlier than a view.
    var now = clock.instant();
    var step =
        Restoration.next(
            now,
            times.watchedByRestoration(id, now),
            view,
            settledAt,
            keptDraining,
            copy.switches(),
            copy.servers().values());
    if (!step.commands().isEmpty()) {
      hbase.send(id, step.commands());
    }
    if (step.isOver()) {
      ended.put(id, copy);
      open.remove(id);
    }
    return step.isOver();
  }

  /** A spec is applied again, or the cluster was deleted. */
  void forget(ResourceID id) {
    ended.remove(id);
    open.remove(id);
  }
}
