package io.offheap.hbase.operator.report;

import io.fabric8.kubernetes.api.model.Condition;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.declare.RolloutSettings;
import io.offheap.hbase.operator.rollout.Blocker;
import io.offheap.hbase.operator.rollout.Precondition;
import io.offheap.hbase.operator.status.ConditionType;
import io.offheap.hbase.operator.status.Reason;
import io.offheap.hbase.operator.tune.Rules;
import io.prometheus.client.Collector;
import io.prometheus.client.GaugeMetricFamily;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Metrics of each cluster's status, for Prometheus. It is read from the operator's cache at each
 * scrape, so a cluster's series begin and end with the cluster, and a replica that does not lead
 * has none.
 *
 * <p>A cluster has at most 3 series for each {@link ConditionType}, 1 for each type's {@link
 * Reason}, 1 for each rule, 1 for a {@link Blocker} and 1 for a canary. Other values of these
 * labels, which only a person can have written into a status, get no series.
 */
public final class ClusterMetrics extends Collector {
  private static final List<String> STATUSES = List.of("True", "False", "Unknown");
  private static final Map<String, ConditionType> TYPES = names(ConditionType.values());
  private static final Map<String, Reason> REASONS = names(Reason.values());
  private static final List<String> RULES = Rules.all().names();

  private final Supplier<Stream<HBaseCluster>> clusters;
  private final RolloutReports rollouts;
  private final Clock clock;

  /**
   * Made once for an operator.
   *
   * @param clusters all clusters as they are known now
   * @param rollouts what holds a cluster's rollout
   */
  public ClusterMetrics(
      Supplier<Stream<HBaseCluster>> clusters, RolloutReports rollouts, Clock clock) {
    this.clusters = clusters;
    this.rollouts = rollouts;
    this.clock = clock;
  }

  @Override
  public List<MetricFamilySamples> collect() {
    var families = new Families();
    clusters.get().forEach(cluster -> add(cluster, families));
    return families.list();
  }

  /** The samples of a scrape. */
  private static final class Families {
    final GaugeMetricFamily conditions =
        family("condition", "1 for the status that a condition has, else 0.", "type", "status");
    final GaugeMetricFamily reasons =
        family("condition_reason", "1 for the reason that a condition has.", "type", "reason");
    final GaugeMetricFamily held =
        family(
            "rollout_held_seconds",
            "For how long a rollout that is held back has not advanced.",
            "reason");
    final GaugeMetricFamily canaries =
        family("canary_window_seconds", "How long the canary that is waited for is compared.");
    final GaugeMetricFamily suspicions =
        family("tuning_suspicion", "1 for a rule that suspects what tuning cannot mend.", "rule");

    private static GaugeMetricFamily family(String name, String help, String... labels) {
      return new GaugeMetricFamily(
          "hbase_offheap_cluster_" + name,
          help,
          Stream.concat(Stream.of("namespace", "cluster"), Stream.of(labels)).toList());
    }

    List<MetricFamilySamples> list() {
      return List.of(conditions, reasons, held, canaries, suspicions);
    }
  }

  private void add(HBaseCluster cluster, Families families) {
    var status = Optional.ofNullable(cluster.getStatus());
    var found = conditions(status);
    for (ConditionType type : ConditionType.values()) {
      var condition = Optional.ofNullable(found.get(type));
      // A cluster that no pass has reported on is not ready either.
      if (condition.isPresent() || type == ConditionType.Ready) {
        var is = condition.map(Condition::getStatus).filter(STATUSES::contains).orElse("Unknown");
        STATUSES.forEach(
            it -> add(families.conditions, cluster, it.equals(is) ? 1 : 0, type.name(), it));
      }
      condition
          .map(Condition::getReason)
          .filter(REASONS::containsKey)
          .ifPresent(reason -> add(families.reasons, cluster, 1, type.name(), reason));
    }
    var held = rollouts.held(cluster);
    held.ifPresent(it -> add(families.held, cluster, seconds(it.since()), it.blocker().label()));
    held.filter(it -> it.blocker() == Precondition.CANARY_PROVEN)
        .flatMap(it -> RolloutSettings.of(cluster.getSpec().rollout()).canaryWindow())
        .ifPresent(it -> add(families.canaries, cluster, it.toMillis() / 1000.0));
    suspecting(status).forEach(rule -> add(families.suspicions, cluster, 1, rule));
  }

  private static Map<ConditionType, Condition> conditions(Optional<HBaseClusterStatus> status) {
    return status.map(HBaseClusterStatus::conditions).stream()
        .flatMap(List::stream)
        .filter(it -> it.getType() != null && TYPES.containsKey(it.getType()))
        .collect(
            Collectors.toMap(it -> TYPES.get(it.getType()), it -> it, (first, second) -> second));
  }

  private static Stream<String> suspecting(Optional<HBaseClusterStatus> status) {
    var suspecting =
        status.map(HBaseClusterStatus::tuning).map(TuningStatus::groups).stream()
            .flatMap(List::stream)
            .map(TuningStatus.Group::suspected)
            .filter(Objects::nonNull)
            .flatMap(List::stream)
            .map(TuningStatus.Suspicion::rule)
            .toList();
    return RULES.stream().filter(suspecting::contains);
  }

  private double seconds(Instant since) {
    return Duration.between(since, clock.instant()).toMillis() / 1000.0;
  }

  private static void add(
      GaugeMetricFamily family, HBaseCluster cluster, double value, String... labels) {
    var about = Stream.of(cluster.getMetadata().getNamespace(), cluster.getMetadata().getName());
    family.addMetric(Stream.concat(about, Stream.of(labels)).toList(), value);
  }

  private static <E extends Enum<E>> Map<String, E> names(E[] values) {
    return Arrays.stream(values).collect(Collectors.toUnmodifiableMap(Enum::name, it -> it));
  }
}
