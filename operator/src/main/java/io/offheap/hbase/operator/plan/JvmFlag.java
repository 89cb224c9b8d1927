package io.offheap.hbase.operator.plan;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One {@code -XX} option of a JVM.
 *
 * @param name HotSpot's name
 * @param type the type of its values
 * @param lock whether it must be unlocked
 * @param least its smallest value, where it is a number
 * @param most its largest value, where it is a number
 */
public record JvmFlag(
    String name, Type type, Lock lock, Optional<BigDecimal> least, Optional<BigDecimal> most) {
  /** Whether another option must unlock it. */
  public enum Lock {
    PRODUCT,
    DIAGNOSTIC,
    EXPERIMENTAL
  }

  /** HotSpot's types. */
  public enum Type {
    SWITCH,
    WHOLE,
    DECIMAL,
    TEXT
  }

  /** A number as a JDK 17 accepts it: neither an exponent nor a point without digits. */
  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,30}(\\.[0-9]{1,30})?");

  private static final int INT = 32;
  private static final int LONG = 64;

  /** A line of the table: name, type, lock, least and most value. */
  static JvmFlag parse(String line) {
    var parts = line.split("\t", -1);
    var name = parts[0];
    var lock = Lock.valueOf(parts[2].toUpperCase(Locale.ROOT));
    return switch (parts[1]) {
      case "bool" -> new JvmFlag(name, Type.SWITCH, lock, Optional.empty(), Optional.empty());
      case "ccstr", "ccstrlist" ->
          new JvmFlag(name, Type.TEXT, lock, Optional.empty(), Optional.empty());
      case "double" -> new JvmFlag(name, Type.DECIMAL, lock, limit(parts[3]), limit(parts[4]));
      case "int" -> whole(name, lock, signed(INT), parts);
      case "intx" -> whole(name, lock, signed(LONG), parts);
      case "uint" -> whole(name, lock, unsigned(INT), parts);
      case "uintx", "size_t", "uint64_t" -> whole(name, lock, unsigned(LONG), parts);
      default -> throw new IllegalArgumentException("no such type of JVM option: " + parts[1]);
    };
  }

  private record Range(BigInteger least, BigInteger most) {}

  private static Range signed(int bits) {
    var end = BigInteger.ONE.shiftLeft(bits - 1);
    return new Range(end.negate(), end.subtract(BigInteger.ONE));
  }

  private static Range unsigned(int bits) {
    return new Range(BigInteger.ZERO, BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE));
  }

  private static JvmFlag whole(String name, Lock lock, Range ofType, String[] parts) {
    return new JvmFlag(
        name,
        Type.WHOLE,
        lock,
        limit(parts[3]).or(() -> Optional.of(new BigDecimal(ofType.least()))),
        limit(parts[4]).or(() -> Optional.of(new BigDecimal(ofType.most()))));
  }

  private static Optional<BigDecimal> limit(String text) {
    return text.isEmpty() ? Optional.empty() : Optional.of(new BigDecimal(text));
  }

  /** Why a JVM refuses a value, and what the value must be; empty where the JVM accepts it. */
  Optional<String> refusal(String value) {
    boolean onOrOff = value.equals("true") || value.equals("false");
    return switch (type) {
      case SWITCH -> onOrOff ? Optional.empty() : Optional.of("is a switch; must be " + example());
      case TEXT ->
          onOrOff ? Optional.of("takes a text; for example " + example()) : Optional.empty();
      case WHOLE -> outside(whole(value), "a whole number");
      case DECIMAL ->
          outside(
              DECIMAL.matcher(value).matches()
                  ? Optional.of(new BigDecimal(value))
                  : Optional.empty(),
              "a number");
    };
  }

  private static Optional<BigDecimal> whole(String value) {
    return value.startsWith("-")
        ? JvmTexts.unsigned(value.substring(1)).map(it -> new BigDecimal(it.negate()))
        : JvmTexts.unsigned(value).map(BigDecimal::new);
  }

  private Optional<String> outside(Optional<BigDecimal> number, String what) {
    if (number.isEmpty()) {
      return Optional.of("takes " + what + range() + "; for example " + example());
    }
    boolean outside =
        least.filter(it -> number.get().compareTo(it) < 0).isPresent()
            || most.filter(it -> number.get().compareTo(it) > 0).isPresent();
    return outside ? Optional.of("is out of range; must be " + what + range()) : Optional.empty();
  }

  /** A double's largest has 309 digits. */
  private String range() {
    return least.map(it -> " from " + shortly(it)).orElse("")
        + most.map(it -> " to " + shortly(it)).orElse("");
  }

  private static String shortly(BigDecimal limit) {
    var plain = limit.stripTrailingZeros();
    return plain.precision() - plain.scale() > 20 ? "1e308" : plain.toPlainString();
  }

  /** How it is written. */
  String example() {
    return switch (type) {
      case SWITCH -> "-XX:+" + name + " or -XX:-" + name;
      case TEXT -> "-XX:" + name + "=text";
      case WHOLE, DECIMAL ->
          "-XX:"
              + name
              + "="
              + least.filter(it -> it.signum() > 0).map(JvmFlag::shortly).orElse("1");
    };
  }
}
