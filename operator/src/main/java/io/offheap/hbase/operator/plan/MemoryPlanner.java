package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.quantity;

import java.util.List;

/**
 * Derives a {@link MemoryPlan} in this order; each step uses the values of the steps before:
 *
 * <ol>
 *   <li>memory: without heap and off-heap or a limit, the derivation ends here;
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
  /**
   * Derives the plan, or returns all reasons why there is none.
   *
   * @param declared each value in the range of its field
   */
  public PlanResult plan(Declared declared) {
    var draft = new Draft(declared);
    if (!isMemoryDeclared(declared.memory(), draft)) {
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

  /** What is wrong with properties and options as texts, whatever values other fields have. */
  public static List<PlanProblem> textProblems(Declared declared) {
    return new Draft(declared).refused().problems();
  }

  /** Whether memory to plan with is declared, and in one way. */
  private static boolean isMemoryDeclared(Declared.Memory memory, Draft draft) {
    int before = draft.problemCount();
    boolean hasBoth = memory.heapBytes().isPresent() && memory.offHeapBytes().isPresent();
    if (memory.limitBytes().isEmpty() && !hasBoth) {
      draft.problem(
          FieldPath.of("memory"),
          "must have heap and offHeap, for example 30Gi and 30Gi, or a limit to share out");
    }
    if (memory.workingSet().filter(it -> !it.isMeasured()).isPresent()
        && (memory.heapBytes().isPresent() || memory.offHeapBytes().isPresent())) {
      draft.problem(
          FieldPath.of("memory.workingSet"),
          quantity(memory.workingSet().get().bytes())
              + " has no meaning beside heap or offHeap; must be left out, or declared with a limit"
              + " alone");
    }
    return draft.problemCount() == before;
  }
}
