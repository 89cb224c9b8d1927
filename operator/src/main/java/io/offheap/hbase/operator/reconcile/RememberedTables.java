package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Table;
import io.offheap.hbase.operator.hbase.LiveTables;
import io.offheap.hbase.operator.plan.BlockRead;
import io.offheap.hbase.operator.plan.HFileDefaults;
import io.offheap.hbase.operator.plan.TableBlocks;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The remembered tables, so that plans do not change with each sample:
 *
 * <ul>
 *   <li>while the spec's generation is the same, families are only added, and each size is the
 *       largest that was observed: store files keep their blocks' sizes anyway;
 *   <li>with a new generation, the latest tables replace them;
 *   <li>while no tables can be read, they are kept;
 *   <li>only families that do not fit a plan without them are remembered, and of those the few with
 *       the largest reads.
 * </ul>
 *
 * @param generation the spec's generation
 * @param remembered the remembered tables, if any
 */
record RememberedTables(long generation, Optional<LiveStatus> remembered) {
  private static final int FAMILIES = 8;

  /**
   * The tables to remember from now on.
   *
   * @param observed the tables, if they have just been read
   * @param workingSet the working set, if the servers have just reported it and it counts
   * @param heldBytes the largest read that a plan without the tables holds
   */
  Optional<LiveStatus> next(
      Optional<LiveTables> observed, OptionalLong workingSet, LongSupplier heldBytes) {
    if (observed.isEmpty() && workingSet.isEmpty()) {
      return remembered;
    }
    return Optional.of(
        new LiveStatus(
            observed.isPresent() || remembered.isEmpty()
                ? Long.valueOf(generation)
                : remembered.get().generation(),
            observed
                .map(it -> tables(it, heldBytes))
                .or(() -> remembered.map(LiveStatus::tables))
                .orElse(null),
            workingSet(workingSet, observed.isPresent()),
            remembered.map(LiveStatus::tuned).orElse(null)));
  }

  private List<Table> tables(LiveTables observed, LongSupplier heldBytes) {
    var before =
        rememberedTables().stream().collect(Collectors.toMap(Table::name, Function.identity()));
    var current =
        observed.families().stream()
            .map(family -> withCell(family, observed.unsampled(), before))
            .filter(table -> readBytes(table) > heldBytes.getAsLong() || hasLargeMetaBlocks(table));
    BinaryOperator<Table> larger = RememberedTables::larger;
    var all =
        isSameGeneration()
            ? Stream.concat(before.values().stream(), current)
                .collect(Collectors.toMap(Table::name, Function.identity(), larger))
                .values()
                .stream()
            : current;
    return all.sorted(
            Comparator.comparingLong(RememberedTables::readBytes)
                .reversed()
                .thenComparing(Table::name))
        .limit(FAMILIES)
        .toList();
  }

  /** A family that could not be sampled keeps its cells. */
  private static Table withCell(
      TableBlocks family, Set<String> unsampled, Map<String, Table> before) {
    var known = before.get(family.name());
    return new Table(
        family.name(),
        family.dataBlockBytes(),
        family.indexBlockBytes(),
        family.bloomBlockBytes(),
        known != null && unsampled.contains(family.name())
            ? Math.max(known.cellSize(), family.cellBytes())
            : family.cellBytes());
  }

  private static boolean hasLargeMetaBlocks(Table table) {
    return Math.max(table.indexBlockSize(), table.bloomBlockSize()) > HFileDefaults.META_BLOCK;
  }

  private static Table larger(Table one, Table other) {
    return new Table(
        one.name(),
        Math.max(one.blockSize(), other.blockSize()),
        Math.max(one.indexBlockSize(), other.indexBlockSize()),
        Math.max(one.bloomBlockSize(), other.bloomBlockSize()),
        Math.max(one.cellSize(), other.cellSize()));
  }

  private static long readBytes(Table table) {
    long data = BlockRead.bytes(table.blockSize(), Math.max(HFileDefaults.CELL, table.cellSize()));
    return hasLargeMetaBlocks(table)
        ? Math.max(
            data,
            BlockRead.bytes(
                Math.max(table.indexBlockSize(), table.bloomBlockSize()), HFileDefaults.CELL))
        : data;
  }

  private Long workingSet(OptionalLong current, boolean isAnew) {
    var before = remembered.map(LiveStatus::workingSet);
    if (current.isEmpty()) {
      return before.orElse(null);
    }
    return isAnew && !isSameGeneration()
        ? Long.valueOf(current.getAsLong())
        : Long.valueOf(Math.max(before.orElse(0L), current.getAsLong()));
  }

  private boolean isSameGeneration() {
    return remembered.map(LiveStatus::generation).filter(it -> it == generation).isPresent();
  }

  private List<Table> rememberedTables() {
    return remembered.map(LiveStatus::tables).orElse(List.of());
  }
}
