package io.offheap.hbase.operator.report;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.rollout.Blocker;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.Rollout.Finished;
import io.offheap.hbase.operator.rollout.ServerRestart;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Metrics of rollouts, over all clusters. No label has a value that a cluster's name determines;
 * each series exists from the start.
 */
public final class RolloutMetrics {
  private final Histogram phases;
  private final Counter servers;
  private final Counter regionsMoved;
  private final Gauge waiting;
  private final Gauge active;
  private final Map<ResourceID, State> states = new HashMap<>();

  private record State(boolean active, Optional<Blocker> waitingFor) {}

  /** Values of the label {@code phase}. */
  private enum Phase {
    DRAIN,
    STOP,
    START,
    RETURN,
    CANARY,
    FAILOVER
  }

  /** Values of the label {@code outcome}. */
  private enum Outcome {
    RESTARTED,
    SCALED_DOWN,
    POD_DELETED,
    DRAIN_TIMED_OUT,
    ROLLED_BACK
  }

  /** Registers the metrics. */
  public RolloutMetrics(CollectorRegistry registry) {
    phases =
        Histogram.build(
                "hbase_offheap_rollout_phase_seconds",
                "Duration of a phase of a restart of a server, or of a rollout.")
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
        Gauge.build(
                "hbase_offheap_rollout_active",
                "Clusters with a server that is being restarted or compared.")
            .register(registry);
    List.of(Phase.values()).forEach(it -> phases.labels(label(it)));
    List.of(Outcome.values()).forEach(it -> servers.labels(label(it)));
    Blocker.labels().forEach(waiting::labels);
  }

  /** The restart or the removal of a server ended. */
  public void finished(Finished restart) {
    var times = restart.times();
    observe(Phase.DRAIN, times.drain());
    observe(Phase.STOP, times.stop());
    if (restart.outcome() != Rollout.Outcome.SCALED_DOWN) {
      observe(Phase.START, times.start());
      observe(Phase.RETURN, times.bringBack());
    }
    count(
        switch (restart.outcome()) {
          case RESTARTED ->
              restart.cause() == ServerRestart.Cause.POD_DELETED
                  ? Outcome.POD_DELETED
                  : Outcome.RESTARTED;
          case SCALED_DOWN -> Outcome.SCALED_DOWN;
          case DRAIN_TIMED_OUT -> Outcome.DRAIN_TIMED_OUT;
          case NOT_WANTED ->
              throw new IllegalArgumentException("a cancelled restart is not counted");
        });
    regionsMoved.inc(restart.regions());
  }

  /** The change of a server was rolled back. */
  public void rolledBack() {
    count(Outcome.ROLLED_BACK);
  }

  /** The comparison of a canary ended after this time. */
  public void canaryEnded(Duration duration) {
    observe(Phase.CANARY, duration);
  }

  /** The restart of a master ended after this time. */
  public void failedOver(Duration duration) {
    observe(Phase.FAILOVER, duration);
  }

  /**
   * Sets the state of a cluster's rollout, as of its last reconciliation.
   *
   * @param cluster appears in no label
   * @param active whether a server is being restarted
   * @param waitingFor what holds back the next step
   */
  public synchronized void state(ResourceID cluster, boolean active, Optional<Blocker> waitingFor) {
    var now = new State(active, waitingFor);
    count(states.put(cluster, now), -1);
    count(now, 1);
  }

  /** Drops the state of a deleted cluster. */
  public synchronized void forget(ResourceID cluster) {
    count(states.remove(cluster), -1);
  }

  private void observe(Phase phase, Duration duration) {
    phases.labels(label(phase)).observe(duration.toMillis() / 1000.0);
  }

  private void count(Outcome outcome) {
    servers.labels(label(outcome)).inc();
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private void count(State state, int change) {
    if (state == null) {
      return;
    }
    active.inc(state.active() ? change : 0);
    state.waitingFor().ifPresent(blocker -> waiting.labels(blocker.label()).inc(change));
  }
}
