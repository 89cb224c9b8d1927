package io.offheap.hbase.operator.declare;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.offheap.hbase.operator.api.RegionServersSpec;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A field of a region server group, as {@link RegionServersSpec} declares it.
 *
 * @param path its path below the group: {@code memory.heap}
 * @param type the type of its value, which is no record
 */
public record GroupField(String path, Class<?> type) {
  /** Declared so that its message can say what to declare instead. */
  private static final Set<String> REFUSED =
      Set.of("resources.requests.memory", "resources.limits.memory");

  /** All that a resource may have, in the order of their declaration. */
  public static List<GroupField> all() {
    return below("", RegionServersSpec.class).filter(it -> !REFUSED.contains(it.path())).toList();
  }

  private static Stream<GroupField> below(String path, Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            it ->
                it.getType().isRecord()
                    ? below(path + name(it) + ".", it.getType())
                    : Stream.of(new GroupField(path + name(it), it.getType())));
  }

  private static String name(RecordComponent component) {
    return Optional.ofNullable(component.getAccessor().getAnnotation(JsonProperty.class))
        .map(JsonProperty::value)
        .orElseGet(component::getName);
  }
}
