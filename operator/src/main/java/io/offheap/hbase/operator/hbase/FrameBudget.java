package io.offheap.hbase.operator.hbase;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Bounds what all connections together hold of answers that are not whole yet. Over the bound the
 * one goes that has most bytes for most time: a healthy server's answer is whole in milliseconds,
 * however large it is, so whoever sends slowly or without end goes first.
 */
final class FrameBudget {
  /** A connection that holds a part of an answer. */
  interface Holder {
    /**
     * Closes it; called on any thread.
     *
     * @param mostHeld the bound
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
   * With a bound.
   *
   * @param most bytes
   */
  FrameBudget(long most, LongSupplier nanoTime) {
    this.most = most;
    this.nanoTime = nanoTime;
  }

  /** A connection holds so many bytes of an answer from now on. */
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

  /** A connection holds nothing any more. */
  void release(Holder holder) {
    parts.remove(holder);
  }

  /** Bytes that all hold. */
  long held() {
    return parts.values().stream().mapToLong(Part::bytes).sum();
  }
}
