package io.offheap.hbase.observer;

/** The heap after the last collection: what is in use without the next eden. */
final class HeapMetrics implements CollectionListener {
  private volatile HeapUse after = HeapUse.UNKNOWN;

  HeapMetrics(ObserverMetrics metrics, boolean g1) {
    metrics.gauge("heapAfterGcBytes", () -> after.heap());
    if (g1) {
      metrics.gauge("oldAfterGcBytes", () -> after.old());
      metrics.gauge("youngTargetBytes", () -> after.youngTarget());
    }
  }

  @Override
  public void finished(Collected collected) {
    if (collected.after().heap() != ObserverMetrics.UNKNOWN) {
      after = collected.after();
    }
  }
}
