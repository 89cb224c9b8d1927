package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.report.ConditionLog;
import io.offheap.hbase.operator.status.FailedStatus;
import java.time.Clock;
import java.util.Optional;

/** Writes of a status: each only where something has changed, and logged. */
final class StatusUpdates {
  private StatusUpdates() {}

  /**
   * A pass's status.
   *
   * @param version written over that version of the resource and no other, or the memory of a pass
   *     that comes late would take the place of a newer one
   */
  static UpdateControl<HBaseCluster> of(
      HBaseCluster cluster, HBaseClusterStatus status, Optional<String> version) {
    if (status.equals(cluster.getStatus())) {
      return UpdateControl.noUpdate();
    }
    ConditionLog.changes(cluster, status);
    var patch = patch(cluster, status);
    version.ifPresent(patch.getMetadata()::setResourceVersion);
    return UpdateControl.patchStatus(patch);
  }

  /** What is left of a pass that failed. */
  static ErrorStatusUpdateControl<HBaseCluster> ofFailure(
      HBaseCluster cluster, Exception error, Clock clock) {
    var before = Optional.ofNullable(cluster.getStatus()).orElseGet(HBaseClusterStatus::empty);
    var status = FailedStatus.of(cluster, before, Failures.text(error), clock);
    if (status.equals(cluster.getStatus())) {
      return ErrorStatusUpdateControl.defaultErrorProcessing();
    }
    ConditionLog.changes(cluster, status);
    return ErrorStatusUpdateControl.patchStatus(patch(cluster, status));
  }

  private static HBaseCluster patch(HBaseCluster cluster, HBaseClusterStatus status) {
    var patch = new HBaseCluster();
    patch.setMetadata(
        new ObjectMetaBuilder()
            .withName(cluster.getMetadata().getName())
            .withNamespace(cluster.getMetadata().getNamespace())
            .withResourceVersion(cluster.getMetadata().getResourceVersion())
            .build());
    patch.setStatus(status);
    return patch;
  }
}
