package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.api.TuningStatus.GroupValues;
import io.offheap.hbase.operator.api.TuningStatus.Value;
import io.offheap.hbase.operator.plan.Tuned;
import io.offheap.hbase.operator.plan.TunedKey;
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
    return read(groups(cluster).map(it -> new GroupValues(it.name(), it.values())));
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
        .forEach(it -> byGroup.putIfAbsent(it.group(), read(it.values())));
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
            .map(it -> new GroupValues(it.getKey(), stored(it.getValue())))
            .toList();
    return Optional.of(
        new LiveStatus(
            live.map(LiveStatus::generation).orElse(generation),
            live.map(LiveStatus::tables).orElse(null),
            live.map(LiveStatus::workingSet).orElse(null),
            stored));
  }

  /**
   * Stored values, the first of each setting. A value that tuning does not write is left out: of
   * another setting, with a text that is none of its setting, or without a rule.
   */
  static List<Tuned> read(List<Value> stored) {
    var byKey = new LinkedHashMap<TunedKey, Tuned>();
    stored.forEach(value -> read(value).ifPresent(it -> byKey.putIfAbsent(it.key(), it)));
    return List.copyOf(byKey.values());
  }

  private static Optional<Tuned> read(Value it) {
    if (it.value() == null || it.rule() == null) {
      return Optional.empty();
    }
    return TunedKey.of(it.key())
        .flatMap(key -> key.read(it.value()).map(value -> new Tuned(key, value, it.rule())));
  }

  /** Values as a status has them. */
  static List<Value> stored(List<Tuned> tuned) {
    return tuned.stream()
        .map(it -> new Value(it.key().keyName(), it.key().write(it.value()), it.rule()))
        .toList();
  }

  /** The values in the status of a resource that are left out since none can be read, by group. */
  public static List<GroupValues> unreadable(HBaseCluster cluster) {
    return groups(cluster)
        .map(
            group ->
                new GroupValues(
                    group.name(),
                    group.values().stream().filter(it -> read(it).isEmpty()).toList()))
        .filter(it -> !it.values().isEmpty())
        .toList();
  }

  static Stream<TuningStatus.Group> groups(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus())
        .map(HBaseClusterStatus::tuning)
        .map(TuningStatus::groups)
        .stream()
        .flatMap(List::stream);
  }
}
