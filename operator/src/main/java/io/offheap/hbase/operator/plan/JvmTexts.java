package io.offheap.hbase.operator.plan;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses values of JVM options as a JDK 17 does ({@code Arguments::atojulong}). */
final class JvmTexts {
  private static final Pattern NUMBER =
      Pattern.compile("(?:0[xX]([0-9a-fA-F]{1,100})|([0-9]{1,100}))([kmgtKMGT]?)");

  private static final String UNITS = "kmgt";
  private static final int LARGEST_BITS = 64;

  private JvmTexts() {}

  /** A number without a sign, decimal or hexadecimal, with a unit or none; of at most 64 bits. */
  static Optional<BigInteger> unsigned(String text) {
    var match = NUMBER.matcher(text);
    if (!match.matches()) {
      return Optional.empty();
    }
    var digits =
        match.group(1) == null
            ? new BigInteger(match.group(2))
            : new BigInteger(match.group(1), 16);
    var unit = match.group(3);
    int shift =
        unit.isEmpty() ? 0 : 10 * (UNITS.indexOf(Character.toLowerCase(unit.charAt(0))) + 1);
    return Optional.of(digits.shiftLeft(shift)).filter(it -> it.bitLength() <= LARGEST_BITS);
  }

  /** A number as {@link #unsigned}, of at most 63 bits. */
  static Optional<Long> number(String text) {
    return unsigned(text)
        .filter(it -> it.bitLength() < LARGEST_BITS)
        .map(BigInteger::longValueExact);
  }

  static Optional<Boolean> onOrOff(String text) {
    return switch (text) {
      case "true" -> Optional.of(true);
      case "false" -> Optional.of(false);
      default -> Optional.empty();
    };
  }
}
