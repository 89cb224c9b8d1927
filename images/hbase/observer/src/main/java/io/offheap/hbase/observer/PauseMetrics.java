package io.offheap.hbase.observer;

import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.metrics.Counter;

/** Number of collections of each kind, and how long Java threads were stopped for them. */
final class PauseMetrics implements CollectionListener {
  private final Map<CollectionKind, OfKind> kinds = new EnumMap<>(CollectionKind.class);
  private final long targetMicros;

  PauseMetrics(ObserverMetrics metrics, Vm vm) {
    this.targetMicros = vm.pauseTargetMicros();
    for (var kind : CollectionKind.values()) {
      if (kind.isKnownWith(vm.g1())) {
        kinds.put(kind, OfKind.register(metrics, "gc" + kind.metricName()));
      }
    }
  }

  @Override
  public void finished(Collected collected) {
    var known = kinds.get(collected.kind());
    (known == null ? kinds.get(CollectionKind.OTHER) : known).add(collected, targetMicros);
  }

  private record OfKind(Counter count, Counter pauseMicros, Counter overTarget, Extreme longest) {
    static OfKind register(ObserverMetrics metrics, String prefix) {
      var longest = Extreme.largest(System::nanoTime);
      metrics.gauge(prefix + "PauseMaxMicros", longest::value);
      return new OfKind(
          metrics.counter(prefix + "Count"),
          metrics.counter(prefix + "PauseMicros"),
          metrics.counter(prefix + "OverTargetCount"),
          longest);
    }

    void add(Collected collected, long targetMicros) {
      count.increment();
      pauseMicros.increment(collected.pauseMicros());
      longest.add(collected.longestPauseMicros());
      if (collected.longestPauseMicros() > targetMicros) {
        overTarget.increment();
      }
    }
  }
}
