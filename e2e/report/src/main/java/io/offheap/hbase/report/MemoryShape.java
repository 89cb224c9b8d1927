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
 * @param minutes that it takes on two idle cores
 */
record MemoryShape(String name, String mode, int gib, int seconds, Integer rows, double minutes) {
  /** As small as it works: it shows that the measurement works, and nothing else. */
  MemoryShape smallest() {
    return new MemoryShape(name, mode, gib, 15, 50_000, 2);
  }

  /** Name of the case in {@code e2e/bin/measure}. */
  String caseName() {
    return mode + "-" + size();
  }

  String size() {
    return gib + "Gi";
  }
}
