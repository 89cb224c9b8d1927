package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.deploy.OperatorPods;
import io.offheap.hbase.operator.deploy.PlanMaps;
import io.offheap.hbase.operator.deploy.PodSource;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.observe.ClusterObserver;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.observe.ObservationTimes;
import io.offheap.hbase.operator.observe.ObservedInfrastructure;
import io.offheap.hbase.operator.observe.PodAdmissions;
import io.offheap.hbase.operator.observe.RestartScope;
import io.offheap.hbase.operator.report.RolloutReports;
import io.offheap.hbase.operator.report.TuningReports;
import io.offheap.hbase.operator.rollout.CanaryVerdict;
import io.offheap.hbase.operator.rollout.RestartDecision;
import io.offheap.hbase.operator.rollout.RolloutResult;
import io.offheap.hbase.operator.status.AppliedStatus;
import io.offheap.hbase.operator.status.CacheModeConditions;
import io.offheap.hbase.operator.status.ConditionType;
import io.offheap.hbase.operator.status.Conditions;
import io.offheap.hbase.operator.status.FailedStatus;
import io.offheap.hbase.operator.status.ObservedConditions;
import io.offheap.hbase.operator.status.RolloutStatuses;
import io.offheap.hbase.operator.status.TuningConditions;
import io.offheap.hbase.operator.status.TuningStatuses;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The acting part of a reconciliation: it applies the model, runs the rollout and the tuning, and
 * builds the status. A failed step does not prevent the other steps.
 */
final class AppliedPass {
  private final Optional<OperatorPods> operatorPods;
  private final HBaseAccess access;
  private final RolloutReports reports;
  private final TuningReports tuningReports;
  private final RememberedMaps memory;
  private final PlanMaps planMaps;
  private final ObservationTimes times;
  private final AlertedSource alerted;
  private final PodAdmissions admissions;
  private final Clock clock;

  /** Made once, before the first pass. */
  AppliedPass(
      Optional<OperatorPods> operatorPods,
      HBaseAccess access,
      RolloutReports reports,
      TuningReports tuningReports,
      RememberedMaps memory,
      PlanMaps planMaps,
      ObservationTimes times,
      AlertedSource alerted,
      PodAdmissions admissions,
      Clock clock) {
    this.operatorPods = operatorPods;
    this.access = access;
    this.reports = reports;
    this.tuningReports = tuningReports;
    this.memory = memory;
    this.planMaps = planMaps;
    this.times = times;
    this.alerted = alerted;
    this.admissions = admissions;
    this.clock = clock;
  }

  /**
   * The result.
   *
   * @param status the status to write
   * @param rollout the rollout's part
   * @param hasMoreToKeep whether the status has new content for the remembered map
   * @param lacksPods whether a declared pod does not exist
   * @param isTakingOver whether servers have not reloaded the online values yet
   * @param isHeld whether a restart of ZooKeeper or HDFS waits: some waits end without an event
   * @param failure the first failure
   */
  record Outcome(
      HBaseClusterStatus status,
      RolloutResult rollout,
      boolean hasMoreToKeep,
      boolean lacksPods,
      boolean isTakingOver,
      boolean isHeld,
      Optional<RuntimeException> failure) {}

