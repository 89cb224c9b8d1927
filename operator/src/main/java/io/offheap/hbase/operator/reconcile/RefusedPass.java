package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.PodSource;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.observe.ObservedServer;
import io.offheap.hbase.operator.rollout.Restoration;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.status.Conditions;
import io.offheap.hbase.operator.status.FailedStatus;
import io.offheap.hbase.operator.status.RefusedStatus;
import io.offheap.hbase.operator.status.RolloutStatuses;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * The part of a reconciliation that applies nothing: the spec is refused, and no earlier one is
 * known. It restores in HBase what an earlier rollout had taken ({@link Restoration}), and changes
 * nothing else: a server would else stay drained, and the balancer off, until the spec is
 * corrected.
 *
 * <p>Status does not have the restoration, so that it stays empty: the next spec is then planned
 * with all of the remembered state. Its source is the config map, or a status that has a rollout
 * and no spec; the copy is removed there when HBase has everything back.
 */
final class RefusedPass {
  /** A change of another cluster's spec, or of an object without an owner, triggers none. */
  static final Duration OTHERS_PERIOD = Duration.ofSeconds(10);

  /**
   * A claim that is deleted triggers no reconciliation, nor does a view of HBase that is as the one
   * before; each of up to 45 claims is a request.
   */
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private final Restorer restorer;
  private final RememberedMaps memory;
  private final Clock clock;

  /** Made once, before the first pass. */
  RefusedPass(Restorer restorer, RememberedMaps memory, Clock clock) {
    this.restorer = restorer;
    this.memory = memory;
    this.clock = clock;
  }

  /**
   * Restores and reports.
   *
   * @param isShared whether another cluster has the declared HBase: then nothing is done to it
   * @param hasOrphans whether fewer servers are declared than an earlier resource left volumes of
   * @param conditions those of this pass, with the reason of the refusal
   */
  UpdateControl<HBaseCluster> run(
      RememberedMaps.Start start,
      boolean isShared,
      boolean hasOrphans,
      Conditions conditions,
      Context<HBaseCluster> context) {
    var seen = start.seen();
    var isolated = new IsolatedSteps();
    boolean isRestoring = !isShared && isolated.get(() -> isRestoring(start, context), () -> true);
    var status =
        RefusedStatus.of(
            seen,
            Labels.defaultGroupSelector(seen),
            isRestoring ? observed(servers(context)) : List.of(),
            conditions);
    var control =
        StatusUpdates.of(
            seen,
            isolated
                .failure()
                .filter(it -> Failures.isReported(context) || FailedStatus.isReported(seen))
                .map(it -> FailedStatus.of(seen, status, Failures.text(it), clock))
                .orElse(status),
            Optional.empty());
    if (isolated.failure().isPresent() && control.isNoUpdate()) {
      throw isolated.failure().get();
    }
    if (isShared) {
      return control.rescheduleAfter(OTHERS_PERIOD);
    }
    return isRestoring || hasOrphans ? control.rescheduleAfter(PERIOD) : control;
  }

  /** Whether HBase has not everything back. */
  private boolean isRestoring(RememberedMaps.Start start, Context<HBaseCluster> context) {
    var id = ResourceID.fromResource(start.seen());
    var left = left(start, RolloutCopy::of);
    if (left.isEmpty() || restorer.hasEnded(id) || !isRunning(context)) {
      return false;
    }
    if (!restorer.restore(id, left.get())) {
      return true;
    }
    start.left().ifPresent(it -> memory.restored(start.seen(), it, context.getClient()));
    restorer.end(id);
    return false;
  }

  /**
   * Restores after an admission that threw. Status stays as it is, and its rollout continues with
   * the next admission that succeeds, so a server that it is about to stop stays drained.
   */
  void restoreUntilAdmitted(RememberedMaps.Start start, Context<HBaseCluster> context) {
    var id = ResourceID.fromResource(start.seen());
    left(start, RolloutCopy::ofContinued)
        .filter(it -> !restorer.hasEnded(id) && isRunning(context))
        .filter(it -> restorer.restore(id, it))
        .ifPresent(it -> restorer.end(id));
  }

  /**
   * The status before, with the region servers where it is blank: views of HBase are requested only
   * where status has some.
   */
  static HBaseClusterStatus ofFailed(HBaseCluster cluster, Context<HBaseCluster> context) {
    var before = Optional.ofNullable(cluster.getStatus()).orElseGet(HBaseClusterStatus::empty);
    return RememberedMaps.isBlank(before)
        ? FailedStatus.showing(before, observed(servers(context)))
        : before;
  }

  /** Whether there is a region server with which HBase could respond. */
  private static boolean isRunning(Context<HBaseCluster> context) {
    return observed(servers(context)).stream().anyMatch(ObservedServer::isReady);
  }

  /** What HBase is to have back, by the config map or by a status without an applied spec. */
  private static Optional<RolloutCopy> left(
      RememberedMaps.Start start,
      BiFunction<HBaseCluster, Optional<Rollout>, Optional<RolloutCopy>> copy) {
    var cluster = start.seen();
    return start
        .left()
        .or(
            () ->
                copy.apply(cluster, RolloutStatuses.read(cluster.getStatus()))
                    .flatMap(it -> it.sound(cluster)));
  }

  private static List<Pod> servers(Context<HBaseCluster> context) {
    return PodSource.pods(context).stream()
        .filter(it -> Labels.isRole(it, Role.REGIONSERVER))
        .sorted(
            Comparator.comparing((Pod pod) -> Labels.statefulSetOf(pod))
                .thenComparing(pod -> Labels.ordinalOf(pod)))
        .toList();
  }

  private static List<ObservedServer> observed(List<Pod> servers) {
    return servers.stream().map(ObservedServer::ofUnapplied).toList();
  }
}
