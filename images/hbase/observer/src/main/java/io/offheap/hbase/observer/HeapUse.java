package io.offheap.hbase.observer;

/**
 * What was in use before or after a collection, in bytes.
 *
 * @param heap all of the heap
 * @param young eden and survivors, with G1
 * @param youngTarget what G1 wants the young generation to have: its eden capacity plus survivors,
 *     which is exactly {@code young_list_target_length} regions (create_g1_heap_summary)
 */
record HeapUse(long heap, long young, long youngTarget) {
  static final HeapUse UNKNOWN =
      new HeapUse(ObserverMetrics.UNKNOWN, ObserverMetrics.UNKNOWN, ObserverMetrics.UNKNOWN);

  HeapUse withHeap(long bytes) {
    return new HeapUse(bytes, young, youngTarget);
  }

  HeapUse withYoung(long bytes, long targetBytes) {
    return new HeapUse(heap, bytes, targetBytes);
  }

  boolean isKnown() {
    return heap != ObserverMetrics.UNKNOWN && young != ObserverMetrics.UNKNOWN;
  }

  /** Old and humongous objects. */
  long old() {
    return isKnown() ? Math.max(0, heap - young) : ObserverMetrics.UNKNOWN;
  }
}
