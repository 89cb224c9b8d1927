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

/** Writes of status: only changes are written, and each is logged. */
final class StatusUpdates {
  private StatusUpdates() {}

  /**
   * The status of a reconciliation.
   *
   * @param version the only version of the resource that may be overwritten, so that a late
   *     reconciliation replaces no newer state
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

  /**
   * The status of a failed reconciliation.
   *
   * @param before the status that gets the failure
   */
  static ErrorStatusUpdateControl<HBaseCluster> ofFailure(
      HBaseCluster cluster, HBaseClusterStatus before, Exception error, Clock clock) {
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
