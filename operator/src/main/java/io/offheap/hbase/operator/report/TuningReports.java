package io.offheap.hbase.operator.report;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.TunedKey;
import io.offheap.hbase.operator.status.TuningStatuses;
import io.offheap.hbase.operator.tune.TuningState.Event;
import io.offheap.hbase.operator.tune.TuningState.EventKind;
import io.offheap.hbase.operator.tune.TuningStep;
import io.prometheus.client.CollectorRegistry;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reports, by events and metrics, what tuning decided, and what became of its changes.
 *
 * <p>A change is reported once its status was written: a status that was refused leaves no change
 * behind, and the next pass decides the same again. So a pass reports the entries that were added
 * to the history since the last one. The first pass over a cluster has nothing to compare with: it
 * reports only new entries without an event ({@link Events#missed}), so that a restart of the
 * operator reports nothing twice.
 */
public final class TuningReports {
  private final Events events;
  private final TuningMetrics metrics;

  /** As many entries are kept that a history has no more, since a lost one may be restored. */
  private static final int MOST_LOST = 100;

  private final Map<ResourceID, Seen> seen = new ConcurrentHashMap<>();
  private final LeftOutValues leftOut = new LeftOutValues();

  /** The entries of a cluster's history, and those that it had before. */
  private record Seen(String uid, Set<Entry> entries) {}

  /**
   * The identity of an entry. Not its time alone: a clock that was set back makes an entry that is
   * older than the one before it.
   */
  private record Entry(
      String group, Instant at, String rule, EventKind kind, Map<TunedKey, Long> values) {
    Entry(String group, Event event) {
      this(group, event.at(), event.rule(), event.kind(), event.values());
    }
  }

  /**
   * Made once for a controller.
   *
   * @param events for {@code kubectl describe}
   * @param registry where metrics for Prometheus go
   */
  public static TuningReports of(Events events, CollectorRegistry registry) {
    return new TuningReports(events, new TuningMetrics(registry));
  }

  private TuningReports(Events events, TuningMetrics metrics) {
    this.events = events;
    this.metrics = metrics;
  }

  /** Counts the results of the rules in a pass. */
  public void recordDecisions(Collection<TuningStep> steps) {
    steps.stream().flatMap(step -> step.results().stream()).forEach(metrics::decided);
  }

  /** Reports the entries that were added since the last pass over this cluster. */
  public void reportNewEntries(HBaseCluster cluster) {
    var uid = cluster.getMetadata().getUid();
    var id = ResourceID.fromResource(cluster);
    var before = Optional.ofNullable(seen.get(id)).filter(it -> it.uid().equals(uid));
    var entries = new LinkedHashSet<Entry>();
    TuningStatuses.states(cluster)
        .forEach(
            (group, state) ->
                state
                    .history()
                    .forEach(
                        event -> {
                          var entry = new Entry(group, event);
                          entries.add(entry);
                          if (before.isEmpty()) {
                            events.missed(cluster, written(event));
                          } else if (!before.get().entries().contains(entry)) {
                            report(cluster, event);
                          }
                        }));
    before.stream()
        .flatMap(it -> it.entries().stream())
        .filter(it -> !entries.contains(it))
        .limit(MOST_LOST)
        .toList()
        .forEach(entries::add);
    seen.put(id, new Seen(uid, entries));
  }

  /** Logs each tuned value in the status that no plan and no later status has, once. */
  public void logLeftOut(HBaseCluster cluster) {
    leftOut.log(cluster);
  }

  /** A cluster was deleted. */
  public void forget(ResourceID id) {
    seen.remove(id);
    leftOut.forget(id);
  }

  private void report(HBaseCluster cluster, Event event) {
    metrics.changed(event);
    var written = written(event);
    if (written.isWarning()) {
      events.warning(cluster, written.reason(), written.note());
    } else {
      events.normal(cluster, written.reason(), written.note());
    }
  }

  private static Events.Transition written(Event event) {
    var cause = event.alert().map(it -> "; after alert " + it).orElse("");
    return new Events.Transition(
        event.at(),
        event.kind() == EventKind.ROLLED_BACK || event.kind() == EventKind.STOPPED,
        "Tuning" + event.kind().text(),
        event.rule() + " " + TunedKey.texts(event.values()) + ": " + event.text() + cause);
  }
}
