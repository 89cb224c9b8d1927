package io.offheap.hbase.observer;

/**
 * Occupancy of the old generation when marking last started, and the threshold at which it starts.
 *
 * <p>G1 decides at the end of a pause (or for a humongous object) and starts marking with the next
 * one. So the occupancy is that of before the Concurrent Start collection, and the threshold is
 * that of the collection before. The event's own occupancy is not used: {@code jdk.G1BasicIHOP} has
 * the whole heap's in the field of the old generation's.
 */
final class MarkingMetrics implements CollectionListener {
  private volatile long threshold = ObserverMetrics.UNKNOWN;
  private volatile long startThreshold = ObserverMetrics.UNKNOWN;
  private volatile long startOldBytes = ObserverMetrics.UNKNOWN;
  private volatile long startGcId = ObserverMetrics.UNKNOWN;

  MarkingMetrics(ObserverMetrics metrics) {
    metrics.gauge("ihopThresholdBytes", () -> threshold);
    metrics.gauge("markingStartThresholdBytes", () -> startThreshold);
    metrics.gauge("markingStartOldBytes", () -> startOldBytes);
    metrics.gauge("markingStartGcId", () -> startGcId);
  }

  @Override
  public void finished(Collected collected) {
    if (collected.kind() == CollectionKind.CONCURRENT_START) {
      startThreshold = threshold == ObserverMetrics.UNKNOWN ? collected.ihopThreshold() : threshold;
      startOldBytes = collected.before().old();
      startGcId = collected.gcId();
    }
    if (collected.ihopThreshold() != ObserverMetrics.UNKNOWN) {
      threshold = collected.ihopThreshold();
    }
  }
}
