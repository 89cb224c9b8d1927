package io.offheap.hbase.operator.plan;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A property of HBase or an option of its JVM: everything that is known of it, whatever its value.
 * {@link Keys} has all of them.
 *
 * @param target where it takes effect
 * @param name HBase's, HotSpot's or Kubernetes' own name
 * @param kind its type, with the parser and the renderer of its values
 * @param unit of a plain number
 * @param ownDefault what HBase or the JVM takes where nothing sets it, as text; empty where there
 *     is none, or where it is not known
 * @param online the texts that a running region server takes over; none for a key that is read at
 *     the start only
 * @param source the class or the file that reads it
 */
public record Key<T>(
    Target target,
    String name,
    Kind<T> kind,
    Unit unit,
    Function<Context, Optional<String>> ownDefault,
    Predicate<String> online,
    String source) {
  /**
   * What a default may depend on.
   *
   * @param cores CPUs of the process
   * @param heapBytes the heap
   * @param offHeapBytes the budget of direct memory
   * @param limitBytes memory that the process may take, where known
   * @param effective values of other keys, set or default, by name
   */
  public record Context(
      int cores,
      long heapBytes,
      long offHeapBytes,
      OptionalLong limitBytes,
      Function<String, Optional<String>> effective) {
    /** The text of another key, set or default. */
    Optional<String> text(Key<?> key) {
      return effective.apply(key.name());
    }

    /** The value of another key, set or default; empty where its text has none. */
    <V> Optional<V> value(Key<V> key) {
      return text(key).flatMap(key.kind()::read);
    }
  }

  static <T> Key<T> of(Target target, String name, Kind<T> kind, String source) {
    return new Key<>(
        target, name, kind, Unit.NONE, context -> Optional.empty(), text -> false, source);
  }

  /** The same, of numbers in a unit. */
  Key<T> in(Unit itsUnit) {
    return new Key<>(target, name, kind, itsUnit, ownDefault, online, source);
  }

  /** The same with a default that depends on nothing. */
  Key<T> byDefault(T value) {
    return byDefault(context -> Optional.of(kind.write(value)));
  }

  /** The same with a default that depends on others. */
  Key<T> byDefault(Function<Context, Optional<String>> itsDefault) {
    return new Key<>(target, name, kind, unit, itsDefault, online, source);
  }

  /** The same with texts that a running region server takes over. */
  Key<T> online(Predicate<String> texts) {
    return new Key<>(target, name, kind, unit, ownDefault, texts, source);
  }

  /** Whether it is the key of this name at this target. */
  public boolean is(Target other, String otherName) {
    return target == other && name.equals(otherName);
  }

  /** A key is its name at its target; the rest is what is known of it. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Key<?> key && is(key.target, key.name);
  }

  @Override
  public int hashCode() {
    return Objects.hash(target, name);
  }

  @Override
  public String toString() {
    return name;
  }
}
