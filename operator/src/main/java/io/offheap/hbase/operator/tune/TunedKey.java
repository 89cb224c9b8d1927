package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.Target;
import java.util.Arrays;
import java.util.Optional;

/** A setting that tuning may change. */
public enum TunedKey {
  BUFFER_COUNT(Target.HBASE_SITE, "hbase.server.allocator.max.buffer.count", true),
  /** Made for a block: half a change is none. */
  BUFFER_SIZE(Target.HBASE_SITE, "hbase.server.allocator.buffer.size", false),
  IHOP(Target.JVM, "InitiatingHeapOccupancyPercent", true),
  NEW_SIZE_PERCENT(Target.JVM, "G1NewSizePercent", true),
  SURVIVOR_RATIO(Target.JVM, "SurvivorRatio", true),
  OLD_CSET_PERCENT(Target.JVM, "G1OldCSetRegionThresholdPercent", true),
  MIXED_COUNT_TARGET(Target.JVM, "G1MixedGCCountTarget", true);

  private final Target target;
  private final String key;
  private final boolean steps;

  TunedKey(Target target, String key, boolean steps) {
    this.target = target;
    this.key = key;
    this.steps = steps;
  }

  /** The constant of a setting's key, if it is one. */
  public static Optional<TunedKey> of(String key) {
    return Arrays.stream(values()).filter(it -> it.key.equals(key)).findFirst();
  }

  /** Where it takes effect. */
  public Target target() {
    return target;
  }

  /** HBase's or HotSpot's own name, as in the plan. */
  public String key() {
    return key;
  }

  /** Whether a smaller change of it is one as well. */
  boolean steps() {
    return steps;
  }
}
