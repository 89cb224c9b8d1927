package io.offheap.hbase.operator.tune;

import java.util.List;
import java.util.OptionalDouble;

/** Collections and their pauses, summed over all kinds. */
final class Pauses {
  private static final List<Metric> PAUSES =
      List.of(
          Metric.GC_NORMAL_PAUSE_MICROS,
          Metric.GC_CONCURRENT_START_PAUSE_MICROS,
          Metric.GC_PREPARE_MIXED_PAUSE_MICROS,
          Metric.GC_MIXED_PAUSE_MICROS,
          Metric.GC_CONCURRENT_CYCLE_PAUSE_MICROS,
          Metric.GC_FULL_PAUSE_MICROS);

  private static final List<Metric> EVACUATIONS =
      List.of(
          Metric.GC_NORMAL_COUNT,
          Metric.GC_CONCURRENT_START_COUNT,
          Metric.GC_PREPARE_MIXED_COUNT,
          Metric.GC_MIXED_COUNT);

  private Pauses() {}

  /** Share of the time in which collections stopped the process. */
  static OptionalDouble share(ServerWindow server) {
    return PAUSES.stream()
        .flatMapToDouble(it -> server.perSecond(it).stream())
        .map(micros -> micros / 1_000_000)
        .reduce(Double::sum);
  }

  /** Number of collections that copied live objects. */
  static double evacuations(ServerWindow server) {
    return EVACUATIONS.stream().flatMapToDouble(it -> server.delta(it).stream()).sum();
  }
}
