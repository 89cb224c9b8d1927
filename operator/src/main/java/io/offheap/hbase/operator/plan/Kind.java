package io.offheap.hbase.operator.plan;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of value, with its parser. It parses a text as the process does that gets the text: HBase
 * with Hadoop's {@code Configuration}, and the JVM. Every other text is refused.
 *
 * @param type the type of its values
 * @param name the kind in messages: "a whole number"
 * @param reader the value of a text; empty where it has none
 * @param writer the value as a plan writes it; {@code reader} gives the same value for it
 */
public record Kind<T>(
    Class<T> type, String name, Function<String, Optional<T>> reader, Function<T, String> writer) {
  private static final String WHOLE = "a whole number";

  /** As {@code Configuration.getInt} parses it. */
  public static final Kind<Long> INT =
      new Kind<>(
          Long.class,
          WHOLE,
          text ->
              HadoopTexts.whole(text)
                  .filter(it -> it >= Integer.MIN_VALUE && it <= Integer.MAX_VALUE),
          String::valueOf);

  /** As {@code Configuration.getLong} parses it. */
  public static final Kind<Long> LONG =
      new Kind<>(Long.class, WHOLE, HadoopTexts::whole, String::valueOf);

  /** As {@code Configuration.getFloat} parses it; must be finite. */
  public static final Kind<BigDecimal> FLOAT =
      new Kind<>(BigDecimal.class, "a number", HadoopTexts::decimal, Kind::plain);

  /**
   * As {@code Configuration.getBoolean} parses it; a text for which it uses the default is refused.
   */
  public static final Kind<Boolean> BOOLEAN =
      new Kind<>(Boolean.class, "true or false", HadoopTexts::trueOrFalse, String::valueOf);

  /** A name or a list, compared without white space around it. */
  public static final Kind<String> TEXT =
      new Kind<>(String.class, "a text", text -> Optional.of(text.trim()), Function.identity());

  /** A number of the JVM, which may have a unit. */
  public static final Kind<Long> JVM_NUMBER =
      new Kind<>(Long.class, WHOLE, JvmTexts::number, String::valueOf);

  /** Bytes, written in the largest unit that keeps them exact. */
  public static final Kind<Long> JVM_SIZE =
      new Kind<>(Long.class, "a size", JvmTexts::number, Bytes::jvm);

  /** Bytes, written as a Kubernetes quantity. */
  public static final Kind<Long> QUANTITY =
      new Kind<>(Long.class, "a quantity", Bytes::ofQuantity, Bytes::quantity);

  /** An option that is on or off. */
  public static final Kind<Boolean> JVM_SWITCH =
      new Kind<>(
          Boolean.class, "a switch, -XX:+Name or -XX:-Name", JvmTexts::onOrOff, String::valueOf);

  /** The value of a text; empty where the text is not of this kind. */
  public Optional<T> read(String text) {
    return reader.apply(text);
  }

  /** A value, if it is of this kind's type. */
  Optional<T> cast(Object value) {
    return Optional.of(value).filter(type::isInstance).map(type::cast);
  }

  /** The text of a value. */
  public String write(T value) {
    return writer.apply(value);
  }

  private static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }
}
