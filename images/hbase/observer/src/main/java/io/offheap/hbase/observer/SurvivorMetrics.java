package io.offheap.hbase.observer;

import org.apache.hadoop.hbase.metrics.Counter;

/**
 * Bytes of survivors by age against the survivor size that G1 desires.
 *
 * <p>No event has the desired size. It is computed as G1Policy::update_survivors_policy does at the
 * start of a pause: {@code ceil(young target regions / SurvivorRatio) x region size x
 * TargetSurvivorRatio / 100}, where the young target comes from {@code jdk.G1HeapSummary} of before
 * the collection. The GC log has the same number as "Desired survivor size" ({@code gc+age=debug}).
 */
final class SurvivorMetrics implements CollectionListener {
  private final Vm vm;
  private final Counter overflow;
  private volatile long[] ageBytes = new long[Collected.MAX_AGE + 1];
  private volatile long desiredBytes = ObserverMetrics.UNKNOWN;
  private volatile long tenuringThreshold = ObserverMetrics.UNKNOWN;

  SurvivorMetrics(ObserverMetrics metrics, Vm vm) {
    this.vm = vm;
    this.overflow = metrics.counter("survivorOverflowCount");
    metrics.gauge("survivorDesiredBytes", () -> desiredBytes);
    metrics.gauge("survivorTenuringThreshold", () -> tenuringThreshold);
    for (var age = 1; age <= Collected.MAX_AGE; age++) {
      var index = age;
      metrics.gauge("survivorBytesAge" + age, () -> ageBytes[index]);
    }
  }

  @Override
  public void finished(Collected collected) {
    if (!collected.kind().isEvacuation()) {
      return;
    }
    tenuringThreshold = collected.tenuringThreshold();
    if (collected.before().youngTarget() != ObserverMetrics.UNKNOWN) {
      desiredBytes = desiredBytes(collected.before().youngTarget());
      // ageBytes still has the survivors of the collection before; this one measures them.
      if (ageBytes[1] > desiredBytes) {
        overflow.increment();
      }
    }
    collected.ageBytes().ifPresent(bytes -> ageBytes = bytes);
  }

  private long desiredBytes(long youngTargetBytes) {
    var youngRegions = youngTargetBytes / vm.regionBytes();
    var survivorRegions = -Math.floorDiv(-youngRegions, vm.survivorRatio());
    return survivorRegions * vm.regionBytes() * vm.targetSurvivorPercent() / 100;
  }
}
