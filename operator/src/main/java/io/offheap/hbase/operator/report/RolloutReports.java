package io.offheap.hbase.operator.report;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.rollout.Blocker;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.RolloutNews;
import io.offheap.hbase.operator.rollout.RolloutResult;
import io.offheap.hbase.operator.status.RolloutStatuses;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reports, by events and metrics, what is new in rollouts. What is written counts: a pass that
 * finds another state written than the last one reports the difference. The first pass over a
 * cluster has nothing to compare with. It reports what was written last and has no event: the
 * process that wrote it may have ended before it reported that.
 */
public final class RolloutReports {
  private static final String ROLLED_BACK = "ChangeRolledBack";

  private final Events events;
  private final RolloutMetrics metrics;
  private final Clock clock;
  private final Map<ResourceID, Seen> seen = new ConcurrentHashMap<>();
  private final Map<ResourceID, Optional<String>> held = new ConcurrentHashMap<>();
  private final Map<ResourceID, Held> standing = new ConcurrentHashMap<>();

  private record Seen(String uid, Optional<Rollout> rollout, List<RolledBack> rolledBack) {}

  /**
   * What a cluster's rollout waits for, and since when it has not advanced, as far as this process
   * has seen.
   *
   * <p>The time is not that of the blocker: a server that cannot be drained waits for several, one
   * after the other, none of them for long. Only an intended wait ({@link Blocker#isIntended}) has
   * a time of its own, which is left out of the others' time.
   *
   * @param since now less the time that counts for the blocker
   * @param counted where the wait is intended, the time that counted before it, else zero
   * @param written the rollout as the last pass found it written
   */
  record Held(Blocker blocker, Instant since, Duration counted, Optional<Rollout> written) {
    static Held begin(Blocker blocker, Optional<Rollout> written, Instant now) {
      return new Held(blocker, now, Duration.ZERO, written);
    }

    Held next(Blocker other, Optional<Rollout> now, Instant time) {
      if (RolloutNews.hasAdvanced(written, now)) {
        return begin(other, now, time);
      }
      if (other == blocker || !(other.isIntended() || blocker.isIntended())) {
        return new Held(other, since, counted, now);
      }
      var before = blocker.isIntended() ? counted : Duration.between(since, time);
      return other.isIntended()
          ? new Held(other, time, before, now)
          : new Held(other, time.minus(before), Duration.ZERO, now);
    }
  }

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

  /** Reports what was written since the last pass over this cluster. */
  public void written(HBaseCluster cluster) {
    var now =
        new Seen(
            cluster.getMetadata().getUid(),
            RolloutStatuses.read(cluster.getStatus()),
            Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::rolledBack).stream()
                .flatMap(List::stream)
                .filter(Objects::nonNull)
                .toList());
    var before = seen.put(ResourceID.fromResource(cluster), now);
    if (before == null) {
      reportMissed(cluster, now);
    } else if (before.uid().equals(now.uid())) {
      report(cluster, before, now);
    }
  }

  /** What holds a rollout up now. */
  public void waiting(HBaseCluster cluster, RolloutResult rollout) {
    var id = ResourceID.fromResource(cluster);
    var waitsFor = rollout.decision().waitsFor().filter(it -> it.blocker().isReported());
    var before = held.put(id, waitsFor.map(it -> it.blocker().name()));
    waitsFor
        .filter(it -> before == null || !before.equals(Optional.of(it.blocker().name())))
        .ifPresent(it -> events.normal(cluster, "HeldBack", it.text()));
    var blocker = rollout.decision().waitsFor().map(Wait::blocker);
    standing.compute(id, (key, was) -> held(was, blocker, rollout));
    metrics.state(id, rollout.remembered().isPresent(), blocker);
  }

  /** Null where nothing holds it up. */
  private Held held(Held was, Optional<Blocker> blocker, RolloutResult rollout) {
    var now = clock.instant();
    if (was == null) {
      return blocker.map(it -> Held.begin(it, rollout.before(), now)).orElse(null);
    }
    // A pass that begins or ends a step waits for nothing; the next pass waits again.
    boolean isBetween =
        rollout.isStale() || rollout.remembered().filter(Rollout::isUnderWay).isPresent();
    return blocker
        .or(() -> isBetween ? Optional.of(was.blocker()) : Optional.empty())
        .map(it -> was.next(it, rollout.before(), now))
        .orElse(null);
  }

  /** What holds a cluster's rollout up, as its last pass saw it. */
  Optional<Held> held(HBaseCluster cluster) {
    return Optional.ofNullable(standing.get(ResourceID.fromResource(cluster)));
  }

  /** A cluster was deleted. */
  public void forget(ResourceID id) {
    seen.remove(id);
    held.remove(id);
    standing.remove(id);
    metrics.forget(id);
  }

  /** Those transitions whose time status has. */
  private void reportMissed(HBaseCluster cluster, Seen now) {
    now.rollout().ifPresent(it -> missed(cluster, RolloutNews.last(it)));
    Optional.ofNullable(cluster.getStatus())
        .map(HBaseClusterStatus::lastRollout)
        .filter(it -> now.rollout().isEmpty())
        .ifPresent(
            it -> {
              missed(cluster, RolloutNews.ended(RolloutStatuses.restarts(it)));
              time(it.ended()).ifPresent(at -> missed(cluster, Map.of(RolloutNews.FINISHED, at)));
            });
    for (RolledBack back : now.rolledBack()) {
      time(back.at()).ifPresent(at -> missed(cluster, at, true, ROLLED_BACK, note(back)));
    }
  }

  private void missed(HBaseCluster cluster, Map<RolloutNews.Event, Instant> transitions) {
    transitions.forEach(
        (event, at) -> missed(cluster, at, event.isWarning(), event.reason(), event.note()));
  }

  private void missed(
      HBaseCluster cluster, Instant at, boolean isWarning, String reason, String note) {
    events.missed(cluster, new Events.Transition(at, isWarning, reason, note));
  }

  /** Status may have been written by others. */
  private static Optional<Instant> time(String text) {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /** The same: a part that is missing is left out. */
  private static String note(RolledBack back) {
    var group = text(back.group()).map(it -> "group " + it);
    var evidence =
        Optional.ofNullable(back.evidence()).stream()
            .flatMap(List::stream)
            .filter(Objects::nonNull)
            .collect(Collectors.joining(", "));
    return Stream.of(group, text(back.reason()), text(evidence))
        .flatMap(Optional::stream)
        .collect(Collectors.joining(": "));
  }

  private static Optional<String> text(String text) {
    return Optional.ofNullable(text).filter(it -> !it.isEmpty());
  }

  private void report(HBaseCluster cluster, Seen before, Seen now) {
    var news = RolloutNews.of(before.rollout(), now.rollout());
    for (RolloutNews.Event event : news.events()) {
      if (event.isWarning()) {
        events.warning(cluster, event.reason(), event.note());
      } else {
        events.normal(cluster, event.reason(), event.note());
      }
    }
    now.rolledBack().stream()
        .filter(it -> !before.rolledBack().contains(it))
        .forEach(
            it -> {
              events.warning(cluster, ROLLED_BACK, note(it));
              metrics.rolledBack();
            });
    news.finished().stream()
        .filter(it -> it.outcome() != Rollout.Outcome.NOT_WANTED)
        .forEach(metrics::finished);
    news.mastersRestarted()
        .forEach(it -> metrics.failedOver(Duration.between(it.since(), clock.instant())));
    news.canariesEnded()
        .forEach(it -> metrics.canaryEnded(Duration.between(it.since(), clock.instant())));
  }
}
