package io.offheap.hbase.operator.plan;

import java.util.Optional;

/**
 * A field of a region server group, relative to any group.
 *
 * @param path names with dots between, relative to the group: {@code memory.heap}
 * @param entry the property in {@code config} or the option in {@code jvmOptions}; empty for every
 *     other field
 */
public record FieldPath(String path, Optional<String> entry) {
  /** Further properties of {@code hbase-site.xml}. */
  public static final FieldPath CONFIG = of("config");

  /** Further options of the JVM. */
  public static final FieldPath JVM_OPTIONS = of("jvmOptions");

  /** A field that has no entries. */
  public static FieldPath of(String path) {
    return new FieldPath(path, Optional.empty());
  }

  /** The entry that declares a property or a JVM option. */
  public static FieldPath of(Target target, String name) {
    var list = target == Target.JVM ? JVM_OPTIONS : CONFIG;
    return new FieldPath(list.path, Optional.of(name));
  }

  /** The entry that declares a key. */
  static FieldPath of(Key<?> key) {
    return of(key.target(), key.name());
  }

  /** The path relative to the group: {@code config[hbase.tmp.dir]}. */
  @Override
  public String toString() {
    return path + entry.map(it -> "[" + it + "]").orElse("");
  }
}
