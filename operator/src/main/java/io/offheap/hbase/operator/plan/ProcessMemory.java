package io.offheap.hbase.operator.plan;

import static io.offheap.hbase.operator.plan.Bytes.GIB;
import static io.offheap.hbase.operator.plan.Bytes.KIB;
import static io.offheap.hbase.operator.plan.Bytes.MIB;

/**
 * Memory of a region server's process beside its heap and its direct memory.
 *
 * <ul>
 *   <li>Netty: a limit of its own, 1/16 of the off-heap budget from 128 MiB to 1 GiB, since its
 *       buffers are outside {@code MaxDirectMemorySize}. Large requests reach the limit.
 *   <li>G1: {@code heap x 23/512 + 8 MiB + 2 MiB} for each thread that collects. Two bitmaps of
 *       1/64 and three tables of 1/512 of the heap are 19/512; the rest is for remembered sets and
 *       the threads' own memory.
 *   <li>Classes, code and stacks: {@code 240 MiB + heap/20}, the latter up to 768 MiB, with 16 MiB
 *       for each compiler thread over two and 112 KiB for each handler over 30. Metaspace, symbols,
 *       stacks and libraries hardly depend on the heap, nor does what JFR takes for the image's
 *       observer (16 MiB); compiled code, arenas and what malloc keeps grow with load and time.
 * </ul>
 *
 * <p>Measured on loaded region servers; see {@code docs/derivation.md}.
 *
 * @param cores CPUs of the container
 * @param handlers RPC handlers
 * @param gcThreads {@code ParallelGCThreads}
 */
record ProcessMemory(int cores, int handlers, long gcThreads) {
  /** More threads than any machine has; a larger number is refused. */
  static final int MOST_THREADS = 1024;

  private static final int HANDLERS_OF_THE_BASE = 30;
  private static final int COMPILERS_OF_THE_BASE = 2;

  static ProcessMemory of(Declared declared, Draft draft) {
    long threads =
        draft
            .declared(JvmKeys.PARALLEL_THREADS)
            // A number out of range is refused elsewhere; the derived one replaces it here.
            .filter(count -> count >= 1 && count <= MOST_THREADS)
            .orElse(parallelThreads(declared.cores()));
    return new ProcessMemory(declared.cores(), declared.handlers(), threads);
  }

  /**
   * The derived {@code ParallelGCThreads}: all cores up to 8, HotSpot's own number, and the talk's
   * two thirds from 12 on.
   *
   * <p>Two thirds of two cores would be one thread, which copies all that survives while the other
   * core waits.
   */
  static long parallelThreads(int cores) {
    return Math.max(Math.min(cores, 8), cores * 2 / 3);
  }

  static long netty(long offHeapBytes) {
    return Bytes.clamp(offHeapBytes / 16, 128 * MIB, GIB);
  }

  long g1(long heapBytes) {
    return Bytes.roundUp(heapBytes / 512 * 23 + 8 * MIB + 2 * MIB * gcThreads, MIB);
  }

  long classesCodeAndStacks(long heapBytes) {
    return Bytes.roundUp(
        240 * MIB
            + Math.min(heapBytes / 20, 768 * MIB)
            + 16 * MIB * (compilers() - COMPILERS_OF_THE_BASE)
            + 112 * KIB * Math.max(0, handlers - HANDLERS_OF_THE_BASE),
        MIB);
  }

  /** {@code CICompilerCount} of tiered compilation: 3/2 of log2(cores) x log2(log2(cores)). */
  private long compilers() {
    long log = log2(cores);
    return Math.max(COMPILERS_OF_THE_BASE, log * log2((int) log) * 3 / 2);
  }

  private static long log2(int number) {
    return 31L - Integer.numberOfLeadingZeros(Math.max(1, number));
  }

  /** All memory of a process with these sizes, in bytes. */
  long total(long heapBytes, long offHeapBytes) {
    return heapBytes
        + offHeapBytes
        + netty(offHeapBytes)
        + g1(heapBytes)
        + classesCodeAndStacks(heapBytes);
  }
}
