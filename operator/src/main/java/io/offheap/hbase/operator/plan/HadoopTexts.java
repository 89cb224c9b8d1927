package io.offheap.hbase.operator.plan;

import java.math.BigDecimal;
import java.util.Optional;

/** Parses texts of properties as Hadoop 3.4's {@code Configuration} does. */
final class HadoopTexts {
  private static final String HEX = "0x";

  private HadoopTexts() {}

  /** Decimal, or hexadecimal after {@code 0x}; a sign precedes both. */
  static Optional<Long> whole(String text) {
    var trimmed = text.trim();
    boolean negative = trimmed.startsWith("-");
    var digits = negative ? trimmed.substring(1) : trimmed;
    try {
      return Optional.of(
          digits.regionMatches(true, 0, HEX, 0, HEX.length())
              ? Long.parseLong((negative ? "-" : "") + digits.substring(HEX.length()), 16)
              : Long.parseLong(trimmed));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * The float that HBase gets, in its shortest decimal digits: {@code 0.45} stays 0.45, and {@code
   * 1e-60} is 0.
   */
  static Optional<BigDecimal> decimal(String text) {
    try {
      float number = Float.parseFloat(text.trim());
      return Float.isFinite(number)
          ? Optional.of(new BigDecimal(Float.toString(number)).stripTrailingZeros())
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  static Optional<Boolean> trueOrFalse(String text) {
    var trimmed = text.trim();
    if (trimmed.equalsIgnoreCase("true")) {
      return Optional.of(true);
    }
    return trimmed.equalsIgnoreCase("false") ? Optional.of(false) : Optional.empty();
  }
}
