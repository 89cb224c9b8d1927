package io.offheap.hbase.observer;

import org.apache.hadoop.hbase.metrics.Counter;

/** Regions that evacuation pauses freed, and pauses that found no space to copy to. */
final class EvacuationMetrics implements CollectionListener {
  private final Counter failures;
  private final Counter failedBytes;
  private final Counter regionsFreed;

  EvacuationMetrics(ObserverMetrics metrics) {
    this.failures = metrics.counter("evacuationFailedCount");
    this.failedBytes = metrics.counter("evacuationFailedBytes");
    this.regionsFreed = metrics.counter("regionsFreedCount");
  }

  @Override
  public void finished(Collected collected) {
    if (collected.isEvacuationFailed()) {
      failures.increment();
      failedBytes.increment(collected.failedBytes());
    }
    if (collected.regionsFreed() != ObserverMetrics.UNKNOWN) {
      regionsFreed.increment(collected.regionsFreed());
    }
  }
}
