package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.MemorySpec;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Declarations;
import io.offheap.hbase.operator.declare.Live;
import io.offheap.hbase.operator.declare.Quantities;
import io.offheap.hbase.operator.declare.ServerGroup;
import io.offheap.hbase.operator.declare.ServerGroups;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.hbase.RegionServerReport;
import io.offheap.hbase.operator.plan.BlockRead;
import io.offheap.hbase.operator.plan.TableBlocks;
import io.offheap.hbase.operator.status.FittedPlans;
import io.offheap.hbase.operator.status.TunedValues;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a pass knows of the running cluster.
 *
 * @param tables its tables, where they have just been read
 * @param storeFileBytes store files of the region server that has the most; 0 where none has
 *     reported
 */
record ObservedTables(Optional<LiveTables> tables, long storeFileBytes) {

  /** HBase's own block and cell size. */
  private static final long HBASE_READ = BlockRead.bytes(65_536, 939);

  static ObservedTables of(Context<HBaseCluster> context) {
    return new ObservedTables(
        context.getSecondaryResources(LiveTables.class).stream().findFirst(),
        context.getSecondaryResources(RegionServerReport.class).stream()
            .mapToLong(RegionServerReport::storeFileBytes)
            .max()
            .orElse(0));
  }

  /** The plans of a resource for this and what is remembered. */
  FittedPlans plans(HBaseCluster cluster) {
    long generation = cluster.getMetadata().getGeneration();
    var remembered =
        Optional.ofNullable(cluster.getStatus())
            .flatMap(
                it ->
                    Optional.ofNullable(it.live())
                        .map(live -> isScaled(cluster, it, live) ? at(live, generation) : live));
    var memory = new RememberedTables(generation, remembered);
    var live =
        TunedValues.in(cluster)
            .beside(memory.next(tables, workingSet(cluster), heldBytes(cluster)), generation);
    return FittedPlans.of(cluster, live, live.map(this::dropped).orElse(Set.of()));
  }

  /**
   * Whether the spec has become another by nothing but how many servers there are and how they are
   * restarted: to scale is no reason to forget what plans were made for, and to restart them all.
   */
  private static boolean isScaled(
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
    if (tables.filter(LiveTables::isComplete).isEmpty()) {
      return Set.of();
    }
    var there = tables.get().families().stream().map(TableBlocks::name).collect(Collectors.toSet());
    return FittedPlans.blocks(live).stream()
        .map(TableBlocks::name)
        .filter(name -> !there.contains(name))
        .collect(Collectors.toSet());
  }

  /**
   * Counts only where a limit is to be shared out and no working set is declared, and only from
   * half of the smallest such limit on: what is less fits the cache of a limit that is halved, and
   * a cluster that is being filled would get a new plan each time its data double.
   */
  private OptionalLong workingSet(HBaseCluster cluster) {
    var least =
        ServerGroups.of(cluster.getSpec()).stream()
            .map(ServerGroup::spec)
            .map(it -> it.memory())
            .filter(Objects::nonNull)
            .filter(ObservedTables::isSharedOut)
            .map(it -> Quantities.bytes(it.limit()))
            .flatMapToLong(OptionalLong::stream)
            .map(it -> it / 2)
            .min();
    return least.isPresent() && storeFileBytes >= least.getAsLong()
        ? OptionalLong.of(storeFileBytes)
        : OptionalLong.empty();
  }

  /** The largest read that every group's plan holds without knowing of any table. */
  private static long heldBytes(HBaseCluster cluster) {
    return Declarations.plans(cluster, Live.NOTHING) instanceof ClusterPlan.Planned planned
        ? planned.groups().stream()
            .mapToLong(it -> it.plan().bufferPool().bufferBytes())
            .min()
            .orElse(HBASE_READ)
        : HBASE_READ;
  }

  private static boolean isSharedOut(MemorySpec memory) {
    return memory.limit() != null
        && memory.heap() == null
        && memory.offHeap() == null
        && memory.workingSet() == null;
  }
}
