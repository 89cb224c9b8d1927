package io.offheap.hbase.report;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;

/** What is measured of one variant in one round; the order is that of the report. */
public enum Figure {
  /** Of all threads of the process. */
  HEAP_BYTES_PER_OPERATION("heapBytesPerOperation", "heap, bytes an operation", Better.LOWER),
  /** What they allocated since the load began is not in the figure above. */
  ENDED_THREADS("endedThreads", "threads that ended", Better.NEITHER),
  /** By the heap's own use; the rounding of the log and the regions of the heap are in it. */
  UNSEEN_HEAP_PERCENT("unseenHeapPercent", "heap bytes of ended threads, %", Better.NEITHER),
  PAUSE_SECONDS_PER_GIB("pauseSecondsPerGib", "pauses, s a GiB allocated", Better.LOWER),
  PAUSE_SECONDS_PER_MILLION(
      "pauseSecondsPerMillion", "pauses, s a million operations", Better.LOWER),
  COLLECTIONS_PER_MILLION(
      "collectionsPerMillion", "collections a million operations", Better.LOWER),
  /** Of the time of the load; the talk's measure. */
  PAUSE_PERCENT("pausePercent", "pauses, % of the time", Better.LOWER),
  LONGEST_PAUSE_MILLIS("longestPauseMillis", "longest pause, ms", Better.LOWER),
  /** How many the figures above rest on. */
  COLLECTIONS("collections", "collections", Better.NEITHER),
  /** How many the share of the time rests on. */
  RATE_COLLECTIONS("rateCollections", "collections at the fixed rate", Better.NEITHER),
  /** 0 for most servers: not compared. */
  MIXED_PER_MILLION("mixedPerMillion", "mixed collections a million operations", Better.NEITHER),
  /** May be negative: not compared. */
  OLD_GROWTH_MIB("oldGrowthMib", "old generation's growth, MiB", Better.NEITHER),
  /** 0 for most servers: not compared. */
  ALLOCATOR_HEAP_SHARE("allocatorHeapShare", "heap's share of the buffers' bytes", Better.NEITHER),
  /** At full speed: at the fixed rate, it is mostly what the server does beside the load. */
  CPU_MICROS_PER_OPERATION("cpuMicrosPerOperation", "CPU, µs an operation", Better.LOWER),
  RATE_CPU_MICROS_PER_OPERATION(
      "rateCpuMicrosPerOperation", "CPU at the fixed rate, µs an operation", Better.NEITHER),
  P50_MILLIS("p50Millis", "p50, ms", Better.LOWER),
  P95_MILLIS("p95Millis", "p95, ms", Better.LOWER),
  P99_MILLIS("p99Millis", "p99, ms", Better.LOWER),
  P999_MILLIS("p999Millis", "p99.9, ms", Better.LOWER),
  UPDATE_P99_MILLIS("updateP99Millis", "p99 of updates, ms", Better.LOWER),
  UPDATE_P999_MILLIS("updateP999Millis", "p99.9 of updates, ms", Better.LOWER),
  /** Of all calls of the load, from the server's own histogram: waiting and processing. */
  SERVER_P99_MILLIS("serverP99Millis", "p99 in the server, ms", Better.LOWER),
  /** Under 0.98 the latencies are those of a queue that grows. */
  RATE_REACHED("rateReached", "share of the fixed rate that was reached", Better.NEITHER),
  OPERATIONS_PER_SECOND("operationsPerSecond", "operations a second", Better.HIGHER),
  PEAK_RESIDENT_MIB("peakResidentMib", "peak resident memory, MiB", Better.NEITHER),
  /** 1 of a server that ended so; it has no other figure. */
  OUT_OF_MEMORY("outOfMemory", "servers that ran out of memory", Better.NEITHER),
  /** Through a rollout, as are those after it. */
  LONGEST_MILLIS("longestMillis", "slowest operation, ms", Better.LOWER),
  OVER_THREE_SECONDS("overThreeSeconds", "operations over 3 s", Better.NEITHER),
  ROLLOUT_SECONDS("rolloutSeconds", "rollout, s", Better.NEITHER),
  /** Parts of the time of the hundred slowest operations; together 100. */
  CLOSING_PERCENT("closingPercent", "slowest 100: region closing, %", Better.NEITHER),
  MOVING_PERCENT("movingPercent", "slowest 100: between closed and opening, %", Better.NEITHER),
  OPENING_PERCENT("openingPercent", "slowest 100: region opening, %", Better.NEITHER),
  LOCATING_PERCENT("locatingPercent", "slowest 100: client locating, %", Better.NEITHER),
  BACKING_OFF_PERCENT("backingOffPercent", "slowest 100: client backing off, %", Better.NEITHER),
  CALLING_PERCENT("callingPercent", "slowest 100: in a call, %", Better.NEITHER),
  WAITING_PERCENT("waitingPercent", "slowest 100: not begun yet, %", Better.NEITHER),
  /** The state of the cache, which is part of what the unit states. */
  HIT_SHARE("hitShare", "data blocks found in a cache", Better.NEITHER);

