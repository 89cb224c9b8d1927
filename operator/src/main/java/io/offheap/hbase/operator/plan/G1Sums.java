package io.offheap.hbase.operator.plan;

/**
 * Formulas of G1 on JDK 17 that plan and tuning share. Sizes are in bytes, shares in whole percent
 * of the heap.
 */
public final class G1Sums {
  /** How full survivor regions should be: the plan accepts no other value. */
  static final long TARGET_SURVIVOR_RATIO = JvmKeys.TARGET_SURVIVOR_RATIO.constantDefault();

  /** Unit to which the JVM rounds the heap up, beside whole regions: one page of the card table. */
  private static final long HEAP_ALIGNMENT = 2 * Bytes.MIB;

  private G1Sums() {}

  /**
   * The most {@code InitiatingHeapOccupancyPercent} that leaves room for the smallest young
   * generation and the reserve.
   *
   * @param reservePercent {@code G1ReservePercent}
   */
  public static long mostIhop(long newSizePercent, long reservePercent) {
    return 100 - newSizePercent - reservePercent;
  }

  /** Regions of the smallest young generation: {@code max(1, floor(regions x new%))}. */
  public static long leastYoungRegions(long regions, long newSizePercent) {
    return Math.max(1, regions * newSizePercent / 100);
  }

  /**
   * Bytes of survivors from which G1 promotes early: {@code ceil(young / SurvivorRatio) x region x
   * TargetSurvivorRatio / 100}, as {@code G1Policy::update_survivors_policy} and {@code
   * AgeTable::compute_tenuring_threshold} have it.
   *
   * @param youngRegions regions of the young generation that G1 aims at
   */
  public static long desiredSurvivorBytes(long youngRegions, long survivorRatio, long regionBytes) {
    long survivors = (youngRegions + survivorRatio - 1) / survivorRatio;
    return survivors * regionBytes * TARGET_SURVIVOR_RATIO / 100;
  }

  /** Regions of a heap, which the JVM rounds up to whole regions. */
  public static long regions(long heapBytes, long regionBytes) {
    return Bytes.roundUp(heapBytes, Math.max(regionBytes, HEAP_ALIGNMENT)) / regionBytes;
  }
}
