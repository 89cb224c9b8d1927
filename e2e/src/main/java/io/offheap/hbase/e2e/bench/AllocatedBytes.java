package io.offheap.hbase.e2e.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ThreadInfo;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Bytes that a JVM's threads have allocated on the heap, exactly: since they started, or between
 * two moments.
 *
 * <p>Java 17 forgets a thread's counter when the thread ends. So one that ended between the two
 * moments is counted in {@code ended}, and what it allocated after the first of them is not in any
 * sum: where {@code ended} is not 0, the sums may be too low.
 *
 * @param threads by their number, those that are alive at the later moment
 * @param started threads that the JVM started
 * @param ended threads that were alive at the earlier moment or started after it, and are not alive
 *     at the later one
 */
record AllocatedBytes(Map<Long, OfThread> threads, long started, long ended) {
  private static final String HANDLER = "RpcServer.default";
  private static final String NETTY = "RS-EventLoop";

  /**
   * @param name of the thread
   * @param bytes that it allocated
   */
  record OfThread(String name, long bytes) {}

  static AllocatedBytes of(ThreadMXBean bean) {
    // First, so that no thread is among the ended ones because it started meanwhile.
    long started = bean.getTotalStartedThreadCount();
    long[] ids = bean.getAllThreadIds();
    ThreadInfo[] infos = bean.getThreadInfo(ids);
    long[] bytes = bean.getThreadAllocatedBytes(ids);
    var threads = new TreeMap<Long, OfThread>();
    for (int i = 0; i < ids.length; i++) {
      // One that has ended meanwhile has no name or -1 bytes.
      if (infos[i] != null && bytes[i] >= 0) {
        threads.put(ids[i], new OfThread(infos[i].getThreadName(), bytes[i]));
      }
    }
    return new AllocatedBytes(threads, started, 0);
  }

  static boolean isHandler(String thread) {
    return thread.startsWith(HANDLER);
  }

  private static boolean isNetty(String thread) {
    return thread.startsWith(NETTY);
  }

  /** Threads by which this class itself reads another JVM. */
  private static boolean isMeter(String thread) {
    return thread.startsWith("RMI ")
        || thread.startsWith("JMX ")
        || thread.equals("Attach Listener");
  }

  /** Of threads that carry out the clients' requests. */
  long handlers() {
    return sum(AllocatedBytes::isHandler);
  }

  /** Of threads that read requests and write responses. */
  long netty() {
    return sum(AllocatedBytes::isNetty);
  }

  /** Of all threads but those by which it is measured. */
  long process() {
    return sum(name -> !isMeter(name));
  }

  /** Of all threads, those by which it is measured too. */
  long all() {
    return sum(name -> true);
  }

  private long sum(Predicate<String> which) {
    return threads.values().stream()
        .filter(thread -> which.test(thread.name()))
        .mapToLong(OfThread::bytes)
        .sum();
  }

  AllocatedBytes minus(AllocatedBytes earlier) {
    var since = new TreeMap<Long, OfThread>();
    threads.forEach(
        (id, thread) -> {
          var before = earlier.threads.get(id);
          since.put(
              id,
              before == null
                  ? thread
                  : new OfThread(thread.name(), thread.bytes() - before.bytes()));
        });
    long startedSince = started - earlier.started;
    long startedAndAlive =
        threads.keySet().stream().filter(id -> !earlier.threads.containsKey(id)).count();
    long endedSince =
        earlier.threads.entrySet().stream()
            .filter(thread -> !threads.containsKey(thread.getKey()))
            .filter(thread -> !isMeter(thread.getValue().name()))
            .count();
    return new AllocatedBytes(
        since, startedSince, endedSince + Math.max(0, startedSince - startedAndAlive));
  }
}
