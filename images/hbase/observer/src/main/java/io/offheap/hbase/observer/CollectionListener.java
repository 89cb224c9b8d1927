package io.offheap.hbase.observer;

import java.util.ArrayList;
import java.util.List;

/** Receives each collection, in the order of their ends, on one thread. */
interface CollectionListener {
  void finished(Collected collected);

  /** Listeners for the metrics that this JVM's collector has; registers the metrics. */
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
