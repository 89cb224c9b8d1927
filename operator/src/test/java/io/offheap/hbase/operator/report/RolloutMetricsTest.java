package io.offheap.hbase.operator.report;

import static io.offheap.hbase.operator.rollout.Precondition.NO_OTHER_DISTURBANCE;
import static io.offheap.hbase.operator.rollout.Precondition.NO_REGION_IN_TRANSITION;
import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.rollout.Blocker;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.Rollout.Finished;
import io.offheap.hbase.operator.rollout.ServerRestart;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RolloutMetricsTest {
  private final CollectorRegistry registry = new CollectorRegistry();
  private final RolloutMetrics metrics = new RolloutMetrics(registry);

  @Test
  void countsClustersByBlocker() {
    metrics.state(id("a"), true, Optional.of(NO_REGION_IN_TRANSITION));
    metrics.state(id("b"), true, Optional.of(NO_REGION_IN_TRANSITION));
    metrics.state(id("c"), false, Optional.of(NO_OTHER_DISTURBANCE));
    metrics.state(id("d"), false, Optional.empty());

    assertThat(waiting(NO_REGION_IN_TRANSITION)).isEqualTo(2);
    assertThat(waiting(NO_OTHER_DISTURBANCE)).isEqualTo(1);
    assertThat(value("hbase_offheap_rollout_active")).isEqualTo(2);
  }

  @Test
  void countsClusterByLastReconciliation() {
    metrics.state(id("a"), true, Optional.of(NO_REGION_IN_TRANSITION));
    metrics.state(id("a"), true, Optional.of(NO_REGION_IN_TRANSITION));
    metrics.state(id("a"), true, Optional.of(NO_OTHER_DISTURBANCE));

    assertThat(waiting(NO_REGION_IN_TRANSITION)).isZero();
    assertThat(waiting(NO_OTHER_DISTURBANCE)).isEqualTo(1);
    assertThat(value("hbase_offheap_rollout_active")).isEqualTo(1);

    metrics.state(id("a"), false, Optional.empty());

    assertThat(waiting(NO_OTHER_DISTURBANCE)).isZero();
    assertThat(value("hbase_offheap_rollout_active")).isZero();
  }

  @Test
  void dropsDeletedCluster() {
    metrics.state(id("a"), true, Optional.of(NO_OTHER_DISTURBANCE));

    metrics.forget(id("a"));
    metrics.forget(id("a"));
    metrics.forget(id("never-seen"));

    assertThat(waiting(NO_OTHER_DISTURBANCE)).isZero();
    assertThat(value("hbase_offheap_rollout_active")).isZero();
  }

  @Test
  void serversRegionsAndPhasesAddUp() {
    metrics.finished(restart(ServerRestart.Cause.RESTART, Rollout.Outcome.RESTARTED, 12, 40));
    metrics.finished(restart(ServerRestart.Cause.RESTART, Rollout.Outcome.RESTARTED, 0, 2));
    metrics.finished(restart(ServerRestart.Cause.RESTART, Rollout.Outcome.DRAIN_TIMED_OUT, 0, 0));
    metrics.finished(restart(ServerRestart.Cause.POD_DELETED, Rollout.Outcome.RESTARTED, 0, 0));
    metrics.finished(restart(ServerRestart.Cause.SCALE_DOWN, Rollout.Outcome.SCALED_DOWN, 0, 0));
    metrics.rolledBack();
    metrics.canaryEnded(Duration.ofMillis(1500));
    metrics.failedOver(Duration.ofSeconds(7));

    assertThat(value("hbase_offheap_rollout_servers_total", "outcome", "restarted")).isEqualTo(2);
    assertThat(value("hbase_offheap_rollout_servers_total", "outcome", "drain_timed_out"))
        .isEqualTo(1);
    assertThat(value("hbase_offheap_rollout_regions_moved_total")).isEqualTo(12);
    assertThat(value("hbase_offheap_rollout_servers_total", "outcome", "pod_deleted")).isEqualTo(1);
    assertThat(value("hbase_offheap_rollout_servers_total", "outcome", "scaled_down")).isEqualTo(1);
    assertThat(value("hbase_offheap_rollout_servers_total", "outcome", "rolled_back")).isEqualTo(1);
    assertThat(value("hbase_offheap_rollout_phase_seconds_count", "phase", "drain")).isEqualTo(5);
    assertThat(value("hbase_offheap_rollout_phase_seconds_count", "phase", "return"))
        .as("a server that was removed does not return")
        .isEqualTo(4);
    assertThat(value("hbase_offheap_rollout_phase_seconds_sum", "phase", "canary")).isEqualTo(1.5);
    assertThat(value("hbase_offheap_rollout_phase_seconds_sum", "phase", "failover")).isEqualTo(7);
    assertThat(value("hbase_offheap_rollout_phase_seconds_sum", "phase", "drain")).isEqualTo(42);
  }

  /** A rate over a series that comes with its first event misses that event. */
  @Test
  void everySeriesExistsFromTheStart() {
    assertThat(value("hbase_offheap_rollout_servers_total", "outcome", "rolled_back")).isZero();
    assertThat(value("hbase_offheap_rollout_phase_seconds_count", "phase", "failover")).isZero();
    assertThat(waiting(NO_OTHER_DISTURBANCE)).isZero();
    int before = series();

    metrics.state(id("some-name"), true, Optional.of(NO_OTHER_DISTURBANCE));
    metrics.finished(restart(ServerRestart.Cause.POD_DELETED, Rollout.Outcome.RESTARTED, 1, 1));
    metrics.canaryEnded(Duration.ofSeconds(1));

    assertThat(series()).isEqualTo(before);
  }

  private static Finished restart(
      ServerRestart.Cause cause, Rollout.Outcome outcome, int regions, int drainSeconds) {
    return new Finished(
        "hb-regionserver-0",
        cause,
        outcome,
        regions,
        new ServerRestart.Times(
            Duration.ofSeconds(drainSeconds), Duration.ZERO, Duration.ZERO, Duration.ZERO),
        Optional.empty());
  }

  private static ResourceID id(String name) {
    return new ResourceID(name, "ns");
  }

  private int series() {
    return Collections.list(registry.metricFamilySamples()).stream()
        .mapToInt((MetricFamilySamples family) -> family.samples.size())
        .sum();
  }

  private double waiting(Blocker blocker) {
    return value("hbase_offheap_rollout_waiting", "reason", blocker.label());
  }

  private double value(String name) {
    return registry.getSampleValue(name);
  }

  private double value(String name, String label, String labelValue) {
    return registry.getSampleValue(name, new String[] {label}, new String[] {labelValue});
  }
}
