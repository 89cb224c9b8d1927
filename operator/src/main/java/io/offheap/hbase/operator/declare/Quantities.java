package io.offheap.hbase.operator.declare;

import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Converts Kubernetes quantities to numbers; any text is accepted, and an invalid one gives no
 * number.
 */
public final class Quantities {
  /** Characters of the longest text that is parsed; longer numbers take seconds. */
  private static final int LONGEST = 64;

  private Quantities() {}

  /** Bytes or CPUs; empty where the text is no quantity. */
  static Optional<BigDecimal> amount(Quantity quantity) {
    try {
      return quantity.toString().length() > LONGEST
          ? Optional.empty()
          : Optional.of(quantity.getNumericalAmount());
    } catch (ArithmeticException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A whole number of bytes; empty where the text is none, or one of over 63 bits. */
  public static OptionalLong bytes(String text) {
    try {
      return bytes(Quantity.parse(text));
    } catch (IllegalArgumentException e) {
      return OptionalLong.empty();
    }
  }

  /** A whole number of bytes; empty where the text is none, or one of over 63 bits. */
  public static OptionalLong bytes(Quantity quantity) {
    try {
      return amount(quantity).stream().mapToLong(BigDecimal::longValueExact).findFirst();
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /**
   * Whole CPUs, rounded up as the JVM does with a container's limit; empty where the text is no
   * quantity.
   */
  public static OptionalInt cores(Quantity cpus) {
    return amount(cpus).stream()
        .mapToInt(
            it ->
                it.setScale(0, RoundingMode.CEILING)
                    .min(BigDecimal.valueOf(Integer.MAX_VALUE))
                    .max(BigDecimal.valueOf(Integer.MIN_VALUE))
                    .intValueExact())
        .findFirst();
  }
}
