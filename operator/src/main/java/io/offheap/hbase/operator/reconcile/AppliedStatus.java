package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LastGood;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.api.RolloutStatus.TakenBack;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.deploy.GroupModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.ServerPod;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The status that a pass leaves. */
record AppliedStatus(
    Applied applied,
    Observation observed,
    RolloutPass.Result rollout,
    List<RolloutStatus.Sample> samples,
    TuningStatus tuning,
    Clock clock) {

  HBaseClusterStatus of(HBaseCluster cluster, Conditions conditions) {
    var before = Optional.ofNullable(cluster.getStatus());
    return new HBaseClusterStatus(
        cluster.getMetadata().getGeneration(),
        conditions.list(),
        observed.defaultGroupPods(),
        Labels.defaultGroupSelector(cluster),
        observed.readyRegionServers(),
        observed.regionServers(rollout.remembered()),
        PlanStatuses.of(applied.defaultGroup().plan()),
        PlanStatuses.groups(applied.plans(), observed),
        applied.live().orElse(null),
        cluster.getSpec(),
        applied.images(),
        isGood()
            ? new LastGood(cluster.getSpec(), applied.live().orElse(null))
            : before.map(HBaseClusterStatus::lastGood).orElse(null),
        rollout
            .remembered()
            .map(
                it ->
                    RolloutStatuses.of(
                        it, samples, rollout.decision().waitsFor().map(Wait::text).orElse(null)))
            .orElse(null),
        lastRollout().or(() -> before.map(HBaseClusterStatus::lastRollout)).orElse(null),
        takenBack(),
        tuning);
  }

  /** Whether everything serves with what is declared, and nothing is under way. */
  private boolean isGood() {
    return !rollout.isActive()
        && applied.takenBack().isEmpty()
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
                    RolloutStatuses.passed(it)));
  }

  /** Null where there is none, as status has it. */
  private List<TakenBack> takenBack() {
    var now =
        Optional.of(rollout)
            .filter(it -> !it.isStale())
            .flatMap(it -> it.decision().takenBack())
            .flatMap(
                it ->
                    group(it.group())
                        .map(
                            group ->
                                new TakenBack(
                                    it.group(),
                                    group.declared(),
                                    it.reason(),
                                    it.evidence(),
                                    clock.instant().toString())))
            .filter(it -> applied.takenBack().stream().noneMatch(old -> isSame(old, it)));
    var all = Stream.concat(applied.takenBack().stream(), now.stream()).toList();
    return all.isEmpty() ? null : all;
  }

  private static boolean isSame(TakenBack one, TakenBack other) {
    return one.group().equals(other.group());
  }

  private Optional<GroupModel> group(String name) {
    return applied.groups().stream()
        .filter(it -> it.plan().group().name().equals(name))
        .findFirst();
  }
}
