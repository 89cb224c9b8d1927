package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;

/**
 * Spreads work that is due for all clusters at once, such as after a restart: each cluster has its
 * own time, which depends only on its name.
 */
final class Stagger {
  private static final int PARTS = 1000;

  private Stagger() {}

  /** A cluster's time between these two. */
  static Duration between(Duration first, Duration second, ResourceID id) {
    // For numbered names, only the low bits of the hash are evenly distributed.
    int part = Math.floorMod(id.hashCode(), PARTS);
    return first.plus(second.minus(first).multipliedBy(part).dividedBy(PARTS));
  }
}
