package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.plan.MemoryPlan;
import java.util.Optional;

/**
 * What a pass applies.
 *
 * @param cluster the resource, with the spec to apply
 * @param plan its plan
 */
record Applied(HBaseCluster cluster, MemoryPlan plan) {

  /** The last spec that was not refused with its plan, if there was one. */
  static Optional<Applied> last(HBaseCluster cluster) {
    var status = cluster.getStatus();
    if (status == null || status.appliedSpec() == null || status.memoryPlan() == null) {
      return Optional.empty();
    }
    var applied = new HBaseCluster();
    applied.setMetadata(cluster.getMetadata());
    applied.setSpec(status.appliedSpec());
    applied.setStatus(status);
    return Optional.of(new Applied(applied, PlanStatuses.read(status.memoryPlan())));
  }
}
