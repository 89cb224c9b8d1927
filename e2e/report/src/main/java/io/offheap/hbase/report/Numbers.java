package io.offheap.hbase.report;

import java.util.Locale;
import java.util.OptionalDouble;

/** Numbers as the page shows them. */
final class Numbers {
  private static final double LEAST = 0.0001;

  private Numbers() {}

  /** Three digits that count; of less than a ten thousandth, that it is less. */
  static String number(double value) {
    if (value == 0) {
      return "0";
    }
    if (value > 0 && value < LEAST) {
      return "< 0.0001";
    }
    int digits = (int) Math.floor(Math.log10(Math.abs(value))) + 1;
    return String.format(Locale.ROOT, "%,." + Math.max(0, 3 - digits) + "f", value);
  }

  /** Two decimals; nothing where there is none. */
  static String ratio(OptionalDouble ratio) {
    if (ratio.isEmpty()) {
      return "";
    }
    double value = ratio.getAsDouble();
    return Double.isInfinite(value) ? "∞" : String.format(Locale.ROOT, "%.2f", value);
  }
}
