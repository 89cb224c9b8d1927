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
 * Which clusters alerts are a reason to look at. An alert is never more than that: what to do about
 * it is decided by figures that the operator then asks the region servers for itself. For each
 * alert, in order:
 *
 * <ol>
 *   <li>It names a cluster, in a namespace that is watched, and there is such a cluster.
 *   <li>It fires, began in the last day, and has not ended.
 *   <li>The same alert, since the same time, was no reason to look in the last ten minutes.
 * </ol>
 *
 * <p>Each cluster is looked at once for all alerts of one body. Nothing is remembered of an alert
 * that was refused, and nothing at all of a body whose look could not be asked for: its sender may
 * try again.
 */
final class AlertWebhook {
  /** Longer than Alertmanager takes to send a group again that has grown, by its defaults. */
  static final Duration REPEATED_WITHIN = Duration.ofMinutes(10);

  /** Older ones tell nothing that the operator's own looks have not seen many times. */
  static final Duration OLDEST = Duration.ofDays(1);

  /** How far the clocks of two nodes may be apart. */
  static final Duration CLOCKS_APART = Duration.ofMinutes(5);

  /** How many alerts are remembered; the oldest is forgotten first, which costs a second look. */
  static final int REMEMBERED = 10_000;

  private final WatchedClusters clusters;
  private final Clock clock;
  private final BiConsumer<ClusterName, AlertCause> looks;
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
   * A webhook that remembers nothing yet.
   *
   * @param looks asks for a look at a cluster soon, with the first alert that is a reason for it;
   *     returns at once
   */
  AlertWebhook(WatchedClusters clusters, Clock clock, BiConsumer<ClusterName, AlertCause> looks) {
    this.clusters = clusters;
    this.clock = clock;
    this.looks = looks;
  }

  /** Judges the alerts of one body, and asks for the looks that they are a reason for. */
  synchronized List<Verdict> receive(List<Alert> alerts) {
    var now = clock.instant();
    var fresh = new LinkedHashSet<Seen>();
    var asked = new LinkedHashMap<ClusterName, AlertCause>();
    var verdicts = new ArrayList<Verdict>();
    for (var alert : alerts) {
      var verdict = judge(alert, now, fresh);
      verdicts.add(verdict);
      if (verdict == Verdict.LOOK) {
        alert.cluster().ifPresent(it -> asked.putIfAbsent(it, alert.cause()));
      }
    }
    asked.forEach(looks);
    for (var each : fresh) {
      // Put last, as the order is that of the looks.
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
    return repeated || !fresh.add(key) ? Verdict.REPEATED : Verdict.LOOK;
  }

  /** How often each verdict was given. */
  static Map<Verdict, Integer> counts(List<Verdict> verdicts) {
    var counts = new EnumMap<Verdict, Integer>(Verdict.class);
    verdicts.forEach(it -> counts.merge(it, 1, Integer::sum));
    return counts;
  }
}
