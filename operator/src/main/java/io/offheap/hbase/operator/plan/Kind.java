package io.offheap.hbase.operator.plan;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Function;

/**
 * A kind of value: the one place where a declared text becomes a value. What a kind reads is what
 * the process that gets the text makes of it, HBase by Hadoop's {@code Configuration} and the JVM
 * by its own parser; every other text is refused.
 *
 * @param name what a text of this kind is, for messages: "a whole number"
 * @param reader the value of a text; empty where it has none
 * @param writer the value as a plan writes it; {@code reader} gives the same value for it
 */
public record Kind<T>(
    String name, Function<String, Optional<T>> reader, Function<T, String> writer) {
  private static final String WHOLE = "a whole number";

  /** What {@code Configuration.getInt} reads. */
  public static final Kind<Long> INT =
      new Kind<>(
          WHOLE,
          text ->
              HadoopTexts.whole(text)
                  .filter(it -> it >= Integer.MIN_VALUE && it <= Integer.MAX_VALUE),
          String::valueOf);

  /** What {@code Configuration.getLong} reads. */
  public static final Kind<Long> LONG = new Kind<>(WHOLE, HadoopTexts::whole, String::valueOf);

  /** What {@code Configuration.getFloat} reads, where it is finite. */
  public static final Kind<BigDecimal> FLOAT =
      new Kind<>("a number", HadoopTexts::decimal, Kind::plain);

  /** What {@code Configuration.getBoolean} reads and does not replace by a default. */
  public static final Kind<Boolean> BOOLEAN =
      new Kind<>("true or false", HadoopTexts::trueOrFalse, String::valueOf);

  /** A name or a list that is compared as it is, but for white space around it. */
  public static final Kind<String> TEXT =
      new Kind<>("a text", text -> Optional.of(text.trim()), Function.identity());

  /** A number of the JVM's, which may have a unit. */
  public static final Kind<Long> JVM_NUMBER = new Kind<>(WHOLE, JvmTexts::number, String::valueOf);

  /** Bytes, written in the largest unit that keeps them exact. */
  public static final Kind<Long> JVM_SIZE = new Kind<>("a size", JvmTexts::number, Bytes::jvm);

  /** Bytes, written as a Kubernetes quantity. */
  public static final Kind<Long> QUANTITY =
      new Kind<>("a quantity", Bytes::ofQuantity, Bytes::quantity);

  /** An option that is on or off. */
  public static final Kind<Boolean> JVM_SWITCH =
      new Kind<>("a switch, -XX:+Name or -XX:-Name", JvmTexts::onOrOff, String::valueOf);

  /** The value of a text; empty where it is none of this kind. */
  public Optional<T> read(String text) {
    return reader.apply(text);
  }

  /** The text of a value. */
  public String write(T value) {
    return writer.apply(value);
  }

  private static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }
}
