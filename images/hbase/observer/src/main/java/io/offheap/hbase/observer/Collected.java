package io.offheap.hbase.observer;

import java.time.Instant;
import java.util.Optional;
import java.util.function.UnaryOperator;
import jdk.jfr.consumer.RecordedEvent;

/**
 * The data of one collection, assembled from its JFR events by their gcId. Values are in bytes
 * unless stated otherwise, and {@link ObserverMetrics#UNKNOWN} if their event is missing.
 */
final class Collected {
  /** HotSpot's age table: objects that survived 15 collections are the oldest that it reports. */
  static final int MAX_AGE = 15;

  private final int gcId;
  private CollectionKind kind;
  private boolean ended;
  private Instant start;
  private Instant end;
  private long pauseMicros;
  private long longestPauseMicros;
  private HeapUse before = HeapUse.UNKNOWN;
  private HeapUse after = HeapUse.UNKNOWN;
  private long[] ageBytes;
  private long tenuringThreshold = ObserverMetrics.UNKNOWN;
  private long ihopThreshold = ObserverMetrics.UNKNOWN;
  private long regionsFreed = ObserverMetrics.UNKNOWN;
  private boolean evacuationFailed;
  private long failedBytes;

  Collected(int gcId) {
    this.gcId = gcId;
  }

  /** {@code jdk.GarbageCollection}, of every collector. */
  void garbageCollection(RecordedEvent event) {
    ended = true;
    start = event.getStartTime();
    end = event.getEndTime();
    pauseMicros = event.getDuration("sumOfPauses").toNanos() / 1000;
    longestPauseMicros = event.getDuration("longestPause").toNanos() / 1000;
    CollectionKind.ofCollector(event.getString("name")).ifPresent(known -> kind = known);
  }

  /** {@code jdk.G1GarbageCollection}. */
  void g1Pause(RecordedEvent event) {
    kind = CollectionKind.ofG1Pause(event.getString("type"));
  }

  /** {@code jdk.GCHeapSummary}. */
  void heapSummary(RecordedEvent event) {
    var used = event.getLong("heapUsed");
    summary(event, use -> use.withHeap(used));
  }

  /** {@code jdk.G1HeapSummary}. */
  void g1HeapSummary(RecordedEvent event) {
    var eden = event.getLong("edenUsedSize");
    var edenTotal = event.getLong("edenTotalSize");
    var survivor = event.getLong("survivorUsedSize");
    summary(event, use -> use.withYoung(eden + survivor, edenTotal + survivor));
  }

  private void summary(RecordedEvent event, UnaryOperator<HeapUse> change) {
    if (event.getString("when").equals("Before GC")) {
      before = change.apply(before);
    } else {
      after = change.apply(after);
    }
  }

  /** {@code jdk.TenuringDistribution}, once for each age. */
  void tenuring(RecordedEvent event) {
    if (ageBytes == null) {
      ageBytes = new long[MAX_AGE + 1];
    }
    var age = event.getInt("age");
    if (age <= MAX_AGE) {
      ageBytes[age] = event.getLong("size");
    }
  }

  /** {@code jdk.YoungGarbageCollection}. */
  void young(RecordedEvent event) {
    tenuringThreshold = event.getLong("tenuringThreshold");
  }

  /** {@code jdk.G1BasicIHOP} or {@code jdk.G1AdaptiveIHOP}. */
  void ihop(RecordedEvent event) {
    ihopThreshold = event.getLong("threshold");
  }

  /** {@code jdk.EvacuationInformation}. */
  void evacuation(RecordedEvent event) {
    regionsFreed = event.getLong("regionsFreed");
  }

  /** {@code jdk.EvacuationFailed}, once for each affected thread. */
  void evacuationFailed(RecordedEvent event) {
    evacuationFailed = true;
    failedBytes += event.getLong("evacuationFailed.totalSize");
  }

  /** Whether its last event has arrived. */
  boolean isComplete() {
    return ended && kind != null;
  }

  int gcId() {
    return gcId;
  }

  CollectionKind kind() {
    return kind;
  }

  Instant start() {
    return start;
  }

  Instant end() {
    return end;
  }

  /** How long Java threads were stopped for it, in microseconds. */
  long pauseMicros() {
    return pauseMicros;
  }

  /** The longest of its pauses, in microseconds; a marking cycle has two. */
  long longestPauseMicros() {
    return longestPauseMicros;
  }

  HeapUse before() {
    return before;
  }

  HeapUse after() {
    return after;
  }

  /** Bytes of survivors by age, from index 1 on; empty if no event had them. */
  Optional<long[]> ageBytes() {
    return Optional.ofNullable(ageBytes);
  }

  /** The age from which it promoted. */
  long tenuringThreshold() {
    return tenuringThreshold;
  }

  /** The old generation's occupancy at which marking starts. */
  long ihopThreshold() {
    return ihopThreshold;
  }

  /** Regions, young ones included. */
  long regionsFreed() {
    return regionsFreed;
  }

  boolean isEvacuationFailed() {
    return evacuationFailed;
  }

  /** Bytes that found no space and stayed in place. */
  long failedBytes() {
    return failedBytes;
  }
}
