package io.offheap.hbase.operator.page;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.MemoryPlanStatus;
import io.offheap.hbase.operator.declare.Quantities;
import io.soabase.recordbuilder.core.RecordBuilder;
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
@RecordBuilder
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
    return ClusterRowBuilder.builder()
        .namespace(cluster.getMetadata().getNamespace())
        .name(cluster.getMetadata().getName())
        .state(ClusterState.of(status))
        .ready(ready(status.readyServers(), status.desiredServers()))
        .planHash(plan.map(MemoryPlanStatus::hash).orElse(null))
        .heap(plan.map(MemoryPlanStatus::heap).orElse(null))
        .offHeap(plan.map(MemoryPlanStatus::offHeap).orElse(null))
        .bytes(plan.map(MemoryPlanStatus::container).map(ClusterRow::bytes).orElse(0L))
        .heapShare(heapShare.isPresent() ? heapShare.getAsDouble() : null)
        .build();
  }

  /** Serving and declared servers; null if unknown. */
  static String ready(Integer ready, Integer desired) {
    return ready == null || desired == null ? null : ready + "/" + desired;
  }

  private static long bytes(String size) {
    return Quantities.bytes(size).orElse(0);
  }
}
