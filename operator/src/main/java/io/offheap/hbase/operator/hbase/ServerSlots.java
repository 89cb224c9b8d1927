package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The last hour of one region server: slots that are used in turn, and what the server's sums were
 * when they were read last. A slot has the difference of two reads of one process. Not thread-safe:
 * {@link ServerHistory} is.
 */
final class ServerSlots {
  /** An hour. */
  static final int SLOTS = 120;

  /** The collections that stop the process. */
  private static final List<Metric> PAUSES =
      List.of(
          Metric.GC_NORMAL_PAUSE_MICROS,
          Metric.GC_CONCURRENT_START_PAUSE_MICROS,
          Metric.GC_PREPARE_MIXED_PAUSE_MICROS,
          Metric.GC_MIXED_PAUSE_MICROS,
          Metric.GC_CONCURRENT_CYCLE_PAUSE_MICROS,
          Metric.GC_FULL_PAUSE_MICROS);

  /** What a slot sums up. */
  enum Sum {
    HEAP,
    ALLOCATED,
    HITS,
    READS,
    PAUSE_MILLIS,
    OBSERVED_MILLIS,
    POOL,
    REGIONS
  }

  private static final int SUMS = Sum.values().length;

  private final float[] slots = new float[SLOTS * SUMS];

  private final SteadyHitRatio hitRatio = new SteadyHitRatio();

  /** Number of the newest slot, counted from 1970. */
  private long newest = Long.MIN_VALUE;

  private String process = "";
  private ServerCounters counters;
  private String observedProcess = "";
  private double pauseMicros;
  private Instant observed;

  ServerSlots() {
    Arrays.fill(slots, Float.NaN);
  }

  /** Makes a slot the newest one, unless it is the one before. */
  private void moveTo(long slot) {
    // Two threads may write around the end of a slot. Earlier than that, a clock was set back.
    if (newest == Long.MIN_VALUE || slot < newest - 1 || slot - newest >= SLOTS) {
      Arrays.fill(slots, Float.NaN);
      newest = slot;
    }
    for (long next = newest + 1; next <= slot; next++) {
      int from = index(next, Sum.HEAP);
      Arrays.fill(slots, from, from + SUMS, Float.NaN);
      newest = next;
    }
  }

  private void add(long slot, Sum sum, double value) {
    int index = index(slot, sum);
    slots[index] = (float) (Float.isNaN(slots[index]) ? value : slots[index] + value);
  }

  private void set(long slot, Sum sum, double value) {
    slots[index(slot, sum)] = (float) value;
  }

  float get(long slot, Sum sum) {
    return slot > newest || slot <= newest - SLOTS ? Float.NaN : slots[index(slot, sum)];
  }

  @SuppressWarnings("EnumOrdinal")
  private static int index(long slot, Sum sum) {
    return (int) Math.floorMod(slot, (long) SLOTS) * SUMS + sum.ordinal();
  }

  List<Double> line(long from, Sum part, Sum of, double digits) {
    var line = new ArrayList<Double>(SLOTS);
    for (long slot = from; slot < from + SLOTS; slot++) {
      float whole = of == null ? 1 : get(slot, of);
      float value = get(slot, part) / whole;
      line.add(Float.isFinite(value) ? Math.rint(value * digits) / digits : null);
    }
    return line;
  }

  /** The newest slot, counted from 1970. */
  long newest() {
    return newest;
  }

  /**
   * The server has reported.
   *
   * @param server {@code host,port,startcode}
   */
  void reported(long slot, String server, ServerCounters now) {
    moveTo(slot);
    set(slot, Sum.REGIONS, now.regions());
    var before = process.equals(server) ? counters : null;
    process = server;
    counters = now;
    if (before == null) {
      hitRatio.restarted(slot, now);
      return;
    }
    hitRatio.reported(slot, now);
    long heap = now.heapBytes() - before.heapBytes();
    long pool = now.poolBytes() - before.poolBytes();
    if (heap >= 0 && pool >= 0) {
      add(slot, Sum.HEAP, (double) heap);
      add(slot, Sum.ALLOCATED, (double) heap + pool);
    }
    long hits = now.hits() - before.hits();
    long misses = now.misses() - before.misses();
    if (hits >= 0 && misses >= 0) {
      add(slot, Sum.HITS, (double) hits);
      add(slot, Sum.READS, (double) hits + misses);
    }
  }

  /** The hit ratio of a process's data blocks; empty of another process than the last one. */
  OptionalDouble hitRatio(String server) {
    return process.equals(server) ? hitRatio.value() : OptionalDouble.empty();
  }

  /** The server's observer has responded. */
  void observed(long slot, Reading reading) {
    moveTo(slot);
    double buffers = reading.values().getOrDefault(Metric.ALLOCATOR_TOTAL_BUFFERS, 0.0);
    if (buffers > 0) {
      double used = reading.values().getOrDefault(Metric.ALLOCATOR_BUFFERS_IN_USE, 0.0);
      set(slot, Sum.POOL, Math.min(1, Math.max(0, used / buffers)));
    }
    double micros = PAUSES.stream().mapToDouble(it -> reading.values().getOrDefault(it, 0.0)).sum();
    if (observedProcess.equals(reading.server())) {
      double millis = (micros - pauseMicros) / 1000;
      long elapsed = Duration.between(observed, reading.at()).toMillis();
      if (millis >= 0 && elapsed > 0) {
        add(slot, Sum.PAUSE_MILLIS, millis);
        add(slot, Sum.OBSERVED_MILLIS, (double) elapsed);
      }
    }
    observedProcess = reading.server();
    pauseMicros = micros;
    observed = reading.at();
  }
}
