package io.offheap.hbase.operator.property;

/**
 * Makes G1 collect the young generation once and ends. Run with {@code
 * -XX:+ExplicitGCInvokesConcurrent}, else it would be a full collection, which has no survivors.
 */
final class YoungCollection {
  private YoungCollection() {}

  public static void main(String[] args) {
    System.gc();
  }
}
