package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatus.GroupValues;
import io.offheap.hbase.operator.plan.Tuned;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The tuned values in the plans' input. There are none while tuning is disabled.
 *
 * @param byGroup the values of each group that has some, by its name, in the order of the status
 */
public record TunedValues(Map<String, List<Tuned>> byGroup) {
  public TunedValues {
    byGroup = Collections.unmodifiableMap(new LinkedHashMap<>(byGroup));
  }

  /** The values in the status of a resource. */
  public static TunedValues in(HBaseCluster cluster) {
    if (cluster.getSpec().tuning().mode() == TuningSpec.Mode.Disabled) {
      return new TunedValues(Map.of());
    }
    return read(
        Optional.ofNullable(cluster.getStatus())
            .map(HBaseClusterStatus::tuning)
            .map(TuningStatus::groups)
            .stream()
            .flatMap(List::stream)
            .map(it -> new GroupValues(it.name(), it.values())));
  }

  /** The values in the plans' input. */
  public static TunedValues of(Optional<LiveStatus> live) {
    return read(live.map(LiveStatus::tuned).stream().flatMap(List::stream));
  }

  /** A status may have any: of a group that is there twice, the first counts. */
  private static TunedValues read(Stream<GroupValues> stored) {
    var byGroup = new LinkedHashMap<String, List<Tuned>>();
    stored
        .filter(it -> it.group() != null && it.values() != null)
        .forEach(it -> byGroup.putIfAbsent(it.group(), TuningStatuses.tuned(it.values())));
    byGroup.values().removeIf(List::isEmpty);
    return new TunedValues(byGroup);
  }

  public boolean isEmpty() {
    return byGroup.isEmpty();
  }

  /** The plans' input with these values in place of its own. */
  public Optional<LiveStatus> beside(Optional<LiveStatus> live, long generation) {
    if (isEmpty()) {
      return live.map(it -> new LiveStatus(it.generation(), it.tables(), it.workingSet(), null));
    }
    var stored =
        byGroup.entrySet().stream()
            .map(it -> new GroupValues(it.getKey(), TuningStatuses.values(it.getValue())))
            .toList();
    return Optional.of(
        new LiveStatus(
            live.map(LiveStatus::generation).orElse(generation),
            live.map(LiveStatus::tables).orElse(null),
            live.map(LiveStatus::workingSet).orElse(null),
            stored));
  }
}
