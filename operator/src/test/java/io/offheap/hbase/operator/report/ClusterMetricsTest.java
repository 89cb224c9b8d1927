package io.offheap.hbase.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.rollout.Blocker;
import io.offheap.hbase.operator.rollout.Decision;
import io.offheap.hbase.operator.rollout.Precondition;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.RolloutResult;
import io.offheap.hbase.operator.rollout.ServerRestart;
import io.offheap.hbase.operator.rollout.WaitReason;
import io.prometheus.client.CollectorRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClusterMetricsTest {
  private static final String CONDITION = "hbase_offheap_cluster_condition";
  private static final ServerRestart.Times TIMES =
      new ServerRestart.Times(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

  private final CollectorRegistry registry = new CollectorRegistry();
  private final List<HBaseCluster> clusters = new ArrayList<>();
  private final TestClock clock = TestClock.at(Instant.EPOCH);

  /** Without an API server: an event that cannot be recorded is only logged. */
  private final RolloutReports rollouts =
      new RolloutReports(
          new Events(null, "test", Clock.systemUTC()),
          new RolloutMetrics(new CollectorRegistry()),
          clock);

  ClusterMetricsTest() {
    registry.register(new ClusterMetrics(clusters::stream, rollouts, clock));
  }

  @Test
  void conditionHasOneStatus() {
    clusters.add(cluster("a", conditionYaml("Ready", "True", "AllServing")));
    clusters.add(cluster("b", conditionYaml("Ready", "False", "WaitingForHdfs")));

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
    clusters.add(cluster("a", conditionYaml("Ready", "True", "AllServing")));
    assertThat(series()).isEqualTo(4);

    clusters.clear();

    assertThat(series()).isZero();
  }

  @Test
  void valuesThatTheOperatorDoesNotWriteGetNoSeries() {
    clusters.add(
        cluster(
            "a",
            conditionYaml("Ready", "Perhaps", "Unknown")
                + conditionYaml("Mine", "True", "AllServing")));

    assertThat(condition("a", "Ready", "Unknown")).isEqualTo(1);
    assertThat(series()).isEqualTo(3);
  }

  @Test
  void suspicionNamesItsRule() {
    clusters.add(
        cluster(
            "a",
            conditionYaml("Tuned", "False", "Suspected")
                + """
                  tuning:
                    groups:
                      - name: ""
                        trials: 0
                        suspected:
                          - {rule: PoolTooSmall, message: not one of 100 buffers was returned}
                          - {rule: PoolTooSmall, message: buffers are leaked}
                          - {rule: Unheard, message: of}
                          - {message: none has a rule}
                      - {name: ssd, trials: 0, suspected: []}
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
  void rolloutIsHeldUntilNothingWaits() {
    var cluster = cluster("a", "");
    clusters.add(cluster);

    waits(cluster, Optional.of(Precondition.HBASE_RESPONDS));
    clock.advance(Duration.ofMinutes(1));
    waits(cluster, Optional.of(Precondition.HBASE_RESPONDS));
    clock.advance(Duration.ofSeconds(1));
    assertThat(held(Precondition.HBASE_RESPONDS)).isEqualTo(61);

    waits(cluster, Optional.empty());
    assertThat(held(Precondition.HBASE_RESPONDS)).isNull();
    waits(cluster, Optional.of(Precondition.HBASE_RESPONDS));
    assertThat(held(Precondition.HBASE_RESPONDS)).isZero();
  }

  @Test
  void waitThatFlipsBetweenReasonsCountsAsOne() {
    var cluster = cluster("a", "");
    clusters.add(cluster);

    for (int i = 0; i < 50; i++) {
      waits(cluster, Optional.of(Precondition.HBASE_RESPONDS));
      clock.advance(Duration.ofMinutes(1));
      waits(cluster, Optional.of(Precondition.MASTER_ACTIVE));
      clock.advance(Duration.ofMinutes(1));
    }

    assertThat(held(Precondition.HBASE_RESPONDS)).isNull();
    assertThat(held(Precondition.MASTER_ACTIVE)).isEqualTo(6000);
  }

  @Test
  void attemptsToDrainAServerThatCannotBeDrainedCountAsOneWait() {
    var cluster = cluster("a", "");
    clusters.add(cluster);
    var draining = rollout(List.of(restart(ServerRestart.Step.DRAIN)), List.of());
    var returning = rollout(List.of(restart(ServerRestart.Step.RETURN)), List.of());
    var later = rollout(List.of(), List.of(finished(Rollout.Outcome.DRAIN_TIMED_OUT)));
    var drainingAgain =
        rollout(
            List.of(restart(ServerRestart.Step.DRAIN)),
            List.of(finished(Rollout.Outcome.DRAIN_TIMED_OUT)));

    pass(cluster, draining, draining, Optional.of(WaitReason.DRAINED));
    clock.advance(Duration.ofMinutes(30));
    pass(cluster, draining, returning, Optional.empty());
    pass(cluster, returning, returning, Optional.of(WaitReason.REGIONS_BACK));
    clock.advance(Duration.ofMinutes(1));
    pass(cluster, returning, later, Optional.of(Precondition.NOT_TOO_SOON));
    pass(cluster, later, later, Optional.of(Precondition.NOT_TOO_SOON));
    clock.advance(Duration.ofMinutes(30));
    pass(cluster, later, drainingAgain, Optional.empty());
    pass(cluster, drainingAgain, drainingAgain, Optional.of(WaitReason.DRAINED));

    assertThat(held(WaitReason.DRAINED)).isEqualTo(3660);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"DRAIN_TIMED_OUT", "NOT_WANTED"},
      mode = EnumSource.Mode.EXCLUDE)
  void serverThatIsDoneStartsTheTimeAgain(Rollout.Outcome outcome) {
    var cluster = cluster("a", "");
    clusters.add(cluster);
    var returning = rollout(List.of(restart(ServerRestart.Step.RETURN)), List.of());
    var done = rollout(List.of(), List.of(finished(outcome)));

    pass(cluster, returning, returning, Optional.of(WaitReason.REGIONS_BACK));
    clock.advance(Duration.ofMinutes(10));
    pass(cluster, returning, done, Optional.of(WaitReason.REGIONS_BACK));
    assertThat(held(WaitReason.REGIONS_BACK)).as("not written yet").isEqualTo(600);
    pass(cluster, done, done, Optional.of(WaitReason.REGIONS_BACK));

    assertThat(held(WaitReason.REGIONS_BACK)).isZero();
  }

  @Test
  void masterThatIsDoneStartsTheTimeAgain() {
    var cluster = cluster("a", "");
    clusters.add(cluster);
    var master =
        with(
            new Rollout.MasterRestart("a-master-0", "u", Optional.empty(), clock.instant()),
            Optional.empty());
    var done = rollout(List.of(), List.of());

    pass(cluster, master, master, Optional.of(WaitReason.FAILED_OVER));
    clock.advance(Duration.ofMinutes(10));
    pass(cluster, done, done, Optional.of(WaitReason.FAILED_OVER));

    assertThat(held(WaitReason.FAILED_OVER)).isZero();
  }

  @Test
  void canaryThatPassesStartsTheTimeAgainAndOneThatEndsOtherwiseDoesNot() {
    var cluster = cluster("a", "");
    clusters.add(cluster);
    var canary =
        new Rollout.Canary(
            "",
            "a-regionserver-2",
            clock.instant(),
            "u",
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            0,
            0);
    var watched = with(null, Optional.of(canary));
    var ended = rollout(List.of(), List.of());
    var passed =
        new Rollout(
            Instant.EPOCH,
            Optional.empty(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(new Rollout.Passed(canary, List.of())));

    pass(cluster, watched, watched, Optional.of(Precondition.HBASE_RESPONDS));
    clock.advance(Duration.ofMinutes(10));
    pass(cluster, ended, ended, Optional.of(Precondition.HBASE_RESPONDS));
    assertThat(held(Precondition.HBASE_RESPONDS)).isEqualTo(600);

    pass(cluster, watched, watched, Optional.of(Precondition.HBASE_RESPONDS));
    pass(
        cluster,
        Optional.of(passed),
        Optional.of(passed),
        Optional.of(Precondition.HBASE_RESPONDS));
    assertThat(held(Precondition.HBASE_RESPONDS)).isZero();
  }

  @ParameterizedTest
  @EnumSource(names = {"NOT_PAUSED", "INSIDE_WINDOW", "CANARY_PROVEN"})
  void intendedWaitCountsByItselfAndNotForWhatFollows(Precondition intended) {
    var cluster = cluster("a", "");
    clusters.add(cluster);

    waits(cluster, Optional.of(Precondition.HBASE_RESPONDS));
    clock.advance(Duration.ofMinutes(10));
    waits(cluster, Optional.of(intended));
    clock.advance(Duration.ofHours(2));
    assertThat(held(intended)).isEqualTo(7200);
    waits(cluster, Optional.of(Precondition.HBASE_RESPONDS));
    clock.advance(Duration.ofSeconds(1));

    assertThat(held(Precondition.HBASE_RESPONDS)).isEqualTo(601);
  }

  @Test
  void canaryThatIsWaitedForHasItsWindow() {
    var cluster = cluster("a", "");
    clusters.add(cluster);
    var window = "hbase_offheap_cluster_canary_window_seconds";

    waits(cluster, Optional.of(Precondition.CANARY_PROVEN));
    assertThat(value(window, "a")).isEqualTo(7200);

    waits(cluster, Optional.of(Precondition.HBASE_RESPONDS));
    assertThat(value(window, "a")).isNull();
  }

  private void waits(HBaseCluster cluster, Optional<Blocker> blocker) {
    pass(cluster, Optional.empty(), Optional.empty(), blocker);
  }

  private void pass(
      HBaseCluster cluster,
      Optional<Rollout> before,
      Optional<Rollout> after,
      Optional<Blocker> blocker) {
    var decision =
        new Decision(
            after, List.of(), blocker.map(it -> new Decision.Wait(it, "")), Optional.empty());
    rollouts.waiting(cluster, new RolloutResult(before, decision, Optional.empty(), false));
  }

  private static Optional<Rollout> rollout(
      List<ServerRestart> restarts, List<Rollout.Finished> finished) {
    return Optional.of(
        new Rollout(
            Instant.EPOCH,
            Optional.empty(),
            restarts,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            finished,
            List.of()));
  }

  private static Optional<Rollout> with(
      Rollout.MasterRestart master, Optional<Rollout.Canary> canary) {
    return Optional.of(
        new Rollout(
            Instant.EPOCH,
            Optional.empty(),
            List.of(),
            Optional.ofNullable(master),
            canary,
            Optional.empty(),
            List.of(),
            List.of()));
  }

  private static ServerRestart restart(ServerRestart.Step step) {
    return ServerRestart.of("a-regionserver-2", "u", Instant.EPOCH)
        .server("a-regionserver-2.a.shop.svc,16020,1")
        .step(step, Instant.EPOCH)
        .cancelled(
            step == ServerRestart.Step.RETURN
                ? Optional.of(ServerRestart.Cancellation.DRAIN_TIMED_OUT)
                : Optional.empty())
        .times(TIMES)
        .build();
  }

  private static Rollout.Finished finished(Rollout.Outcome outcome) {
    return new Rollout.Finished(
        "a-regionserver-2", ServerRestart.Cause.RESTART, outcome, 2, TIMES, Optional.empty());
  }

  private Double held(Blocker blocker) {
    return value("hbase_offheap_cluster_rollout_held_seconds", "a", "reason", blocker.label());
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

  private static String conditionYaml(String type, String status, String reason) {
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
        spec: {rollout: {canary: {window: 2h}}}
        """
                .formatted(name)
            + status,
        HBaseCluster.class);
  }
}
