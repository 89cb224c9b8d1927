package io.offheap.hbase.operator.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RolloutMetricsTest {
  private final CollectorRegistry registry = new CollectorRegistry();
  private final RolloutMetrics metrics =
      new RolloutMetrics(registry, List.of("OneAtATime", "NothingInTransition"));

  @Test
  void clustersAreCountedByWhatHoldsThemBack() {
    metrics.state("ns/a", true, Optional.of("NothingInTransition"));
    metrics.state("ns/b", true, Optional.of("NothingInTransition"));
    metrics.state("ns/c", false, Optional.of("OneAtATime"));
    metrics.state("ns/d", false, Optional.empty());

    assertThat(waiting("NothingInTransition")).isEqualTo(2);
    assertThat(waiting("OneAtATime")).isEqualTo(1);
    assertThat(value("hbase_offheap_rollout_active")).isEqualTo(2);
  }

  @Test
  void clusterCountsForWhatItsLastPassSaw() {
    metrics.state("ns/a", true, Optional.of("NothingInTransition"));
    metrics.state("ns/a", true, Optional.of("NothingInTransition"));
    metrics.state("ns/a", true, Optional.of("OneAtATime"));

    assertThat(waiting("NothingInTransition")).isZero();
    assertThat(waiting("OneAtATime")).isEqualTo(1);
    assertThat(value("hbase_offheap_rollout_active")).isEqualTo(1);

    metrics.state("ns/a", false, Optional.empty());

    assertThat(waiting("OneAtATime")).isZero();
    assertThat(value("hbase_offheap_rollout_active")).isZero();
  }

  @Test
  void clusterThatIsGoneCountsNoMore() {
    metrics.state("ns/a", true, Optional.of("OneAtATime"));

    metrics.forget("ns/a");
    metrics.forget("ns/a");
    metrics.forget("ns/never-seen");

    assertThat(waiting("OneAtATime")).isZero();
    assertThat(value("hbase_offheap_rollout_active")).isZero();
  }

  @Test
  void serversRegionsAndPhasesAddUp() {
    metrics.server("restarted");
    metrics.server("restarted");
    metrics.server("drain_timed_out");
    metrics.regionsMoved(12);
    metrics.regionsMoved(0);
    metrics.phase("drain", 40);
    metrics.phase("drain", 2);

    assertThat(value("hbase_offheap_rollout_servers_total", "outcome", "restarted")).isEqualTo(2);
    assertThat(value("hbase_offheap_rollout_servers_total", "outcome", "drain_timed_out"))
        .isEqualTo(1);
    assertThat(value("hbase_offheap_rollout_regions_moved_total")).isEqualTo(12);
    assertThat(value("hbase_offheap_rollout_phase_seconds_count", "phase", "drain")).isEqualTo(2);
    assertThat(value("hbase_offheap_rollout_phase_seconds_sum", "phase", "drain")).isEqualTo(42);
  }

  /** A rate over a series that comes with its first event misses that event. */
  @Test
  void everySeriesIsThereFromTheStartAndNoneIsAdded() {
    assertThat(value("hbase_offheap_rollout_servers_total", "outcome", "rolled_back")).isZero();
    assertThat(value("hbase_offheap_rollout_phase_seconds_count", "phase", "failover")).isZero();
    assertThat(waiting("OneAtATime")).isZero();
    int before = series();

    metrics.state("ns/some-name", true, Optional.of("OneAtATime"));
    metrics.server("pod_deleted");
    metrics.phase("canary", 1);

    assertThat(series()).isEqualTo(before);
  }

  private int series() {
    return Collections.list(registry.metricFamilySamples()).stream()
        .mapToInt((MetricFamilySamples family) -> family.samples.size())
        .sum();
  }

  private double waiting(String reason) {
    return value("hbase_offheap_rollout_waiting", "reason", reason);
  }

  private double value(String name) {
    return registry.getSampleValue(name);
  }

  private double value(String name, String label, String labelValue) {
    return registry.getSampleValue(name, new String[] {label}, new String[] {labelValue});
  }
}
