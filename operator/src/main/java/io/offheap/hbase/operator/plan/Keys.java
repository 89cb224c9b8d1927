package io.offheap.hbase.operator.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The registry of keys: nothing else in the operator knows a key's name, unit or default. */
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

  /** The key of a name; empty where a user declared one that is not known here. */
  public static Optional<Key<?>> find(Target target, String name) {
    return Optional.ofNullable(BY_NAME.get(target).get(name));
  }

  /** The key of a name, one of any text where it is not known here. */
  static Key<?> named(Target target, String name) {
    var known = BY_NAME.get(target).get(name);
    return known == null ? Key.of(target, name, Kind.TEXT, "") : known;
  }
}
