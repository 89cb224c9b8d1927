package io.offheap.hbase.operator.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The registry of keys, the only place with their names, units, defaults and readers. */
public final class Keys {
  /** The container's memory, request and limit. */
  public static final Key<Long> CONTAINER_MEMORY =
      Key.of(Target.CONTAINER, "memory", Kind.QUANTITY, "Kubernetes: resources");

  private static final List<Key<?>> ALL =
      Stream.of(HBaseKeys.ALL, OnlineProperties.ALL, JvmKeys.ALL, List.of(CONTAINER_MEMORY))
          .<Key<?>>flatMap(List::stream)
          .toList();

  private static final Map<Target, Map<String, Key<?>>> BY_NAME =
      ALL.stream()
          .collect(
              Collectors.groupingBy(
                  Key::target, Collectors.toMap(Key::name, Function.<Key<?>>identity())));

  private Keys() {}

  /** Every key. */
  public static List<Key<?>> all() {
    return ALL;
  }

  /** The key of a name; empty where it is not registered. */
  public static Optional<Key<?>> find(Target target, String name) {
    return Optional.ofNullable(BY_NAME.get(target).get(name));
  }

  /** The key of a name; one for any text where it is not registered. */
  static Key<?> named(Target target, String name) {
    var key = BY_NAME.get(target).get(name);
    return key == null ? Key.of(target, name, Kind.TEXT, "") : key;
  }
}
