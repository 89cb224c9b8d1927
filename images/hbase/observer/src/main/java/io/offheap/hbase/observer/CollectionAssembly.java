package io.offheap.hbase.observer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Assembles the events of one collection and passes the collection on when it is complete.
 *
 * <p>HotSpot commits {@code jdk.GarbageCollection} and {@code jdk.G1GarbageCollection} after all
 * other events of a collection, but JFR sorts by the end time of an event, so those two may arrive
 * first. A flush delivers all committed events; so a collection whose last event has arrived is
 * complete at the end of the flush, never earlier.
 */
final class CollectionAssembly {
  /** Collections older than this many are never complete: they ran when the stream began. */
  private static final int MAX_PENDING = 256;

  private final boolean g1;
  private final Consumer<Collected> finished;
  private final TreeMap<Integer, Collected> pending = new TreeMap<>();

  CollectionAssembly(boolean g1, Consumer<Collected> finished) {
    this.g1 = g1;
    this.finished = finished;
  }

  void follow(GcEvents events) {
    on(events, "jdk.GarbageCollection", Collected::garbageCollection);
    on(events, "jdk.GCHeapSummary", Collected::heapSummary);
    if (g1) {
      on(events, "jdk.G1GarbageCollection", Collected::g1Pause);
      on(events, "jdk.G1HeapSummary", Collected::g1HeapSummary);
      on(events, "jdk.TenuringDistribution", Collected::tenuring);
      on(events, "jdk.YoungGarbageCollection", Collected::young);
      on(events, "jdk.G1BasicIHOP", Collected::ihop);
      on(events, "jdk.G1AdaptiveIHOP", Collected::ihop);
      on(events, "jdk.EvacuationInformation", Collected::evacuation);
      on(events, "jdk.EvacuationFailed", Collected::evacuationFailed);
    }
    events.onFlush(this::flush);
  }

  private void on(GcEvents events, String name, BiConsumer<Collected, RecordedEvent> action) {
    events.on(
        name,
        event ->
            action.accept(pending.computeIfAbsent(event.getInt("gcId"), Collected::new), event));
  }

  private void flush() {
    var whole = new ArrayList<Collected>();
    pending.values().removeIf(collected -> collected.isComplete() && whole.add(collected));
    while (pending.size() > MAX_PENDING) {
      pending.pollFirstEntry();
    }
    whole.sort(Comparator.comparing(Collected::end));
    whole.forEach(finished);
  }
}
