package io.offheap.hbase.operator.plan;

import static java.util.stream.Collectors.joining;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A sentence, or a part of one, as data: words, names of fields, and values. {@link #text} makes
 * the text on demand: most plans are only compared, and their sentences are never shown.
 */
public sealed interface Sentence {
  /** The text. */
  String text(FieldNames names);

  /** The values in it, in order. */
  Stream<Input> values();

  /** The fields in it, and those that declare its values, in order. */
  Stream<FieldPath> declared();

  /**
   * Words with parts in them.
   *
   * @param words with {@code {}} for each part; without parts they are not parsed, so that a
   *     declared text may have braces
   * @param parts the parts, in order
   */
  record Words(String words, List<Sentence> parts) implements Sentence {
    private static final String PLACE = "{}";

    public Words {
      parts = List.copyOf(parts);
      if (!parts.isEmpty() && places(words) != parts.size()) {
        throw new IllegalArgumentException(
            "'" + words + "' has " + places(words) + " places for " + parts.size() + " parts");
      }
    }

    private static int places(String words) {
      int count = 0;
      for (int at = words.indexOf(PLACE); at >= 0; at = words.indexOf(PLACE, at + PLACE.length())) {
        count++;
      }
      return count;
    }

    @Override
    public String text(FieldNames names) {
      if (parts.isEmpty()) {
        return words;
      }
      var text = new StringBuilder();
      int from = 0;
      for (Sentence part : parts) {
        int place = words.indexOf(PLACE, from);
        text.append(words, from, place).append(part.text(names));
        from = place + PLACE.length();
      }
      return text.append(words, from, words.length()).toString();
    }

    @Override
    public Stream<Input> values() {
      return parts.stream().flatMap(Sentence::values);
    }

    @Override
    public Stream<FieldPath> declared() {
      return parts.stream().flatMap(Sentence::declared);
    }
  }

  /**
   * The name of a field.
   *
   * @param field the field
   */
  record Name(FieldPath field) implements Sentence {
    @Override
    public String text(FieldNames names) {
      return names.of(field);
    }

    @Override
    public Stream<Input> values() {
      return Stream.empty();
    }

    @Override
    public Stream<FieldPath> declared() {
      return Stream.of(field);
    }
  }

  /**
   * A value that a formula uses.
   *
   * @param name name of its key or field, else words
   * @param value a {@link Long}, a {@link BigDecimal} or a {@link String}
   * @param unit of a number
   * @param form how the text shows it
   * @param field the field that declares it, if any
   * @param isLive whether it was read from the running cluster
   */
  record Input(
      String name, Object value, Unit unit, Form form, Optional<FieldPath> field, boolean isLive)
      implements Sentence {
    private Input(String name, Object value, Unit unit, Form form) {
      this(name, value, unit, form, Optional.empty(), false);
    }

    /** A number. */
    static Input number(String name, long value, Unit unit) {
      return new Input(name, value, unit, Form.PLAIN);
    }

    /** Bytes, written as MiB. */
    static Input mib(String name, long bytes) {
      return new Input(name, bytes, Unit.BYTES, Form.MIB);
    }

    /** Bytes, written as a Kubernetes quantity. */
    static Input quantity(String name, long bytes) {
      return new Input(name, bytes, Unit.BYTES, Form.QUANTITY);
    }

    /** A share of the heap, from 0 to 1. */
    static Input share(String name, BigDecimal value) {
      return new Input(name, value, Unit.SHARE_OF_HEAP, Form.PLAIN);
    }

    /** A choice or a name. */
    static Input choice(String name, String value) {
      return new Input(name, value, Unit.NONE, Form.PLAIN);
    }

    /** This input, declared in a field. */
    Input from(FieldPath declaredIn) {
      return new Input(name, value, unit, form, Optional.of(declaredIn), isLive);
    }

    /** This input, read from the running cluster. */
    Input live() {
      return new Input(name, value, unit, form, field, true);
    }

    @Override
    public String text(FieldNames names) {
      if (value instanceof BigDecimal number) {
        return number.toPlainString();
      }
      return switch (form) {
        case PLAIN -> value.toString();
        case MIB -> Bytes.mib((long) value);
        case QUANTITY -> Bytes.quantity((long) value);
      };
    }

    @Override
    public Stream<Input> values() {
      return Stream.of(this);
    }

    @Override
    public Stream<FieldPath> declared() {
      return field.stream();
    }
  }

  /** How a text shows a value. */
  enum Form {
    /** Digits, or the text. */
    PLAIN,
    /** {@code 128 MiB}. */
    MIB,
    /** {@code 30Gi}. */
    QUANTITY
  }

  /** Words with parts in them. */
  static Sentence of(String words, Sentence... parts) {
    return new Words(words, List.of(parts));
  }

  /** The name of a field. */
  static Sentence name(FieldPath field) {
    return new Name(field);
  }

  /** Parts with the same words between them. */
  static Sentence join(String between, List<Sentence> parts) {
    return new Words(parts.stream().map(it -> Words.PLACE).collect(joining(between)), parts);
  }

  /** This sentence followed by another. */
  default Sentence then(Sentence next) {
    return of("{}{}", this, next);
  }

  /** This sentence followed by words. */
  default Sentence then(String next) {
    return then(of(next));
  }

  /** The values in it, each once. */
  default List<Input> inputs() {
    return values().distinct().toList();
  }

  /** The fields in it, and those that declare its values, each once. */
  default List<FieldPath> fields() {
    return declared().distinct().toList();
  }
}
