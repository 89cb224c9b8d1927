package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import java.util.function.LongFunction;

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

  private static boolean areInRange(Declared declared, Draft draft) {
    int before = draft.problemCount();
    checkMemory(declared.memory(), draft);
    declared
        .cache()
        .bucketCacheBytes()
        .ifPresent(
            bytes -> checkSize(draft, "blockCache.bucketCacheSize", bytes, MIB, 65536 * GIB));
    declared
        .cache()
        .file()
        .volumeBytes()
        .ifPresent(
            bytes ->
                checkBytes(draft, "blockCache.file.storage.size", bytes, 64 * MIB, 65536 * GIB));
    declared
        .poolBytes()
        .ifPresent(bytes -> checkBytes(draft, "allocator.poolSize", bytes, MIB, 65536 * GIB));
    declared
        .survivorBytes()
        .ifPresent(bytes -> checkBytes(draft, "g1.survivorSize", bytes, 0, 4096 * GIB));
    checkCount(draft, "resources.limits.cpu", declared.cores(), 1, 1024);
    checkCount(draft, "handlers", declared.handlers(), 1, 10_000);
    checkBlocks(declared.blocks(), draft);
    return draft.problemCount() == before;
  }

  private static void checkMemory(Declared.Memory memory, Draft draft) {
    if (memory.limitBytes().isEmpty()
        && (memory.heapBytes().isEmpty() || memory.offHeapBytes().isEmpty())) {
      draft.problem(
          FieldPath.of("memory"),
          "must have heap and offHeap, for example 30Gi and 30Gi, or a limit to share out");
    }
    memory.heapBytes().ifPresent(it -> checkSize(draft, "memory.heap", it, 256 * MIB, 4096 * GIB));
    memory
        .offHeapBytes()
        .ifPresent(it -> checkSize(draft, "memory.offHeap", it, 16 * MIB, 65536 * GIB));
    memory
        .limitBytes()
        .ifPresent(it -> checkSize(draft, "memory.limit", it, 256 * MIB, 131072 * GIB));
    memory
        .workingSet()
        .ifPresent(it -> checkBytes(draft, "memory.workingSet", it.bytes(), 0, 1L << 60));
    if (memory.workingSet().filter(it -> !it.isMeasured()).isPresent()
        && (memory.heapBytes().isPresent() || memory.offHeapBytes().isPresent())) {
      draft.problem(
          FieldPath.of("memory.workingSet"),
          quantity(memory.workingSet().get().bytes())
              + " has no meaning beside heap or offHeap; must be left out, or declared with a limit"
              + " alone");
    }
    checkBytes(draft, "memory.offHeapMemstore", memory.offHeapMemstoreBytes(), 0, 65536 * GIB);
  }

  private static void checkBlocks(Declared.Blocks blocks, Draft draft) {
    blocks
        .dataBlockBytes()
        .ifPresent(it -> checkBytes(draft, "hfile.blockSize", it, KIB, 16 * MIB));
    blocks
        .indexBlockBytes()
        .ifPresent(it -> checkBytes(draft, "hfile.indexBlockSize", it, KIB, 16 * MIB));
    blocks
        .bloomBlockBytes()
        .ifPresent(it -> checkBytes(draft, "hfile.bloomBlockSize", it, KIB, 16 * MIB));
    blocks.cellBytes().ifPresent(it -> checkCount(draft, "hfile.cellSize", it, 1, 10 * MIB));
    blocks.openFiles().ifPresent(it -> checkCount(draft, "hfile.openFiles", it, 1, 10_000_000));
  }

  /** HotSpot and HBase count in MiB: they would round a fraction, and differ from the plan. */
  private static void checkSize(Draft draft, String field, long bytes, long min, long max) {
    if (checkBytes(draft, field, bytes, min, max) && bytes % MIB != 0) {
      draft.problem(
          FieldPath.of(field),
          bytes
              + " bytes is not a whole number of MiB; must be "
              + quantity(Bytes.roundDown(bytes, MIB))
              + " or "
              + quantity(Bytes.roundUp(bytes, MIB)));
    }
  }

  private static boolean checkBytes(Draft draft, String field, long bytes, long min, long max) {
    return checkRange(draft, field, bytes, min, max, Bytes::quantity);
  }

  private static void checkCount(Draft draft, String field, long count, long min, long max) {
    checkRange(draft, field, count, min, max, Long::toString);
  }

  private static boolean checkRange(
      Draft draft, String field, long value, long min, long max, LongFunction<String> text) {
    if (value >= min && value <= max) {
      return true;
    }
    draft.problem(
        FieldPath.of(field),
        text.apply(value)
            + " is out of range; must be from "
            + text.apply(min)
            + " to "
            + text.apply(max));
    return false;
  }
}
