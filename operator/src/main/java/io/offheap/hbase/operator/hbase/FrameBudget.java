package io.offheap.hbase.operator.hbase;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Limits the bytes of incomplete responses on all connections together. Over the limit, the
 * connection with the highest product of bytes and time is dropped: a healthy server's response is
 * complete in milliseconds, however large it is, so a server that sends slowly or without end is
 * dropped first.
 */
final class FrameBudget {
  /** A connection that holds an incomplete response. */
  interface Holder {
    /**
     * Closes the connection; called on any thread.
     *
     * @param mostHeld the limit in bytes
     */
    void drop(long mostHeld);
  }

  private final long most;
  private final LongSupplier nanoTime;
  private final Map<Holder, Part> parts = new ConcurrentHashMap<>();

  private record Part(long bytes, long since) {
    double byteSeconds(long now) {
      return bytes * (double) Math.max(1, now - since);
    }
  }

  /**
   * Creates a budget.
   *
   * @param most the limit in bytes
   */
  FrameBudget(long most, LongSupplier nanoTime) {
    this.most = most;
    this.nanoTime = nanoTime;
  }

  /** Sets the bytes of an incomplete response that a connection holds. */
  void hold(Holder holder, long bytes) {
    long now = nanoTime.getAsLong();
    parts.compute(holder, (key, before) -> new Part(bytes, before == null ? now : before.since()));
    if (held() > most) {
      parts.entrySet().stream()
          .max(Comparator.comparingDouble(it -> it.getValue().byteSeconds(now)))
          .map(Map.Entry::getKey)
          .ifPresent(
              worst -> {
                release(worst);
                worst.drop(most);
              });
    }
  }

  /** A connection holds no bytes any more. */
  void release(Holder holder) {
    parts.remove(holder);
  }

  /** Bytes that all connections hold. */
  long held() {
    return parts.values().stream().mapToLong(Part::bytes).sum();
  }
}
