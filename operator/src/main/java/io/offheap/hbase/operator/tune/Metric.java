package io.offheap.hbase.operator.tune;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A metric of a region server that tuning reads. Those of the observer have meaning and unit in its
 * README.
 */
public enum Metric {
  ALLOCATOR_POOL_BYTES("AllocatorPoolBytes", Kind.COUNTER),
  ALLOCATOR_HEAP_BYTES("AllocatorHeapBytes", Kind.COUNTER),
  ALLOCATOR_TOTAL_BUFFERS("AllocatorTotalBuffers", Kind.GAUGE),
  ALLOCATOR_CREATED_BUFFERS("AllocatorCreatedBuffers", Kind.GAUGE),
  ALLOCATOR_BUFFERS_IN_USE("AllocatorBuffersInUse", Kind.GAUGE),
  ALLOCATOR_POOL_EMPTY_COUNT("AllocatorPoolEmptyCount", Kind.COUNTER),
  ALLOCATOR_MULTI_BUFFER_COUNT("AllocatorMultiBufferCount", Kind.COUNTER),

  GC_NORMAL_COUNT("GcNormalCount", Kind.COUNTER),
  GC_NORMAL_PAUSE_MICROS("GcNormalPauseMicros", Kind.COUNTER),
  GC_CONCURRENT_START_COUNT("GcConcurrentStartCount", Kind.COUNTER),
  GC_CONCURRENT_START_PAUSE_MICROS("GcConcurrentStartPauseMicros", Kind.COUNTER),
  GC_PREPARE_MIXED_COUNT("GcPrepareMixedCount", Kind.COUNTER),
  GC_PREPARE_MIXED_PAUSE_MICROS("GcPrepareMixedPauseMicros", Kind.COUNTER),
  GC_MIXED_COUNT("GcMixedCount", Kind.COUNTER),
  GC_MIXED_PAUSE_MICROS("GcMixedPauseMicros", Kind.COUNTER),
  GC_MIXED_PAUSE_MAX_MICROS("GcMixedPauseMaxMicros", Kind.GAUGE),
  GC_MIXED_OVER_TARGET_COUNT("GcMixedOverTargetCount", Kind.COUNTER),
  GC_CONCURRENT_CYCLE_PAUSE_MICROS("GcConcurrentCyclePauseMicros", Kind.COUNTER),
  GC_FULL_COUNT("GcFullCount", Kind.COUNTER),
  GC_FULL_PAUSE_MICROS("GcFullPauseMicros", Kind.COUNTER),

  OLD_AFTER_GC_BYTES("OldAfterGcBytes", Kind.GAUGE),
  YOUNG_TARGET_BYTES("YoungTargetBytes", Kind.GAUGE),
  SURVIVOR_BYTES_AGE_1("SurvivorBytesAge1", Kind.GAUGE),
  SURVIVOR_OVERFLOW_COUNT("SurvivorOverflowCount", Kind.COUNTER),
  MARKING_START_OLD_BYTES("MarkingStartOldBytes", Kind.GAUGE),
  MIXED_GAP_LAST_MILLIS("MixedGapLastMillis", Kind.GAUGE),
  MIXED_GAP_MIN_MILLIS("MixedGapMinMillis", Kind.GAUGE),
  MIXED_BACK_TO_BACK_COUNT("MixedBackToBackCount", Kind.COUNTER),
  MIXED_REGIONS_FREED_COUNT("MixedRegionsFreedCount", Kind.COUNTER),
  EVACUATION_FAILED_COUNT("EvacuationFailedCount", Kind.COUNTER),

  /**
   * 99th percentile of the calls' time in the server, waiting and processing, in whole
   * milliseconds. HBase's histogram is of the calls since its source was last read, by whomever;
   * over JMX it is read once in Hadoop's period of 10 s at most. 0 where there was no call.
   */
  CALL_P99_MILLIS("TotalCallTime_99th_percentile", Kind.GAUGE, Bean.CALLS);

  /** The kind of a metric. */
  public enum Kind {
    /** Increases while the process runs. */
    COUNTER,
    /** A value at one time. */
    GAUGE
  }

  /** A management bean of a region server. */
  public enum Bean {
    /** The observer's. */
    OBSERVER("Hadoop:service=HBase,name=RegionServer,sub=Observer"),
    /** HBase's own, of the calls to a server. */
    CALLS("Hadoop:service=HBase,name=RegionServer,sub=IPC");

    private final String objectName;

    Bean(String objectName) {
      this.objectName = objectName;
    }

    /** Its name in the region server's process. */
    public String objectName() {
      return objectName;
    }

    /** Its metrics. */
    public Set<Metric> metrics() {
      return Arrays.stream(Metric.values())
          .filter(metric -> metric.bean == this)
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(Metric.class)));
    }

    /** Its attributes that tuning reads. */
    public Set<String> attributes() {
      return metrics().stream().map(Metric::attribute).collect(Collectors.toUnmodifiableSet());
    }
  }

  private final String attribute;
  private final Kind kind;
  private final Bean bean;

  Metric(String attribute, Kind kind) {
    this(attribute, kind, Bean.OBSERVER);
  }

  Metric(String attribute, Kind kind, Bean bean) {
    this.attribute = attribute;
    this.kind = kind;
    this.bean = bean;
  }

  /** The attribute of its bean. */
  public String attribute() {
    return attribute;
  }

  public Kind kind() {
    return kind;
  }
}
