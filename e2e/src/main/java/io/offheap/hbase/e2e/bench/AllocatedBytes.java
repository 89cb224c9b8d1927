package io.offheap.hbase.e2e.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ThreadInfo;

/**
 * Bytes that a JVM's threads have allocated on the heap since they started, exactly.
 *
 * @param handlers threads that carry out the clients' requests
 * @param netty threads that read requests and write responses
 * @param others all others that are alive
 */
record AllocatedBytes(long handlers, long netty, long others) {
  private static final String HANDLER = "RpcServer.default";
  private static final String NETTY = "RS-EventLoop";

  static AllocatedBytes of(ThreadMXBean threads) {
    long[] ids = threads.getAllThreadIds();
    ThreadInfo[] infos = threads.getThreadInfo(ids);
    var names = new String[ids.length];
    for (int i = 0; i < ids.length; i++) {
      names[i] = infos[i] == null ? "" : infos[i].getThreadName();
    }
    return of(names, threads.getThreadAllocatedBytes(ids));
  }

  /** A thread that has ended meanwhile has -1 bytes. */
  static AllocatedBytes of(String[] names, long[] bytes) {
    long handlers = 0;
    long netty = 0;
    long others = 0;
    for (int i = 0; i < names.length; i++) {
      long allocated = Math.max(0, bytes[i]);
      if (isHandler(names[i])) {
        handlers += allocated;
      } else if (names[i].startsWith(NETTY)) {
        netty += allocated;
      } else {
        others += allocated;
      }
    }
    return new AllocatedBytes(handlers, netty, others);
  }

  static boolean isHandler(String thread) {
    return thread.startsWith(HANDLER);
  }

  AllocatedBytes minus(AllocatedBytes earlier) {
    return new AllocatedBytes(
        handlers - earlier.handlers, netty - earlier.netty, others - earlier.others);
  }
}
