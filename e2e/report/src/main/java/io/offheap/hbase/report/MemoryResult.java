package io.offheap.hbase.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * A region server's memory, planned and resident, after a load.
 *
 * @param shape its name
 * @param inputs what the result depends on, as one word
 * @param ended when, in UTC
 * @param minutes that it took
 */
record MemoryResult(
    String shape,
    String inputs,
    Machine machine,
    String commit,
    String ended,
    double minutes,
    Case memory) {
  private static final String RESERVE = "offHeapReserve";

  /**
   * What {@code e2e/bin/measure} writes.
   *
   * @param container the whole process: planned, and the most that was resident
   * @param parts of it
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  record Case(Part container, List<Part> parts) {}

  /** Bytes of one item of the plan. */
  record Part(String item, long predicted, long measured) {}

  /**
   * The plan without what is left of the reserve: the reserve is part of the declared off-heap
   * memory, and the plan does not say that it is used.
   */
  long plannedInUse() {
    long unused =
        memory.parts().stream()
            .filter(part -> part.item().equals(RESERVE))
            .mapToLong(part -> Math.max(0, part.predicted() - part.measured()))
            .sum();
    return memory.container().predicted() - unused;
  }

  double ratio() {
    return (double) plannedInUse() / memory.container().measured();
  }

  /** Whether the plan is never below what was resident, and at most {@code tolerance} above. */
  boolean holds(double tolerance) {
    return memory.container().measured() <= memory.container().predicted() && ratio() <= tolerance;
  }
}
