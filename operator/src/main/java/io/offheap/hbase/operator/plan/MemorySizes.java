package io.offheap.hbase.operator.plan;

/**
 * Heap and off-heap budget of a region server.
 *
 * @param heap {@code Xms} and {@code Xmx}
 * @param offHeap {@code MaxDirectMemorySize}
 */
record MemorySizes(Size heap, Size offHeap) {
  static final String HEAP = "spec.regionServers.memory.heap";
  static final String OFF_HEAP = "spec.regionServers.memory.offHeap";
  static final String LIMIT = "spec.regionServers.memory.limit";

  /**
   * A size and where it comes from.
   *
   * @param bytes the size
   * @param field what a person would change
   * @param reason how it follows
   * @param source where the formula comes from
   */
  record Size(long bytes, String field, String reason, String source) {
    static Size declared(long bytes, String field) {
      return new Size(bytes, field, field, Setting.USER);
    }
  }

  long heapBytes() {
    return heap.bytes();
  }

  long offHeapBytes() {
    return offHeap.bytes();
  }
}
