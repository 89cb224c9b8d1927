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
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.observe.ObservedServer;
import io.offheap.hbase.operator.rollout.Restoration;
import io.offheap.hbase.operator.status.Conditions;
import io.offheap.hbase.operator.status.FailedStatus;
import io.offheap.hbase.operator.status.RefusedStatus;
import io.offheap.hbase.operator.status.RolloutStatuses;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

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

  private final ClusterControl hbase;
  private final Restorer restorer;
  private final RememberedMaps memory;
  private final Clock clock;

  /** Made once, before the first pass. */
  RefusedPass(ClusterControl hbase, Restorer restorer, RememberedMaps memory, Clock clock) {
    this.hbase = hbase;
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
            keepsRollout(start),
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

  /** Whether commands are sent to HBase, which has not everything back. */
  private boolean isRestoring(RememberedMaps.Start start, Context<HBaseCluster> context) {
    var id = ResourceID.fromResource(start.seen());
    var left = left(start);
    if (left.isEmpty()) {
      return false;
    }
    boolean hadEnded = restorer.hasEnded(id, left.get());
    if (!hadEnded && !isRunning(context)) {
      return false;
    }
    boolean isOver = hadEnded || restorer.restore(id, left.get(), hbase);
    if (isOver) {
      start
          .left()
          .ifPresent(it -> memory.restored(start.seen(), it, !hadEnded, context.getClient()));
    }
    return !isOver;
  }

  /**
   * Whether the rollout of a status is still needed. That of an applied spec, which is dropped now,
   * is restored with all of its servers by the next passes.
   */
  private boolean keepsRollout(RememberedMaps.Start start) {
    var id = ResourceID.fromResource(start.seen());
    return RememberedMaps.rollout(start.seen().getStatus()).isPresent()
        || start.left().filter(it -> !restorer.hasEnded(id, it)).isPresent();
  }

  /**
   * Restores after an admission that threw. Status stays as it is, and its rollout continues with
   * the next admission that succeeds, so a server that it is about to stop stays drained.
   */
  void restoreUntilAdmitted(RememberedMaps.Start start, Context<HBaseCluster> context) {
    var id = ResourceID.fromResource(start.seen());
    var left = left(start).filter(it -> !restorer.hasEnded(id, it));
    left.ifPresent(it -> restorer.open(id));
    left.filter(it -> isRunning(context)).ifPresent(it -> restorer.restore(id, it, hbase));
  }

  /**
   * The status before a failure, while a restoration needs views of HBase: they are requested only
   * where status has a region server that serves.
   */
  static HBaseClusterStatus ofFailed(HBaseClusterStatus before, Context<HBaseCluster> context) {
    return FailedStatus.showsServing(before)
        ? before
        : FailedStatus.showing(before, observed(servers(context)));
  }

  /** Whether there is a region server with which HBase could respond. */
  private static boolean isRunning(Context<HBaseCluster> context) {
    return observed(servers(context)).stream().anyMatch(ObservedServer::isReady);
  }

  /** What HBase is to have back. */
  private static Optional<RolloutCopy> left(RememberedMaps.Start start) {
    var cluster = start.seen();
    return start
        .left()
        .or(
            () ->
                RolloutCopy.ofContinued(cluster, RolloutStatuses.read(cluster.getStatus()))
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
