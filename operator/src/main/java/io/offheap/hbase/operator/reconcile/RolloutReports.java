package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus.TakenBack;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.Predicate;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.Rollout.Finished;
import io.offheap.hbase.operator.rollout.RolloutNews;
import io.offheap.hbase.operator.rollout.Turn;
import io.offheap.hbase.operator.web.RolloutMetrics;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells people, by events and metrics, what is new in rollouts. What is written counts: a pass that
 * finds other things written than the last one tells what differs. The first pass over a cluster
 * has nothing to compare with, so that a restart of the operator tells nothing twice.
 */
public final class RolloutReports {

  private final Events events;
  private final RolloutMetrics metrics;
  private final Clock clock;
  private final Map<ResourceID, Seen> seen = new ConcurrentHashMap<>();
  private final Map<ResourceID, Optional<Predicate>> held = new ConcurrentHashMap<>();
  private final Map<ResourceID, Held> standing = new ConcurrentHashMap<>();

  private record Seen(String uid, Optional<Rollout> rollout, List<TakenBack> takenBack) {}

  /**
   * What a cluster's rollout waits for, and since when nothing of it has changed, as far as this
   * process has seen.
   */
  record Held(Predicate predicate, Optional<Rollout> at, Instant since) {}

  /**
   * Made once for a controller.
   *
   * @param events for {@code kubectl describe}
   * @param metrics for Prometheus
   */
  public RolloutReports(Events events, RolloutMetrics metrics, Clock clock) {
    this.events = events;
    this.metrics = metrics;
    this.clock = clock;
  }

  /** Tells what was written since the last pass over this cluster. */
  void written(HBaseCluster cluster) {
    var now =
        new Seen(
            cluster.getMetadata().getUid(),
            RolloutPass.remembered(cluster),
            Optional.ofNullable(cluster.getStatus())
                .map(HBaseClusterStatus::takenBack)
                .orElse(List.of()));
    var before = seen.put(ResourceID.fromResource(cluster), now);
    if (before != null && before.uid().equals(now.uid())) {
      tell(cluster, before, now);
    }
  }

  /** What holds a rollout up now. */
  void waiting(HBaseCluster cluster, RolloutPass.Result rollout) {
    var id = ResourceID.fromResource(cluster);
    var waitsFor = rollout.decision().waitsFor().filter(it -> it.predicate().isNews());
    var before = held.put(id, waitsFor.map(Wait::predicate));
    waitsFor
        .filter(it -> before == null || !before.equals(Optional.of(it.predicate())))
        .ifPresent(it -> events.normal(cluster, "HeldBack", it.text()));
    var predicate = rollout.decision().waitsFor().map(Wait::predicate);
    standing.compute(
        id,
        (key, was) ->
            predicate
                .map(
                    it ->
                        was != null
                                && it == was.predicate()
                                && rollout.remembered().equals(was.at())
                            ? was
                            : new Held(it, rollout.remembered(), clock.instant()))
                .orElse(null));
    metrics.state(id.toString(), rollout.remembered().isPresent(), predicate.map(Enum::name));
  }

  /** What holds a cluster's rollout up, as its last pass saw it. */
  Optional<Held> held(HBaseCluster cluster) {
    return Optional.ofNullable(standing.get(ResourceID.fromResource(cluster)));
  }

  /** A cluster is gone. */
  void forget(ResourceID id) {
    seen.remove(id);
    held.remove(id);
    standing.remove(id);
    metrics.forget(id.toString());
  }

  private void tell(HBaseCluster cluster, Seen before, Seen now) {
    var news = RolloutNews.of(before.rollout(), now.rollout());
    for (RolloutNews.Event event : news.events()) {
      if (event.isWarning()) {
        events.warning(cluster, event.reason(), event.note());
      } else {
        events.normal(cluster, event.reason(), event.note());
      }
    }
    now.takenBack().stream()
        .filter(it -> !before.takenBack().contains(it))
        .forEach(
            it -> {
              events.warning(
                  cluster,
                  "ChangeTakenBack",
                  (it.group().isEmpty() ? "" : "group " + it.group() + ": ")
                      + it.reason()
                      + ": "
                      + String.join(", ", it.evidence()));
              metrics.server("rolled_back");
            });
    news.finished().stream().filter(it -> !isNotWanted(before, it)).forEach(this::count);
    news.mastersRestarted()
        .forEach(
            it ->
                metrics.phase("failover", seconds(Duration.between(it.since(), clock.instant()))));
    news.canariesEnded()
        .forEach(
            it -> metrics.phase("canary", seconds(Duration.between(it.since(), clock.instant()))));
  }

  /** It was taken out of the rollout, and nothing failed. */
  private static boolean isNotWanted(Seen before, Finished turn) {
    return turn.outcome() == Rollout.Outcome.GAVE_UP
        && before
            .rollout()
            .flatMap(it -> it.turnOf(turn.pod()))
            .flatMap(Turn::givenUp)
            .filter(Turn.GivenUp.NOT_WANTED::equals)
            .isPresent();
  }

  private void count(Finished turn) {
    metrics.phase("drain", seconds(turn.times().drain()));
    metrics.phase("stop", seconds(turn.times().stop()));
    if (turn.outcome() != Rollout.Outcome.SCALED_DOWN) {
      metrics.phase("start", seconds(turn.times().start()));
      metrics.phase("return", seconds(turn.times().bringBack()));
    }
    metrics.server(
        switch (turn.outcome()) {
          case RESTARTED -> turn.cause() == Turn.Cause.GONE ? "evicted" : "restarted";
          case SCALED_DOWN -> "scaled_down";
          case GAVE_UP -> "failed";
        });
    metrics.regionsMoved(turn.regions());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
