package io.offheap.hbase.e2e.measure;

import java.util.List;
import java.util.Map;

/**
 * One region server's memory, planned and measured.
 *
 * @param name mode and size
 * @param container the whole process: what the container gets, and the most that was resident
 * @param parts of the container's memory
 * @param natives what the last part is made of, as far as it is known, in bytes
 * @param survivors desired survivor size of the smallest young generation
 * @param ihop occupancy of the heap at which marking starts
 * @param poolBuffers the allocator's buffers
 * @param pauses collections of each kind
 */
record CaseReport(
    String name,
    Part container,
    List<Part> parts,
    Map<String, Long> natives,
    Part survivors,
    Part ihop,
    Part poolBuffers,
    Map<String, Integer> pauses) {
  static final double TOLERANCE = 1.05;

  /**
   * Something that the plan foretells.
   *
   * @param item its name in the plan
   * @param predicted bytes, of buffers their number
   * @param measured the same
   */
  record Part(String item, long predicted, long measured) {
    double ratio() {
      return (double) predicted / measured;
    }
  }

  /**
   * The prediction without the unused reserve of the declared off-heap budget, which may be used
   * but need not be.
   */
  long predictedInUse() {
    return container.predicted() - unusedReserve();
  }

  private long unusedReserve() {
    return parts.stream()
        .filter(part -> part.item().equals(Measurement.RESERVE))
        .mapToLong(part -> Math.max(0, part.predicted() - part.measured()))
        .sum();
  }

  double ratio() {
    return (double) predictedInUse() / container.measured();
  }

  boolean holds() {
    return container.measured() <= container.predicted()
        && ratio() <= TOLERANCE
        && survivors.predicted() == survivors.measured()
        && ihop.predicted() == ihop.measured();
  }
}
