package io.offheap.hbase.observer;

import java.util.ArrayList;
import java.util.List;

/** Is told of each collection, in the order in which they ended, by one thread. */
interface CollectionListener {
  void finished(Collected collected);

  /** Those whose figures this JVM's collector has, with their metrics registered. */
  static List<CollectionListener> all(ObserverMetrics metrics, Vm vm) {
    var listeners = new ArrayList<CollectionListener>();
    listeners.add(new PauseMetrics(metrics, vm));
    listeners.add(new HeapMetrics(metrics, vm.g1()));
    if (vm.g1()) {
      listeners.add(new SurvivorMetrics(metrics, vm));
      listeners.add(new MarkingMetrics(metrics));
      listeners.add(new MixedMetrics(metrics));
      listeners.add(new EvacuationMetrics(metrics));
    }
    return listeners;
  }
}
