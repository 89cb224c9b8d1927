package io.offheap.hbase.operator.plan;

import java.util.Optional;

/**
 * A key with a value of its type.
 *
 * @param key the key
 * @param value the value, as the process that reads the key parses it
 * @param notation its text, where the key's renderer writes another one: a declared text is passed
 *     on unchanged
 */
public record KeyValue<T>(Key<T> key, T value, Optional<String> notation) {
  /** A value of the plan. A number with digits that HBase's float loses keeps them in its text. */
  static <T> KeyValue<T> of(Key<T> key, T value) {
    var text = key.kind().write(value);
    return noted(key, key.kind().read(text).orElse(value), text);
  }

  /**
   * A text, unchanged. Where it is not of the key's kind, which is possible for keys that the plan
   * does not use, the value is the text itself.
   */
  static KeyValue<?> ofText(Key<?> key, String text) {
    return read(key, text)
        .orElseGet(() -> new KeyValue<>(key.as(Kind.TEXT), text, Optional.empty()));
  }

  private static <T> Optional<KeyValue<?>> read(Key<T> key, String text) {
    return key.kind().read(text).map(value -> noted(key, value, text));
  }

  private static <T> KeyValue<T> noted(Key<T> key, T value, String text) {
    return new KeyValue<>(
        key, value, Optional.of(text).filter(it -> !it.equals(key.kind().write(value))));
  }

  /** The text in a configuration file or on a command line. */
  public String text() {
    return notation.orElseGet(() -> key.kind().write(value));
  }

  /** The value by the key's type; empty where it is a text of another kind. */
  <V> Optional<V> as(Key<V> same) {
    return same.kind().cast(value);
  }
}
