package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;
import static io.offheap.hbase.operator.plan.Bytes.quantity;

import java.util.function.LongFunction;

/**
 * Derives a {@link MemoryPlan} from what was declared, in this order; each step uses the values of
 * those before it:
 *
 * <ol>
 *   <li>ranges: sizes and counts that no rule could work with end the derivation here;
 *   <li>{@link BufferPool}: a buffer that holds a whole block read, and how many of them;
 *   <li>{@link OffHeapBudget}: the off-heap budget less pool and reserve is the bucket cache;
 *   <li>{@link HeapShares}: memstore and on-heap cache, by HBase's own start-up rule;
 *   <li>{@link G1Options} on {@link HeapRegions}: IHOP, pause target, survivors and threads;
 *   <li>{@link ContainerMemory}: everything that the process takes, added up.
 * </ol>
 *
 * <p>A value that was declared is used in place of the derived one and is checked by the same
 * rules. All problems are reported at once, and a step that finds one leaves a value that the next
 * can go on with; one problem and there is no plan.
 */
public final class MemoryPlanner {
  private static final String SPEC = "spec.regionServers.";

  /** Derives the plan, or tells all reasons why there is none. */
  public PlanResult plan(Declared declared) {
    var draft = new Draft(declared);
    if (!areInRange(declared, draft)) {
      return draft.refused();
    }
    var pool = BufferPool.derive(declared, draft);
    var offHeap = OffHeapBudget.derive(declared, pool, draft);
    var shares = HeapShares.derive(declared, draft);
    var regions = G1Options.derive(declared, shares, offHeap, draft);
    return draft.finish(ContainerMemory.derive(declared, pool, offHeap, regions, draft));
  }

  private static boolean areInRange(Declared declared, Draft draft) {
    int before = draft.problemCount();
    checkSize(draft, "memory.heap", declared.heapBytes(), 256 * MIB, 4096 * GIB);
    checkSize(draft, "memory.offHeap", declared.offHeapBytes(), 16 * MIB, 65536 * GIB);
    declared
        .limitBytes()
        .ifPresent(bytes -> checkSize(draft, "memory.limit", bytes, 256 * MIB, 131072 * GIB));
    declared
        .bucketCacheBytes()
        .ifPresent(
            bytes -> checkSize(draft, "blockCache.bucketCacheSize", bytes, MIB, 65536 * GIB));
    declared
        .poolBytes()
        .ifPresent(bytes -> checkBytes(draft, "allocator.poolSize", bytes, MIB, 65536 * GIB));
    checkCount(draft, "cores", declared.cores(), 1, 1024);
    checkCount(draft, "handlers", declared.handlers(), 1, 10_000);
    var blocks = declared.blocks();
    checkBytes(draft, "hfile.blockSize", blocks.dataBlockBytes(), KIB, 16 * MIB);
    checkBytes(draft, "hfile.indexBlockSize", blocks.indexBlockBytes(), KIB, 16 * MIB);
    checkBytes(draft, "hfile.bloomBlockSize", blocks.bloomBlockBytes(), KIB, 16 * MIB);
    checkCount(draft, "hfile.cellSize", blocks.cellBytes(), 1, 10 * MIB);
    return draft.problemCount() == before;
  }

  /** HotSpot and HBase count in MiB; a part of one would be rounded away behind the plan's back. */
  private static void checkSize(Draft draft, String field, long bytes, long min, long max) {
    if (checkBytes(draft, field, bytes, min, max) && bytes % MIB != 0) {
      draft.problem(
          SPEC + field,
          bytes
              + " bytes is not a whole number of MiB; "
              + quantity(Bytes.roundDown(bytes, MIB))
              + " or "
              + quantity(Bytes.roundUp(bytes, MIB))
              + " is right");
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
        SPEC + field,
        text.apply(value)
            + " is out of range; from "
            + text.apply(min)
            + " to "
            + text.apply(max)
            + " is right");
    return false;
  }
}
