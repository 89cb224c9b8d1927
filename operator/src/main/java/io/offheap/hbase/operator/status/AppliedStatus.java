package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.api.RolloutStatus.Proven;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.RolloutResult;
import io.offheap.hbase.operator.rollout.ServerPod;
import io.offheap.hbase.operator.tune.TuningState;
import io.offheap.hbase.operator.tune.TuningStep.Activity;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The status after a reconciliation. */
public record AppliedStatus(
    AppliedState applied,
    Observation observed,
    RolloutResult rollout,
    List<RolloutStatus.Sample> samples,
    TuningStatus tuning,
    Clock clock) {
  /** How many are remembered of a group. */
  private static final int PROVEN = 5;

  /** Of tuning: what every group has before its first evaluation, and may have again. */
  private static final Set<String> WAITS =
      Set.of(Activity.WAITING_FOR_ROLLOUT.text(), Activity.WAITING_FOR_SPEC.text());

  public HBaseClusterStatus of(HBaseCluster cluster, Conditions conditions) {
    var before = Optional.ofNullable(cluster.getStatus());
    return new HBaseClusterStatusBuilder()
        .observedGeneration(cluster.getMetadata().getGeneration())
        .conditions(conditions.list())
        .replicas(observed.defaultGroupPods())
        .selector(observed.defaultGroupSelector())
        .servers(observed.readyRegionServers(), observed.declaredServers().size())
        .regionServers(RegionServerStatuses.of(observed, rollout.remembered()))
        .memoryPlan(PlanStatuses.of(applied.defaultGroup().plan()))
        .groups(groups())
        .live(applied.live().orElse(null))
        .appliedSpec(cluster.getSpec())
        .images(applied.images())
        .lastGood(
            isGood() ? LastGood.ofApplied() : before.map(HBaseClusterStatus::good).orElse(null))
        .rollout(
            rollout
                .remembered()
                .map(
                    it ->
                        RolloutStatuses.of(
                            it,
                            samples,
                            rollout.decision().waitsFor().map(Wait::text).orElse(null)))
                .orElse(null))
        .lastRollout(
            lastRollout().or(() -> before.map(HBaseClusterStatus::lastRollout)).orElse(null))
        .rolledBack(rolledBack())
        .proven(proven(before))
        .tuning(tuning)
        .build();
  }

  /** The groups beside the default one. Null for none, as in status. */
  private List<HBaseClusterStatus.Group> groups() {
    var all =
        applied.plans().stream()
            .filter(it -> !it.group().isDefault())
            .map(
                it -> {
                  var pods = observed.group(it.group().name());
                  return new HBaseClusterStatus.Group(
                      it.group().name(),
                      pods.map(Observation.ReadyPods::ready).orElse(null),
                      pods.map(Observation.ReadyPods::replicas).orElse(null),
                      PlanStatuses.of(it.plan()));
                })
            .toList();
    return all.isEmpty() ? null : all;
  }

  /**
   * Null while tuning waits and has done nothing: the conditions have what it waits for, and all
   * else would be empty.
   *
   * @throws RuntimeException if a text in it cannot be read: a status as it was stored may have any
   */
  public static TuningStatus shown(TuningStatus tuning) {
    return tuning.groups() == null || tuning.groups().stream().allMatch(AppliedStatus::isToBegin)
        ? null
        : tuning;
  }

  private static boolean isToBegin(TuningStatus.Group group) {
    return group.reason() != null
        && WAITS.contains(group.reason())
        && group.suspected() == null
        && TuningStatuses.read(group).equals(TuningState.EMPTY);
  }

  /** Whether everything serves as declared, and no rollout is under way. */
  private boolean isGood() {
    return !rollout.isActive()
        && applied.rolledBack().isEmpty()
        && observed.waiting().isEmpty()
        && observed.serverPods().stream().noneMatch(ServerPod::isOutdated)
        && observed.masterPods().stream().noneMatch(ServerPod::isOutdated);
  }

  private Optional<RolloutStatus.Finished> lastRollout() {
    return rollout
        .before()
        .filter(it -> rollout.remembered().isEmpty())
        .map(
            it ->
                new RolloutStatus.Finished(
                    it.started().toString(),
                    clock.instant().toString(),
                    RolloutStatuses.finished(it),
                    it.passed().isEmpty() ? null : RolloutStatuses.passed(it)));
  }

  /**
   * The proven configurations of each group. If all its servers serve as applied, only this one;
   * otherwise the earlier ones and the one that its canary has passed with. Null for none, as in
   * status.
   */
  private List<Proven> proven(Optional<HBaseClusterStatus> before) {
    var known = before.map(HBaseClusterStatus::proven).orElse(List.of());
    var all =
        applied.declared().stream()
            .flatMap(
                now -> {
                  var others =
                      known.stream()
                          .filter(it -> it.group().equals(now.group()) && !it.equals(now))
                          .limit(PROVEN - 1L);
                  return isWhole(now.group())
                      ? Stream.of(now)
                      : Stream.concat(
                          known.contains(now) || hasPassed(now.group())
                              ? Stream.of(now)
                              : Stream.empty(),
                          others);
                })
            .toList();
    return all.isEmpty() ? null : all;
  }

  /** All its servers serve as applied, and none is compared with its peers. */
  private boolean isWhole(String group) {
    var pods = observed.serverPods().stream().filter(it -> it.group().equals(group)).toList();
    var names = pods.stream().map(ServerPod::name).toList();
    return pods.stream().allMatch(it -> it.isReady() && !it.isOutdated())
        && names.containsAll(observed.declaredServers(group))
        && rollout.remembered().flatMap(Rollout::canary).stream()
            .noneMatch(it -> it.group().equals(group));
  }

  /** Its canary has passed in this reconciliation, and so with the applied configuration. */
  private boolean hasPassed(String group) {
    var before = rollout.before().map(Rollout::passed).orElse(List.of());
    return rollout.remembered().map(Rollout::passed).orElse(List.of()).stream()
        .filter(it -> !before.contains(it))
        .anyMatch(it -> it.canary().group().equals(group));
  }

  /** Null for none, as in status. */
  private List<RolledBack> rolledBack() {
    var added =
        Optional.of(rollout)
            .filter(it -> !it.isStale())
            .flatMap(it -> it.decision().rolledBack())
            .flatMap(
                it ->
                    applied
                        .declared(it.group())
                        .map(
                            now ->
                                new RolledBack(
                                    it.group(),
                                    now.declared(),
                                    it.reason(),
                                    it.evidence(),
                                    clock.instant().toString())))
            .filter(it -> applied.rolledBack().stream().noneMatch(old -> isSame(old, it)));
    var all = Stream.concat(applied.rolledBack().stream(), added.stream()).toList();
    return all.isEmpty() ? null : all;
  }

  private static boolean isSame(RolledBack one, RolledBack other) {
    return one.group().equals(other.group());
  }
}