  /** Which of two values is better. */
  public enum Better {
    LOWER,
    HIGHER,
    /** The figure is shown and not compared. */
    NEITHER
  }

  private final String key;
  private final String label;
  private final Better better;

  Figure(String key, String label, Better better) {
    this.key = key;
    this.label = label;
    this.better = better;
  }

  /** Its name in files. */
  @JsonValue
  public String key() {
    return key;
  }

  /** Its name in the report, with the unit. */
  public String label() {
    return label;
  }

  public Better better() {
    return better;
  }

  /** Returns the count of what this figure is made of, which one server may have none of. */
  Optional<Figure> events() {
    return switch (this) {
      case PAUSE_SECONDS_PER_GIB,
          PAUSE_SECONDS_PER_MILLION,
          COLLECTIONS_PER_MILLION,
          LONGEST_PAUSE_MILLIS ->
          Optional.of(COLLECTIONS);
      case PAUSE_PERCENT -> Optional.of(RATE_COLLECTIONS);
      default -> Optional.empty();
    };
  }

  /** Whether it is a time that a server which cannot follow the fixed rate would queue up. */
  boolean isLatency() {
    return switch (this) {
      case P50_MILLIS,
          P95_MILLIS,
          P99_MILLIS,
          P999_MILLIS,
          UPDATE_P99_MILLIS,
          UPDATE_P999_MILLIS,
          SERVER_P99_MILLIS ->
          true;
      default -> false;
    };
  }

  /** Whether servers under such a load can have it. */
  boolean isOf(Unit.Load load) {
    boolean isRollout = load.operation() == Unit.Load.Operation.rollout;
    return switch (this) {
      case P50_MILLIS, P95_MILLIS, P99_MILLIS, P999_MILLIS -> true;
      case LONGEST_MILLIS,
          OVER_THREE_SECONDS,
          ROLLOUT_SECONDS,
          CLOSING_PERCENT,
          MOVING_PERCENT,
          OPENING_PERCENT,
          LOCATING_PERCENT,
          BACKING_OFF_PERCENT,
          CALLING_PERCENT,
          WAITING_PERCENT ->
          isRollout;
      case UPDATE_P99_MILLIS, UPDATE_P999_MILLIS -> !isRollout && load.read() < 100;
      default -> !isRollout;
    };
  }

  /** Whether half of a machine is enough to compare it. */
  boolean isComparedSideBySide() {
    return !isLatency() && this != OPERATIONS_PER_SECOND;
  }

  /** Returns how its pairs are compared. The server's p99 has whole milliseconds, and so zeros. */
  Comparison.Estimate estimate() {
    return events().isPresent() || this == SERVER_P99_MILLIS
        ? Comparison.Estimate.RATIO_OF_SUMS
        : Comparison.Estimate.MEDIAN_OF_RATIOS;
  }
}
