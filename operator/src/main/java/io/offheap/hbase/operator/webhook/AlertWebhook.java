package io.offheap.hbase.operator.webhook;

import io.offheap.hbase.operator.tune.AlertCause;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Decides which alerts trigger a reconciliation of their cluster. An alert has no other effect: the
 * reconciliation decides by metrics that the operator requests from the region servers. An alert
 * triggers a reconciliation if, in order:
 *
 * <ol>
 *   It names an existing cluster in a watched namespace.
 * </ol>
 *
 * <p>All alerts of one body trigger one reconciliation of each cluster. Refused alerts are not
 * stored, and if a reconciliation cannot be triggered, no alert of the body is: its sender may
 * retry.
 */
final class AlertWebhook {
  /** Longer than Alertmanager takes to send a changed group again, by its defaults. */
  static final Duration REPEATED_WITHIN = Duration.ofMinutes(10);

  /** Older alerts add nothing: the operator's own reconciliations have covered them. */
  static final Duration OLDEST = Duration.ofDays(1);

  /** Largest difference of the clocks of two nodes. */
  static final Duration CLOCKS_APART = Duration.ofMinutes(5);

  /**
   * Most alerts that are stored; the oldest is dropped first, which costs a second reconciliation.
   */
  static final int REMEMBERED = 10_000;

  private final WatchedClusters clusters;
  private final Clock clock;
  private final BiConsumer<ClusterName, AlertCause> trigger;
  private final Map<Seen, Instant> seen =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Seen, Instant> eldest) {
          return size() > REMEMBERED;
        }
      };

  private record Seen(ClusterName cluster, String fingerprint, Instant startsAt) {
    static Seen of(ClusterName cluster, AlertCause alert) {
      return new Seen(cluster, alert.fingerprint(), alert.startsAt());
    }
  }

  /**
   * Creates a webhook without stored alerts.
   *
   * @param trigger triggers a reconciliation of a cluster soon, with the first alert that is a
   *     reason for it; returns at once
   */
  AlertWebhook(WatchedClusters clusters, Clock clock, BiConsumer<ClusterName, AlertCause> trigger) {
    this.clusters = clusters;
    this.clock = clock;
    this.trigger = trigger;
  }

  /** Judges the alerts of one body, and triggers the reconciliations. */
  synchronized List<Verdict> receive(List<Alert> alerts) {
    var now = clock.instant();
    var fresh = new LinkedHashSet<Seen>();
    var triggered = new LinkedHashMap<ClusterName, AlertCause>();
    var verdicts = new ArrayList<Verdict>();
    for (var alert : alerts) {
      var verdict = judge(alert, now, fresh);
      verdicts.add(verdict);
      if (verdict == Verdict.TRIGGERED) {
        alert.cluster().ifPresent(it -> triggered.putIfAbsent(it, alert.cause()));
      }
    }
    triggered.forEach(trigger);
    for (var each : fresh) {
      // Put last, so that the order is that of the triggered reconciliations.
      seen.remove(each);
      seen.put(each, now);
    }
    return verdicts;
  }

  private Verdict judge(Alert alert, Instant now, Set<Seen> fresh) {
    if (alert.cluster().isEmpty()) {
      return Verdict.NO_CLUSTER;
    }
    var cluster = alert.cluster().get();
    if (!clusters.isWatched(cluster.namespace())) {
      return Verdict.UNWATCHED_NAMESPACE;
    }
    if (!clusters.exists(cluster)) {
      return Verdict.UNKNOWN_CLUSTER;
    }
    if (!alert.firing()) {
      return Verdict.RESOLVED;
    }
    var startsAt = alert.cause().startsAt();
    if (startsAt.isAfter(now.plus(CLOCKS_APART))) {
      return Verdict.FUTURE;
    }
    if (startsAt.isBefore(now.minus(OLDEST))
        || alert.endsAt().filter(now.minus(CLOCKS_APART)::isAfter).isPresent()) {
      return Verdict.STALE;
    }
    var key = Seen.of(cluster, alert.cause());
    var before = seen.get(key);
    boolean repeated = before != null && now.isBefore(before.plus(REPEATED_WITHIN));
    return repeated || !fresh.add(key) ? Verdict.REPEATED : Verdict.TRIGGERED;
  }

  /** The number of each verdict. */
  static Map<Verdict, Integer> counts(List<Verdict> verdicts) {
    var counts = new EnumMap<Verdict, Integer>(Verdict.class);
    verdicts.forEach(it -> counts.merge(it, 1, Integer::sum));
    return counts;
  }
}
