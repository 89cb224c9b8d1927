package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.TunedKey;

/** Loads of a simulated group, and what its allocator and its collector make of them. */
final class SimulatedLoads {
  static final double RATE = 200 * Group.MIB;

  private SimulatedLoads() {}

  /** Reads that hold this many buffers at a time. */
  static SimulatedGroup.Truth demand(double buffers) {
    return (server, plan, age, time) -> {
      double count = plan.planned(TunedKey.BUFFER_COUNT);
      allocate(server, plan, Math.min(1, count / buffers), RATE);
    };
  }

  static void allocate(
      SimulatedGroup.Counters server, Evidence plan, double fromPool, double rate) {
    double bytes = rate * 60;
    double count = plan.planned(TunedKey.BUFFER_COUNT);
    server
        .add(Metric.ALLOCATOR_POOL_BYTES, bytes * fromPool)
        .add(Metric.ALLOCATOR_HEAP_BYTES, bytes * (1 - fromPool))
        .add(
            Metric.ALLOCATOR_POOL_EMPTY_COUNT,
            Math.ceil(bytes * (1 - fromPool) / plan.planned(TunedKey.BUFFER_SIZE)))
        .set(Metric.ALLOCATOR_TOTAL_BUFFERS, count)
        .set(Metric.ALLOCATOR_CREATED_BUFFERS, count)
        .add(Metric.GC_NORMAL_PAUSE_MICROS, 600_000);
  }

  /** Buffers that are not returned; of an exhausted pool, the rest serves a third of the reads. */
  static SimulatedGroup.Truth leak(double buffersPerMinute) {
    return (server, plan, age, time) -> {
      double left = plan.planned(TunedKey.BUFFER_COUNT) - buffersPerMinute * age.toMinutes();
      allocate(server, plan, left > 0 ? 1 : 0.3, RATE);
    };
  }

  static SimulatedGroup pool(SimulatedGroup.Truth truth) {
    return new SimulatedGroup(Group.talk().handlers(1).mayShrinkCache(), 3, truth);
  }

  /** Half of the mixed collections are too long, until old regions are divided into more. */
  static SimulatedGroup.Truth longMixed(SimulatedGroup.Truth other) {
    return (server, plan, age, time) -> {
      other.live(server, plan, age, time);
      boolean isLong = plan.planned(TunedKey.MIXED_COUNT_TARGET) <= 32;
      server
          .add(Metric.GC_MIXED_COUNT, 10)
          .add(Metric.GC_MIXED_OVER_TARGET_COUNT, isLong ? 5 : 0)
          .add(Metric.MIXED_REGIONS_FREED_COUNT, 10)
          .set(Metric.GC_MIXED_PAUSE_MAX_MICROS, isLong ? 180_000 : 60_000);
    };
  }

  /** Marking starts five times a minute from below 60 % of the heap, and takes time. */
  static SimulatedGroup.Truth earlyMarking() {
    return (server, plan, age, time) -> {
      boolean isEarly = plan.planned(TunedKey.IHOP) < 60;
      server
          .add(Metric.GC_CONCURRENT_START_COUNT, isEarly ? 5 : 0.3)
          .add(Metric.GC_MIXED_PAUSE_MICROS, isEarly ? 3_000_000 : 600_000)
          .set(Metric.OLD_AFTER_GC_BYTES, 16.4 * Group.GIB)
          .set(Metric.MARKING_START_OLD_BYTES, 20 * Group.GIB)
          .set(Metric.YOUNG_TARGET_BYTES, Group.GIB);
    };
  }
}
