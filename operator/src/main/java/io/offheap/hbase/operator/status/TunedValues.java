package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatus.GroupValues;
import io.offheap.hbase.operator.plan.Tuned;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The tuned values in the plans' input. There are none while tuning is disabled.
 *
 * @param groups the groups with tuned values
 */
public record TunedValues(List<GroupValues> groups) {
  public TunedValues {
    groups = groups.stream().filter(it -> !it.values().isEmpty()).toList();
  }

  /** The values in the status of a resource. */
  public static TunedValues in(HBaseCluster cluster) {
    if (cluster.getSpec().tuning().mode() == TuningSpec.Mode.Disabled) {
      return new TunedValues(List.of());
    }
    return new TunedValues(
        Optional.ofNullable(cluster.getStatus())
            .map(HBaseClusterStatus::tuning)
            .map(TuningStatus::groups)
            .stream()
            .flatMap(List::stream)
            .map(it -> new GroupValues(it.name(), it.values()))
            .toList());
  }

  /** The values in the plans' input. */
  public static TunedValues of(Optional<LiveStatus> live) {
    return new TunedValues(live.map(LiveStatus::tuned).orElse(List.of()));
  }

  public boolean isEmpty() {
    return groups.isEmpty();
  }

  /** The plans' input with these values in place of its own. */
  public Optional<LiveStatus> beside(Optional<LiveStatus> live, long generation) {
    if (isEmpty()) {
      return live.map(it -> new LiveStatus(it.generation(), it.tables(), it.workingSet(), null));
    }
    return Optional.of(
        new LiveStatus(
            live.map(LiveStatus::generation).orElse(generation),
            live.map(LiveStatus::tables).orElse(null),
            live.map(LiveStatus::workingSet).orElse(null),
            groups));
  }

  public Map<String, List<Tuned>> byGroup() {
    return groups.stream()
        .collect(Collectors.toMap(GroupValues::group, it -> TuningStatuses.tuned(it.values())));
  }
}
