package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Duration;

/**
 * When work that is due for all clusters at once, as after a restart, is done for each: at a time
 * of its own, which depends on its name alone.
 */
final class Stagger {
  private static final int PARTS = 1000;

  private Stagger() {}

  /** A time from the first to the second of these, other for other clusters. */
  static Duration between(Duration first, Duration second, ResourceID id) {
    // The low bits of names that count up are as even as the names, the high ones are not.
    int part = Math.floorMod(id.hashCode(), PARTS);
    return first.plus(second.minus(first).multipliedBy(part).dividedBy(PARTS));
  }
}