  /**
   * Applies, rolls out, tunes and reports.
   *
   * @param plans the plans of this pass
   * @param left what HBase is to have back of a rollout that status does not have
   */
  Outcome run(
      Plans plans,
      Applied applied,
      Optional<RolloutCopy> left,
      Conditions conditions,
      Context<HBaseCluster> context) {
    var cluster = applied.cluster();
    var stored = RolloutStatuses.read(cluster.getStatus());
    var held =
        new HeldReplicas(
            PodSource.pods(context), context.getSecondaryResources(StatefulSet.class), stored);
    var model = Models.of(applied, held).reachedBy(operatorPods);
    model.putInto(context);
    var isolated = new IsolatedSteps();
    var kept =
        isolated.get(() -> Optional.of(Remembered.of(applied, left)), Optional::<Remembered>empty);
    // Status is the source: if this write is refused, the reconciliation continues.
    kept.ifPresent(it -> isolated.run(() -> memory.keep(cluster, it, context)));
    isolated.run(context.managedWorkflowAndDependentResourceContext()::reconcileManagedWorkflow);
    isolated.run(() -> held.shrinkRemovedGroups(model, context));
    isolated.run(() -> ConfigMapWrites.plan(planMaps, applied, context));
    var observed =
        ClusterObserver.observe(
            model, applied.declaredReplicas(), times.isNew(cluster), access, clock, context);
    var now = observed.hbase().now();
    var since = times.watched(ResourceID.fromResource(cluster), now);
    var tuningSince = times.watchedByTuning(ResourceID.fromResource(cluster), now);
    var watch =
        isolated.get(
            () -> Optional.of(new CanaryWatch(observed, since)), Optional::<CanaryWatch>empty);
    var scope = RolloutSnapshots.scope(observed.model().cluster(), now);
    var halted = applied.halted();
    var refusedPods =
        isolated.get(
            () ->
                admissions.refused(
                    observed,
                    stored,
                    it ->
                        it.role() == Role.REGIONSERVER && halted.contains(it.group())
                            ? RestartScope.NONE
                            : scope,
                    context.getClient()),
            Map::<String, String>of);
    var starts =
        times.starts(
            ResourceID.fromResource(cluster),
            observed.serverPods(),
            observed.declaredServers(),
            new ObservedInfrastructure(observed).letsStart());
    var verdict =
        isolated.get(
            () -> watch.map(it -> it.verdict(starts)).orElseGet(CanaryVerdict.Open::new),
            CanaryVerdict.Open::new);
    var snapshot = RolloutSnapshots.of(observed, applied, verdict, refusedPods, starts, since);
    var infrastructure =
        RestartDecision.of(
            times.seen(
                ResourceID.fromResource(cluster),
                observed.infrastructure(applied::isForRepairAlone)),
            snapshot,
            stored.isPresent());
    var result =
        new RolloutPass(context, access.control(), isolated)
            .run(observed, snapshot, infrastructure, left);
    isolated.run(() -> reports.waiting(cluster, result));
    boolean isRolling = result.before().isPresent() || result.remembered().isPresent();
    var late =
        isolated.get(
            () ->
                new OnlineConfiguration(access.control(), access.revisions())
                    .reload(observed, isRolling),
            List::<String>of);
    isolated.get(
        () -> {
          ObservedConditions.add(
              observed, applied.state(), result, infrastructure, refusedPods, late, conditions);
          return conditions;
        },
        () -> ObservedConditions.keep(applied.state(), conditions));
    isolated.get(
        () -> {
          CacheModeConditions.add(plans, applied.state(), observed::reads, conditions);
          return conditions;
        },
        () -> conditions.keep(ConditionType.CacheModeFits));
    var tuning =
        isolated.get(
            () ->
                tune(plans, applied, observed, result, tuningSince, conditions)
                    .map(AppliedStatus::shown),
            () -> {
              conditions.keep(ConditionType.Tuned);
              return Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::tuning);
            });
    var status =
        new AppliedStatus(
                applied.state(),
                observed,
                result,
                isolated.get(
                    () ->
                        watch
                            .map(CanaryWatch::toRemember)
                            .orElseGet(() -> CanaryWatch.stored(cluster)),
                    () -> CanaryWatch.stored(cluster)),
                tuning.orElse(null),
                clock)
            .of(cluster, conditions);
    boolean hasMoreToKeep =
        isolated.get(
            () -> kept.filter(it -> !Remembered.of(applied, status).equals(it)).isPresent(),
            () -> false);
    return new Outcome(
        isolated
            .failure()
            .filter(it -> Failures.isReported(context) || FailedStatus.isReported(cluster))
            .map(it -> FailedStatus.of(cluster, status, Failures.text(it), clock))
            .orElse(status),
        result,
        hasMoreToKeep,
        model.roles().stream().anyMatch(it -> !observed.missingPods(it).isEmpty()),
        !late.isEmpty(),
        infrastructure instanceof RestartDecision.Wait,
        isolated.failure());
  }

  private Optional<TuningStatus> tune(
      Plans plans,
      Applied applied,
      Observation observed,
      RolloutResult rollout,
      Instant watchedSince,
      Conditions conditions) {
    var cluster = applied.cluster();
    tuningReports.reportNewEntries(cluster);
    tuningReports.logLeftOut(cluster);
    var now = observed.hbase().now();
    var steps =
        new LinkedHashMap<>(
            new TuningPass(plans, applied, observed, rollout, watchedSince).run(cluster));
    alerted
        .cause(ResourceID.fromResource(cluster))
        .ifPresent(alert -> steps.replaceAll((group, step) -> step.after(alert, now)));
    var first = times.first(cluster);
    if (first.isTuningUnchanged(cluster)
        && TuningPass.isToCome(
            steps, first.tuning(), cluster.getSpec().tuning(), first.at(), now)) {
      conditions.keep(ConditionType.Tuned);
      return Optional.of(first.tuning());
    }
    var status = Optional.ofNullable(TuningStatuses.of(steps));
    tuningReports.recordDecisions(steps.values());
    // Last: after a failure, the existing condition is kept.
    TuningConditions.add(cluster, steps, applied.state(), conditions);
    return status;
  }
}
