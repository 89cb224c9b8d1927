package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.rollout.Decision;
import io.offheap.hbase.operator.rollout.Predicate;
import io.offheap.hbase.operator.web.RolloutMetrics;
import io.prometheus.client.CollectorRegistry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClusterMetricsTest {
  private static final String CONDITION = "hbase_offheap_cluster_condition";

  private final CollectorRegistry registry = new CollectorRegistry();
  private final List<HBaseCluster> clusters = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private final Clock clock = new Settable();
  private final RolloutReports rollouts =
      new RolloutReports(null, new RolloutMetrics(new CollectorRegistry(), List.of()), clock);

  ClusterMetricsTest() {
    registry.register(new ClusterMetrics(clusters::stream, rollouts, clock));
  }

  @Test
  void conditionHasOneStatus() {
    clusters.add(cluster("a", says("Ready", "True", "AllServing")));
    clusters.add(cluster("b", says("Ready", "False", "WaitingForHdfs")));

    assertThat(condition("a", "Ready", "True")).isEqualTo(1);
    assertThat(condition("a", "Ready", "False")).isZero();
    assertThat(condition("a", "Ready", "Unknown")).isZero();
    assertThat(condition("b", "Ready", "True")).isZero();
    assertThat(condition("b", "Ready", "False")).isEqualTo(1);
    assertThat(reason("a", "Ready", "AllServing")).isEqualTo(1);
    assertThat(reason("b", "Ready", "WaitingForHdfs")).isEqualTo(1);
    assertThat(reason("b", "Ready", "AllServing")).isNull();
  }

  @Test
  void clusterWithoutAStatusIsNotKnownToBeReady() {
    clusters.add(cluster("a", ""));

    assertThat(condition("a", "Ready", "Unknown")).isEqualTo(1);
    assertThat(condition("a", "Ready", "True")).isZero();
    assertThat(series()).isEqualTo(3);
  }

  @Test
  void seriesGoWithTheCluster() {
    clusters.add(cluster("a", says("Ready", "True", "AllServing")));
    assertThat(series()).isEqualTo(4);

    clusters.clear();

    assertThat(series()).isZero();
  }

  @Test
  void valuesThatTheOperatorDoesNotWriteGetNoSeries() {
    clusters.add(
        cluster("a", says("Ready", "Perhaps", "NobodyKnows") + says("Mine", "True", "AllServing")));

    assertThat(condition("a", "Ready", "Unknown")).isEqualTo(1);
    assertThat(series()).isEqualTo(3);
  }

  @Test
  void suspicionNamesItsRule() {
    clusters.add(
        cluster(
            "a",
            says("Tuned", "False", "Suspected")
                + """
                  tuning:
                    groups:
                      - name: ""
                        trials: 0
                        suspicions:
                          - "PoolTooSmall: not one of 100 buffers came back"
                          - "PoolTooSmall: buffers are leaked"
                          - "Unheard: of"
                      - {name: ssd, trials: 0, suspicions: []}
                """
                    .indent(0)));

    assertThat(value("hbase_offheap_cluster_tuning_suspicion", "a", "rule", "PoolTooSmall"))
        .isEqualTo(1);
    assertThat(
            Collections.list(registry.metricFamilySamples()).stream()
                .filter(it -> it.name.endsWith("_tuning_suspicion"))
                .mapToLong(it -> it.samples.size())
                .sum())
        .isEqualTo(1);
  }

  @Test
  void rolloutIsHeldSinceItsPredicateFirstHeldIt() {
    var cluster = cluster("a", "");
    clusters.add(cluster);

    waits(cluster, Optional.of(Predicate.DRAINED));
    now = now.plusSeconds(60);
    waits(cluster, Optional.of(Predicate.DRAINED));
    now = now.plusSeconds(1);
    assertThat(held(Predicate.DRAINED)).isEqualTo(61);

    waits(cluster, Optional.of(Predicate.REGIONS_BACK));
    assertThat(held(Predicate.DRAINED)).isNull();
    assertThat(held(Predicate.REGIONS_BACK)).isZero();

    waits(cluster, Optional.empty());
    assertThat(held(Predicate.REGIONS_BACK)).isNull();
  }

  private void waits(HBaseCluster cluster, Optional<Predicate> predicate) {
    var decision =
        new Decision(
            Optional.empty(),
            List.of(),
            predicate.map(it -> new Decision.Wait(it, "")),
            Optional.empty());
    rollouts.waiting(
        cluster, new RolloutPass.Result(Optional.empty(), decision, Optional.empty(), false));
  }

  private Double held(Predicate predicate) {
    return value("hbase_offheap_cluster_rollout_held_seconds", "a", "predicate", predicate.name());
  }

  private Double condition(String cluster, String type, String status) {
    return value(CONDITION, cluster, "type", type, "status", status);
  }

  private Double reason(String cluster, String type, String reason) {
    return value(CONDITION + "_reason", cluster, "type", type, "reason", reason);
  }

  /** Null where there is no such series. */
  private Double value(String metric, String cluster, String... labels) {
    var names = Stream.concat(Stream.of("namespace", "cluster"), every(labels, 0));
    var values = Stream.concat(Stream.of("shop", cluster), every(labels, 1));
    return registry.getSampleValue(
        metric, names.toArray(String[]::new), values.toArray(String[]::new));
  }

  private static Stream<String> every(String[] labels, int from) {
    return Stream.iterate(from, i -> i < labels.length, i -> i + 2).map(i -> labels[i]);
  }

  private long series() {
    return Collections.list(registry.metricFamilySamples()).stream()
        .mapToLong(it -> it.samples.size())
        .sum();
  }

  private static String says(String type, String status, String reason) {
    return "    - {type: %s, status: %s, reason: %s}\n".formatted(type, '"' + status + '"', reason);
  }

  private static HBaseCluster cluster(String name, String conditions) {
    var status =
        conditions.isEmpty() ? "" : "status:\n  conditions:\n" + conditions.stripTrailing() + "\n";
    return Serialization.unmarshal(
        """
        apiVersion: hbase.offheap.io/v1alpha1
        kind: HBaseCluster
        metadata: {name: %s, namespace: shop, generation: 1, uid: u}
        """
                .formatted(name)
            + status,
        HBaseCluster.class);
  }

  private final class Settable extends Clock {
    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException();
    }
  }
}
