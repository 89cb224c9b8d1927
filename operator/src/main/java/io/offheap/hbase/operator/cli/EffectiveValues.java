package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Keys;
import io.offheap.hbase.operator.plan.Kind;
import io.offheap.hbase.operator.plan.Target;
import java.util.Optional;
import java.util.Set;

/** The effective values: those that a file sets, else the defaults of HBase and its JVM. */
final class EffectiveValues {
  private static final String HBASE = "HBase's default";
  private static final String JVM = "the JVM's default";

  private final ConfFolder conf;
  private final JvmLine line;
  private final RunningConfiguration running;

  EffectiveValues(ConfFolder conf, JvmLine line, RunningConfiguration running) {
    this.conf = conf;
    this.line = line;
    this.running = running;
  }

  /** The effective value of a key; empty where it is unknown. */
  Optional<String> value(Target target, String key) {
    return target == Target.JVM ? option(key) : property(key);
  }

  /** The value that a file sets for a key. */
  Optional<PlacedValue> set(Target target, String key) {
    return target == Target.JVM
        ? line.find(key)
        : Optional.ofNullable(conf.properties().get(key)).filter(it -> !it.value().isEmpty());
  }

  /** The place that sets the value of a key. */
  String place(Target target, String key) {
    return set(target, key).map(PlacedValue::place).orElse(target == Target.JVM ? JVM : HBASE);
  }

  private Optional<String> property(String key) {
    return set(Target.HBASE_SITE, key)
        .map(PlacedValue::value)
        .or(() -> running.ownDefault(Target.HBASE_SITE, key, this::property));
  }

  private Optional<String> option(String name) {
    if (line.isUnknown(name)) {
      return Optional.empty();
    }
    return line.value(name).or(() -> running.ownDefault(Target.JVM, name, this::option));
  }

  /** The JVM derives its defaults from the number of threads. */
  private boolean isUnknown(String name) {
    boolean follows =
        Set.of(JvmKeys.CONCURRENT_THREADS.name(), JvmKeys.PARALLEL_REFERENCES.name())
            .contains(name);
    return line.isUnknown(name)
        || (follows
            && line.find(name).isEmpty()
            && line.isUnknown(JvmKeys.PARALLEL_THREADS.name()));
  }

  /** Whether a value is equivalent to a derived one; an unknown value is reported elsewhere. */
  boolean isAs(Target target, String key, String derived) {
    if (target == Target.JVM && isUnknown(key)) {
      return true;
    }
    var value = value(target, key);
    // The destination of a GC log and its other tags are free.
    if (target == Target.JVM && key.equals(JvmKeys.LOG.name())) {
      return value.filter(it -> it.contains("gc")).isPresent();
    }
    return value.filter(it -> isSame(target, key, it, derived)).isPresent();
  }

  /** 30g and 30720m are equal sizes, and 0.4 and 0.40 equal numbers. */
  private static boolean isSame(Target target, String key, String one, String other) {
    var left = one.replaceAll("\\s", "");
    return left.equals(other)
        || Keys.find(target, key)
            .map(it -> isSame(it.kind(), left, other))
            .orElseGet(() -> isSameInAnyKind(left, other));
  }

  /** The kind of a key that is not registered is unknown. */
  private static boolean isSameInAnyKind(String one, String other) {
    // As floats, two large whole numbers may be equal.
    boolean whole = Kind.LONG.read(one).isPresent() && Kind.LONG.read(other).isPresent();
    return isSame(Kind.JVM_SIZE, one, other)
        || isSame(whole ? Kind.LONG : Kind.FLOAT, one, other)
        || isSame(Kind.BOOLEAN, one, other);
  }

  private static boolean isSame(Kind<?> kind, String one, String other) {
    var value = kind.read(one);
    return value.isPresent() && value.equals(kind.read(other));
  }
}
