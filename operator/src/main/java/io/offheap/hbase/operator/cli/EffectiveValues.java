package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.cli.ConfFolder.Found;
import io.offheap.hbase.operator.plan.JvmKeys;
import io.offheap.hbase.operator.plan.Kind;
import io.offheap.hbase.operator.plan.Target;
import java.util.Optional;
import java.util.Set;

/** The values that take effect: what a file sets, and else what HBase and its JVM take. */
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

  /** The value of a key, where one is known. */
  Optional<String> value(Target target, String key) {
    return target == Target.JVM ? option(key) : property(key);
  }

  /** What a file sets for a key. */
  Optional<Found> set(Target target, String key) {
    return target == Target.JVM
        ? line.find(key)
        : Optional.ofNullable(conf.properties().get(key)).filter(it -> !it.value().isEmpty());
  }

  /** Where the value of a key comes from. */
  String place(Target target, String key) {
    return set(target, key).map(Found::place).orElse(target == Target.JVM ? JVM : HBASE);
  }

  private Optional<String> property(String key) {
    return set(Target.HBASE_SITE, key)
        .map(Found::value)
        .or(() -> running.ownDefault(Target.HBASE_SITE, key, this::property));
  }

  private Optional<String> option(String name) {
    if (line.isUnknown(name)) {
      return Optional.empty();
    }
    return line.value(name).or(() -> running.ownDefault(Target.JVM, name, this::option));
  }

  /** Of the threads, the JVM makes more of its defaults. */
  private boolean isUnknown(String name) {
    boolean follows =
        Set.of(JvmKeys.CONCURRENT_THREADS.name(), JvmKeys.PARALLEL_REFERENCES.name())
            .contains(name);
    return line.isUnknown(name)
        || (follows
            && line.find(name).isEmpty()
            && line.isUnknown(JvmKeys.PARALLEL_THREADS.name()));
  }

  /** Whether a value is as good as a derived one; one that nobody knows is said to be unknown. */
  boolean isAs(Target target, String key, String derived) {
    if (target == Target.JVM && isUnknown(key)) {
      return true;
    }
    var value = value(target, key);
    // Where a GC log goes to, and what else is in it, is a matter of taste.
    if (target == Target.JVM && key.equals(JvmKeys.LOG.name())) {
      return value.filter(it -> it.contains("gc")).isPresent();
    }
    return value.filter(it -> isSame(it, derived)).isPresent();
  }

  /** 30g and 30720m are one size, 0.4 and 0.40 one share. */
  private static boolean isSame(String one, String other) {
    var left = one.replaceAll("\\s", "");
    if (left.equals(other)) {
      return true;
    }
    // As floats, two large whole numbers may be one.
    boolean whole = Kind.LONG.read(left).isPresent() && Kind.LONG.read(other).isPresent();
    return isSame(Kind.JVM_SIZE, left, other)
        || isSame(whole ? Kind.LONG : Kind.FLOAT, left, other)
        || isSame(Kind.BOOLEAN, left, other);
  }

  private static boolean isSame(Kind<?> kind, String one, String other) {
    var value = kind.read(one);
    return value.isPresent() && value.equals(kind.read(other));
  }
}
