package io.offheap.hbase.observer;

/**
 * Bytes in use before or after a collection.
 *
 * @param heap the whole heap
 * @param young eden and survivors, with G1
 * @param youngTarget G1's target for the young generation: its eden capacity plus survivors, which
 *     is exactly {@code young_list_target_length} regions (create_g1_heap_summary)
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
