package io.offheap.hbase.operator.page;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.MemoryPlanStatus;
import io.offheap.hbase.operator.declare.Quantities;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A cluster in the list of all clusters.
 *
 * @param ready serving and declared region servers; null if unknown
 * @param planHash hash of the default group's plan; null without a plan
 * @param heap heap of a server of the default group; null without a plan
 * @param offHeap its direct memory; null without a plan
 * @param bytes memory of its container; 0 without a plan
 * @param heapShare share of bytes that the allocators took from the heap, 0 to 1; null without
 *     recent allocations
 */
record ClusterRow(
    String namespace,
    String name,
    ClusterState state,
    String ready,
    String planHash,
    String heap,
    String offHeap,
    long bytes,
    Double heapShare) {

  static ClusterRow of(HBaseCluster cluster, OptionalDouble heapShare) {
    var status = Optional.ofNullable(cluster.getStatus()).orElseGet(HBaseClusterStatus::empty);
    var plan = Optional.ofNullable(status.memoryPlan());
    return new ClusterRow(
        cluster.getMetadata().getNamespace(),
        cluster.getMetadata().getName(),
        ClusterState.of(status),
        ready(status.readyServers(), status.desiredServers()),
        plan.map(MemoryPlanStatus::hash).orElse(null),
        plan.map(MemoryPlanStatus::heap).orElse(null),
        plan.map(MemoryPlanStatus::offHeap).orElse(null),
        plan.map(MemoryPlanStatus::container).map(ClusterRow::bytes).orElse(0L),
        heapShare.isPresent() ? heapShare.getAsDouble() : null);
  }

  /** Serving and declared servers; null if unknown. */
  static String ready(Integer ready, Integer desired) {
    return ready == null || desired == null ? null : ready + "/" + desired;
  }

  private static long bytes(String size) {
    return Quantities.bytes(size).orElse(0);
  }
}
