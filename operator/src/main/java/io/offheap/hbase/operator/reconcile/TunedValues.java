package io.offheap.hbase.operator.reconcile;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatus.GroupValue;
import io.offheap.hbase.operator.plan.Tuned;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Values that tuning chose, as plans take them. They count unless tuning is off.
 *
 * @param values of all groups
 */
record TunedValues(List<GroupValue> values) {
  TunedValues {
    values = List.copyOf(values);
  }

  /** Those of a resource that count. */
  static TunedValues in(HBaseCluster cluster) {
    if (cluster.getSpec().tuning().mode() == TuningSpec.Mode.Disabled) {
      return new TunedValues(List.of());
    }
    return new TunedValues(
        Optional.ofNullable(cluster.getStatus())
            .map(HBaseClusterStatus::tuning)
            .map(TuningStatus::groups)
            .stream()
            .flatMap(List::stream)
            .flatMap(TunedValues::of)
            .toList());
  }

  private static Stream<GroupValue> of(TuningStatus.Group group) {
    return group.values().stream()
        .map(it -> new GroupValue(group.name(), it.key(), it.value(), it.rule()));
  }

  /** Those that plans were made with. */
  static TunedValues of(Optional<LiveStatus> live) {
    return new TunedValues(live.map(LiveStatus::tuned).orElse(List.of()));
  }

  /** What plans are made for, with these values and no others. */
  Optional<LiveStatus> beside(Optional<LiveStatus> live, long generation) {
    if (values.isEmpty()) {
      return live.map(it -> new LiveStatus(it.generation(), it.tables(), it.workingSet(), null));
    }
    return Optional.of(
        new LiveStatus(
            live.map(LiveStatus::generation).orElse(generation),
            live.map(LiveStatus::tables).orElse(null),
            live.map(LiveStatus::workingSet).orElse(null),
            values));
  }

  Map<String, List<Tuned>> byGroup() {
    return values.stream()
        .collect(
            groupingBy(
                GroupValue::group,
                mapping(it -> new Tuned(it.key(), it.value(), it.rule()), toList())));
  }
}
