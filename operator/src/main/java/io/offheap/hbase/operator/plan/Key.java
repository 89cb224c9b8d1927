package io.offheap.hbase.operator.plan;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A property of HBase or an option of its JVM, independent of its value. {@link Keys} has all of
 * them.
 *
 * @param target where it is applied
 * @param name HBase's, HotSpot's or Kubernetes' own name
 * @param kind its type, with the parser and the renderer of its values
 * @param unit of a plain number
 * @param ownDefault the default of HBase or the JVM, as text; empty where there is none or it is
 *     unknown
 * @param online the texts that a running region server applies; none for a key that is read at the
 *     start only
 * @param source what reads it: HBase, HDFS, HotSpot or a library, and the class or the file
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
   * Values that a default may depend on.
   *
   * @param cores CPUs of the process
   * @param heapBytes the heap
   * @param offHeapBytes the budget of direct memory
   * @param limitBytes memory that the process may take, where limited
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

  /** This key, of another kind and without a default. */
  <V> Key<V> as(Kind<V> other) {
    return new Key<>(target, name, other, unit, context -> Optional.empty(), online, source);
  }

  /** This key with a unit. */
  Key<T> in(Unit itsUnit) {
    return new Key<>(target, name, kind, itsUnit, ownDefault, online, source);
  }

  /** This key with a constant default. */
  Key<T> byDefault(T value) {
    return byDefault(new Constant(kind.write(value)));
  }

  /** A default that depends on no other value. */
  private record Constant(String text) implements Function<Context, Optional<String>> {
    @Override
    public Optional<String> apply(Context context) {
      return Optional.of(text);
    }
  }

  /**
   * The default of HBase or the JVM, for a key whose default depends on no other value.
   *
   * @throws IllegalStateException if the default depends on other values, or there is none
   */
  public T constantDefault() {
    if (ownDefault instanceof Constant constant) {
      return kind.read(constant.text()).orElseThrow();
    }
    throw new IllegalStateException(name + " has no constant default");
  }

  /** This key with a default that depends on other values. */
  Key<T> byDefault(Function<Context, Optional<String>> itsDefault) {
    return new Key<>(target, name, kind, unit, itsDefault, online, source);
  }

  /** This key with texts that a running region server applies. */
  Key<T> online(Predicate<String> texts) {
    return new Key<>(target, name, kind, unit, ownDefault, texts, source);
  }

  /** Whether it is the key of this name at this target. */
  public boolean is(Target other, String otherName) {
    return target == other && name.equals(otherName);
  }

  /** Keys are equal where name and target are. */
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
