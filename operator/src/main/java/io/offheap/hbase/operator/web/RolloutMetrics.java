package io.offheap.hbase.operator.web;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What rollouts do, over all clusters. No label has a value that a cluster's name decides; each
 * series is there from the start.
 */
public final class RolloutMetrics {
  private static final List<String> PHASES =
      List.of("drain", "stop", "start", "return", "canary", "failover");
  private static final List<String> OUTCOMES =
      List.of("restarted", "scaled_down", "pod_deleted", "drain_timed_out", "rolled_back");

  private final Histogram phases;
  private final Counter servers;
  private final Counter regionsMoved;
  private final Gauge waiting;
  private final Gauge active;
  private final Map<String, State> states = new HashMap<>();

  private record State(boolean active, Optional<String> waitingFor) {}

  /**
   * Registers the metrics.
   *
   * @param reasons names of all that a rollout can wait for
   */
  public RolloutMetrics(CollectorRegistry registry, Collection<String> reasons) {
    phases =
        Histogram.build(
                "hbase_offheap_rollout_phase_seconds",
                "How long a phase of a server's restart, or of a rollout, took.")
            .labelNames("phase")
            .buckets(1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)
            .register(registry);
    servers =
        Counter.build(
                "hbase_offheap_rollout_servers_total",
                "Region servers that left a rollout, by outcome.")
            .labelNames("outcome")
            .register(registry);
    regionsMoved =
        Counter.build(
                "hbase_offheap_rollout_regions_moved_total",
                "Regions that were moved off a server before it stopped, or back.")
            .register(registry);
    waiting =
        Gauge.build(
                "hbase_offheap_rollout_waiting", "Clusters whose rollout is held back, by reason.")
            .labelNames("reason")
            .register(registry);
    active =
        Gauge.build("hbase_offheap_rollout_active", "Clusters with a server in the roll.")
            .register(registry);
    PHASES.forEach(phases::labels);
    OUTCOMES.forEach(servers::labels);
    reasons.forEach(waiting::labels);
  }

  /** A phase is over: drain, stop, start, return, canary or failover. */
  public void phase(String phase, double seconds) {
    phases.labels(phase).observe(seconds);
  }

  /** A server is done with: restarted, scaled_down, pod_deleted, drain_timed_out or rolled_back. */
  public void server(String outcome) {
    servers.labels(outcome).inc();
  }

  /** Regions were moved. */
  public void regionsMoved(int regions) {
    regionsMoved.inc(regions);
  }

  /**
   * What a cluster's rollout is at, as its last pass saw it.
   *
   * @param clusterKey tells clusters apart; appears nowhere
   * @param active whether a server is in the roll
   * @param waitingFor what holds the next step back
   */
  public synchronized void state(String clusterKey, boolean active, Optional<String> waitingFor) {
    var now = new State(active, waitingFor);
    count(states.put(clusterKey, now), -1);
    count(now, 1);
  }

  /** A cluster is gone. */
  public synchronized void forget(String clusterKey) {
    count(states.remove(clusterKey), -1);
  }

  private void count(State state, int change) {
    if (state == null) {
      return;
    }
    active.inc(state.active() ? change : 0);
    state.waitingFor().ifPresent(reason -> waiting.labels(reason).inc(change));
  }
}
