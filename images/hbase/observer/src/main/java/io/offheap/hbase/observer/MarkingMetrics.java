package io.offheap.hbase.observer;

/**
 * What the old generation held when marking last started, and from which threshold on it does.
 *
 * <p>G1 decides at the end of a pause (or for a humongous object) and starts marking with the next
 * one. So the occupancy is that of before the Concurrent Start collection, and the threshold the
 * one that the collection before told. The event's own occupancy is not used: what {@code
 * jdk.G1BasicIHOP} calls the old generation's is the whole heap's.
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
