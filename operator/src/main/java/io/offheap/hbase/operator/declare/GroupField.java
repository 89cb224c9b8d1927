package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.offheap.hbase.operator.api.RegionServersSpec;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A field of a region server group, as {@link RegionServersSpec} declares it.
 *
 * @param path its path below the group: {@code memory.heap}
 * @param type the type of its value, which is no record
 * @param range the range of its values, where it has one
 */
public record GroupField(String path, Class<?> type, Optional<FieldRange> range) {
  /** Declared so that its message can say what to declare instead. */
  private static final Set<String> REFUSED =
      Set.of("resources.requests.memory", "resources.limits.memory");

  private static final List<GroupField> ALL =
      below("", RegionServersSpec.class).filter(it -> !REFUSED.contains(it.path())).toList();

  private static final Map<String, GroupField> BY_PATH =
      ALL.stream().collect(Collectors.toUnmodifiableMap(GroupField::path, Function.identity()));

  /** All that a resource may have, in the order of their declaration. */
  public static List<GroupField> all() {
    return ALL;
  }

  /**
   * Returns one of them.
   *
   * @throws IllegalArgumentException if there is no such field
   */
  static GroupField of(String path) {
    return Optional.ofNullable(BY_PATH.get(path))
        .orElseThrow(() -> new IllegalArgumentException("no field " + path));
  }

  /**
   * The range of one of them.
   *
   * @throws IllegalArgumentException if there is no such field, or it has no range
   */
  public static FieldRange rangeOf(String path) {
    return of(path).range().orElseThrow(() -> new IllegalArgumentException("no range of " + path));
  }

  private static Stream<GroupField> below(String path, Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            it ->
                it.getType().isRecord()
                    ? below(path + name(it) + ".", it.getType())
                    : Stream.of(
                        new GroupField(
                            path + name(it), it.getType(), FieldRange.of(it.getAccessor()))));
  }

  private static String name(RecordComponent component) {
    return Optional.ofNullable(component.getAccessor().getAnnotation(JsonProperty.class))
        .map(JsonProperty::value)
        .orElseGet(component::getName);
  }
}
