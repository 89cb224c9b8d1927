package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.quantity;

/**
 * Derives a {@link MemoryPlan} in this order; each step uses the values of the steps before:
 *
 * <ol>
 *   <li>ranges: sizes and counts out of range end the derivation here;
 *   <li>{@link BlockSizes}: block sizes, declared or of the live tables;
 *   <li>{@link BufferPool}: a buffer that holds a whole block read, and how many of them;
 *   <li>{@link DirectParts}: off-heap memstore and short-circuit buffers;
 *   <li>{@link LimitSplit}: heap and off-heap, declared or from a limit;
 *   <li>{@link OffHeapBudget}: the off-heap budget less all of these is the bucket cache;
 *   <li>{@link HeapShares}: memstore and on-heap cache, by the check that HBase makes at its start;
 *   <li>{@link G1Options} on {@link HeapRegions}: IHOP, pause target, survivors and threads;
 *   <li>{@link ContainerMemory}: the sum of all memory of the process.
 * </ol>
 *
 * <p>A declared value replaces the derived one and is checked by the same rules. All problems are
 * reported at once: a step with a problem leaves a value with which the next step can continue.
 * With a problem there is no plan.
 */
public final class MemoryPlanner {
  /** Derives the plan, or returns all reasons why there is none. */
  public PlanResult plan(Declared declared) {
    var draft = new Draft(declared);
    if (!areInRange(declared, draft)) {
      return draft.refused();
    }
    var handlers = FieldPath.of("handlers");
    draft.fromField(
        HBaseKeys.HANDLERS, (long) declared.handlers(), Sentence.name(handlers), handlers);
    var blocks = BlockSizes.derive(declared, draft);
    var pool = BufferPool.derive(declared, blocks, draft);
    var parts = DirectParts.derive(declared, draft);
    var process = ProcessMemory.of(declared, draft);
    var sizes = LimitSplit.derive(declared, blocks, pool, parts.bytes(), process, draft);
    var offHeap = OffHeapBudget.derive(declared, blocks, sizes, pool, parts, draft);
    CachePolicy.derive(declared, draft);
    var index = IndexHeap.of(offHeap.cachedBytes(), blocks, sizes.heapBytes());
    var shares = HeapShares.derive(declared, index, sizes.heapBytes(), draft);
    var regions = G1Options.derive(declared, sizes, shares, index, draft);
    return draft.finish(
        ContainerMemory.derive(declared, sizes, pool, parts, offHeap, regions, process, draft));
  }

  /** Whether every declared value is in its {@link FieldRange}: no API server may have checked. */
  private static boolean areInRange(Declared declared, Draft draft) {
    int before = draft.problemCount();
    checkMemory(declared.memory(), draft);
    var cache = declared.cache();
    cache.bucketCacheBytes().ifPresent(it -> check(FieldRange.CACHE, it, draft));
    cache.file().volumeBytes().ifPresent(it -> check(FieldRange.CACHE_VOLUME, it, draft));
    declared.poolBytes().ifPresent(it -> check(FieldRange.POOL, it, draft));
    declared.survivorBytes().ifPresent(it -> check(FieldRange.SURVIVORS, it, draft));
    check(FieldRange.CORES, declared.cores(), draft);
    check(FieldRange.HANDLERS, declared.handlers(), draft);
    var blocks = declared.blocks();
    blocks.dataBlockBytes().ifPresent(it -> check(FieldRange.BLOCK, it, draft));
    blocks.indexBlockBytes().ifPresent(it -> check(FieldRange.INDEX_BLOCK, it, draft));
    blocks.bloomBlockBytes().ifPresent(it -> check(FieldRange.BLOOM_BLOCK, it, draft));
    blocks.cellBytes().ifPresent(it -> check(FieldRange.CELL, it, draft));
    blocks.openFiles().ifPresent(it -> check(FieldRange.OPEN_FILES, it, draft));
    return draft.problemCount() == before;
  }

  private static void checkMemory(Declared.Memory memory, Draft draft) {
    if (memory.limitBytes().isEmpty()
        && (memory.heapBytes().isEmpty() || memory.offHeapBytes().isEmpty())) {
      draft.problem(
          FieldPath.of("memory"),
          "must have heap and offHeap, for example 30Gi and 30Gi, or a limit to share out");
    }
    memory.heapBytes().ifPresent(it -> check(FieldRange.HEAP, it, draft));
    memory.offHeapBytes().ifPresent(it -> check(FieldRange.OFF_HEAP, it, draft));
    memory.limitBytes().ifPresent(it -> check(FieldRange.LIMIT, it, draft));
    memory.workingSet().ifPresent(it -> check(FieldRange.WORKING_SET, it.bytes(), draft));
    if (memory.workingSet().filter(it -> !it.isMeasured()).isPresent()
        && (memory.heapBytes().isPresent() || memory.offHeapBytes().isPresent())) {
      draft.problem(
          FieldPath.of(FieldRange.WORKING_SET.field()),
          quantity(memory.workingSet().get().bytes())
              + " has no meaning beside heap or offHeap; must be left out, or declared with a limit"
              + " alone");
    }
    check(FieldRange.OFF_HEAP_MEMSTORE, memory.offHeapMemstoreBytes(), draft);
  }

  private static void check(FieldRange range, long value, Draft draft) {
    range.problem(value).ifPresent(it -> draft.problem(FieldPath.of(range.field()), it));
  }
}
