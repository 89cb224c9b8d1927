package io.offheap.hbase.operator.plan;

import io.offheap.hbase.operator.plan.Sentence.Input;

/**
 * Heap and off-heap budget of a region server.
 *
 * @param heap {@code Xms} and {@code Xmx}
 * @param offHeap {@code MaxDirectMemorySize}
 */
record MemorySizes(Size heap, Size offHeap) {
  static final FieldPath HEAP = FieldPath.of("memory.heap");
  static final FieldPath OFF_HEAP = FieldPath.of("memory.offHeap");
  static final FieldPath LIMIT = FieldPath.of("memory.limit");

  /**
   * A size and its provenance.
   *
   * @param bytes the size
   * @param field the field to change for another size
   * @param reason the reason for it
   * @param isDeclared whether the field holds the size
   * @param source source of the formula
   */
  record Size(long bytes, FieldPath field, Sentence reason, boolean isDeclared, String source) {
    static Size declared(long bytes, FieldPath field) {
      return new Size(bytes, field, Sentence.name(field), true, "");
    }

    /** An input of a formula, as a Kubernetes quantity. */
    Input quantity(String name) {
      return Input.quantity(name, bytes).from(field);
    }

    /** An input of a formula, in MiB. */
    Input mib(String name) {
      return Input.mib(name, bytes).from(field);
    }
  }

  long heapBytes() {
    return heap.bytes();
  }

  long offHeapBytes() {
    return offHeap.bytes();
  }
}
