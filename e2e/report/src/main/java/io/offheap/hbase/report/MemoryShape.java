package io.offheap.hbase.report;

/**
 * A region server whose resident memory is compared with its plan, under the load of {@code
 * e2e/bin/measure}.
 *
 * @param name of the shape, of its results and in the report
 * @param mode of the block cache, as in {@code spec.regionServers.blockCache.mode}
 * @param gib heap, and as much again off the heap
 * @param seconds of load
 * @param rows that are written before; null for as many as fill the caches
 * @param together name that shapes have which are measured at once: their memory does not depend on
 *     how fast the machine is; null for one alone
 * @param minutes that it takes on two idle cores; of shapes at once, all of them together
 * @param note why its result is as it is; null for none
 */
record MemoryShape(
    String name,
    String mode,
    int gib,
    int seconds,
    Integer rows,
    String together,
    double minutes,
    String note) {
  /** As small as it works: it shows that the measurement works, and nothing else. */
  MemoryShape smallest() {
    return new MemoryShape(name, mode, gib, 15, 50_000, together, 2, null);
  }

  /** Name of the case in {@code e2e/bin/measure}. */
  String caseName() {
    return mode + "-" + size();
  }

  String size() {
    return gib + "Gi";
  }
}
