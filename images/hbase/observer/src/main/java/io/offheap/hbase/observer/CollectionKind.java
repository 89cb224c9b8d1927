package io.offheap.hbase.observer;

import java.util.Optional;

/** The kind of a collection. The names in metrics follow the GC log's. */
enum CollectionKind {
  /** G1: {@code Pause Young (Normal)}. */
  NORMAL("Normal"),
  /** G1: {@code Pause Young (Concurrent Start)}, with which marking starts. */
  CONCURRENT_START("ConcurrentStart"),
  /** G1: {@code Pause Young (Prepare Mixed)}, the first after marking; old regions come next. */
  PREPARE_MIXED("PrepareMixed"),
  /** G1: {@code Pause Young (Mixed)}, which takes old regions as well. */
  MIXED("Mixed"),
  /** G1: {@code Concurrent Mark Cycle}; its pauses are those of Remark and Cleanup together. */
  CONCURRENT_CYCLE("ConcurrentCycle"),
  /** Another collector's young collection. */
  YOUNG("Young"),
  /** The whole heap at once, with any collector: {@code Pause Full}. */
  FULL("Full"),
  /** None of the other kinds. */
  OTHER("Other");

  private final String metricName;

  CollectionKind(String metricName) {
    this.metricName = metricName;
  }

  String metricName() {
    return metricName;
  }

  /** Whether it is one of G1's four kinds of evacuation pauses. */
  boolean isEvacuation() {
    return switch (this) {
      case NORMAL, CONCURRENT_START, PREPARE_MIXED, MIXED -> true;
      case CONCURRENT_CYCLE, YOUNG, FULL, OTHER -> false;
    };
  }

  boolean isKnownWith(boolean g1) {
    return switch (this) {
      case FULL, OTHER -> true;
      case YOUNG -> !g1;
      case NORMAL, CONCURRENT_START, PREPARE_MIXED, MIXED, CONCURRENT_CYCLE -> g1;
    };
  }

  /** From {@code jdk.G1GarbageCollection}'s type (G1GCPauseType in HotSpot). */
  static CollectionKind ofG1Pause(String type) {
    return switch (type) {
      case "Normal" -> NORMAL;
      case "Concurrent Start" -> CONCURRENT_START;
      case "Prepare Mixed" -> PREPARE_MIXED;
      case "Mixed" -> MIXED;
      default -> OTHER;
    };
  }

  /**
   * From {@code jdk.GarbageCollection}'s name (GCName in HotSpot).
   *
   * @return empty for {@code G1New}, whose kind is in a separate event
   */
  static Optional<CollectionKind> ofCollector(String name) {
    return switch (name) {
      case "G1New" -> Optional.empty();
      case "G1Old" -> Optional.of(CONCURRENT_CYCLE);
      case "DefNew", "ParallelScavenge" -> Optional.of(YOUNG);
      case "G1Full", "SerialOld", "ParallelOld" -> Optional.of(FULL);
      default -> Optional.of(OTHER);
    };
  }
}
