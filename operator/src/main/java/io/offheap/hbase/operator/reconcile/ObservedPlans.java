package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.MemorySpec;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.ObservedInputs;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.Quantities;
import io.offheap.hbase.operator.declare.ServerGroup;
import io.offheap.hbase.operator.declare.ServerGroups;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.observe.ObservedTables;
import io.offheap.hbase.operator.plan.BlockRead;
import io.offheap.hbase.operator.plan.HBaseKeys;
import io.offheap.hbase.operator.plan.HFileDefaults;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.status.FittedPlans;
import io.offheap.hbase.operator.status.TunedValues;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** The plans of a resource for the observed and the remembered tables. */
final class ObservedPlans {
  /** HBase's own block and cell size. */
  private static final long HBASE_READ =
      BlockRead.bytes(HFileDefaults.DATA_BLOCK, HFileDefaults.CELL);

  private final Plans plans;
  private final ObservedTables observed;

  ObservedPlans(Plans plans, ObservedTables observed) {
    this.plans = plans;
    this.observed = observed;
  }

  /** The plans, or why there are none. */
  FittedPlans of(HBaseCluster cluster) {
    long generation = cluster.getMetadata().getGeneration();
    var last =
        Optional.ofNullable(cluster.getStatus())
            .flatMap(
                it ->
                    Optional.ofNullable(it.live())
                        .map(
                            live ->
                                isPlannedAlike(cluster, it, live) ? at(live, generation) : live));
    var remembered = new RememberedTables(generation, last);
    var live =
        TunedValues.in(cluster)
            .beside(
                remembered.next(observed.tables(), workingSet(cluster), () -> heldBytes(cluster)),
                generation);
    return FittedPlans.of(plans, cluster, live, live.map(this::dropped).orElse(Set.of()));
  }

  /**
   * Whether the spec has changed only in what no plan depends on ({@link SpecFingerprint}):
   * scaling, or another image of ZooKeeper, must not discard the plans' input, which would restart
   * all servers.
   */
  private static boolean isPlannedAlike(
      HBaseCluster cluster, HBaseClusterStatus status, LiveStatus live) {
    return !Objects.equals(status.observedGeneration(), cluster.getMetadata().getGeneration())
        && Objects.equals(status.observedGeneration(), live.generation())
        && status.appliedSpec() != null
        && SpecFingerprint.isSame(status.appliedSpec(), cluster.getSpec());
  }

  private static LiveStatus at(LiveStatus live, long generation) {
    return new LiveStatus(generation, live.tables(), live.workingSet(), live.tuned());
  }

  private Set<String> dropped(LiveStatus live) {
    if (observed.tables().filter(LiveTables::isComplete).isEmpty()) {
      return Set.of();
    }
    var there =
        observed.tables().get().families().stream()
            .map(TableBlocks::name)
            .collect(Collectors.toSet());
    return FittedPlans.blocks(live).stream()
        .map(TableBlocks::name)
        .filter(name -> !there.contains(name))
        .collect(Collectors.toSet());
  }

  /**
   * The working set counts only if the plan divides a container limit and none is declared, and
   * only from half of the smallest such limit: a smaller one fits the cache anyway, and a cluster
   * that is being filled would get a new plan each time its data double.
   */
  private OptionalLong workingSet(HBaseCluster cluster) {
    var least =
        ServerGroups.of(cluster.getSpec()).stream()
            .map(ServerGroup::spec)
            .map(it -> it.memory())
            .filter(Objects::nonNull)
            .filter(ObservedPlans::isSharedOut)
            .map(it -> Quantities.bytes(it.limit()))
            .flatMapToLong(OptionalLong::stream)
            .map(it -> it / 2)
            .min();
    return least.isPresent() && observed.storeFileBytes() >= least.getAsLong()
        ? OptionalLong.of(observed.storeFileBytes())
        : OptionalLong.empty();
  }

  /** The largest read that fits every group's plan without tables. */
  private long heldBytes(HBaseCluster cluster) {
    return plans.of(cluster, ObservedInputs.NOTHING) instanceof ClusterPlan.Planned planned
        ? planned.groups().stream().mapToLong(it -> heldBytes(it.plan())).min().orElse(HBASE_READ)
        : HBASE_READ;
  }

  private static long heldBytes(MemoryPlan plan) {
    return BlockRead.byOwnChecksums(
        plan.bufferPool().bufferBytes(), plan.effective(HBaseKeys.BYTES_PER_CHECKSUM));
  }

  private static boolean isSharedOut(MemorySpec memory) {
    return memory.limit() != null
        && memory.heap() == null
        && memory.offHeap() == null
        && memory.workingSet() == null;
  }
}
