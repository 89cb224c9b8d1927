package io.offheap.hbase.patches;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;

/** Counts heap bytes: the measure of most of these proofs. */
public final class Heap {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Heap() {}

  /** What this thread allocates in one call, once the call has been made often enough. */
  public static long bytes(Callable<?> call) throws Exception {
    for (int i = 0; i < 50; i++) {
      call.call();
    }
    int calls = 100;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < calls; i++) {
      call.call();
    }
    return (THREADS.getCurrentThreadAllocatedBytes() - before) / calls;
  }
}
