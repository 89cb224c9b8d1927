package io.offheap.hbase.operator.cli;

import java.util.Locale;
import java.util.regex.Pattern;

/** Sizes as {@code java} takes them: {@code 30g}, {@code 512m}, {@code 262144}. */
final class JvmSizes {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([kmgtKMGT]?)");
  private static final String UNITS = "kmgt";

  private JvmSizes() {}

  static boolean isSize(String text) {
    return SIZE.matcher(text).matches();
  }

  /**
   * Bytes of a size.
   *
   * @throws NumberFormatException if it is none
   */
  static long bytes(String text) {
    var match = SIZE.matcher(text);
    if (!match.matches()) {
      throw new NumberFormatException(text + " is no size; 30g would be");
    }
    var unit = match.group(2).toLowerCase(Locale.ROOT);
    long scale = unit.isEmpty() ? 1 : 1L << (10 * (UNITS.indexOf(unit) + 1));
    long number = Long.parseLong(match.group(1));
    if (number > Long.MAX_VALUE / scale) {
      throw new NumberFormatException(text + " is over 8 EiB");
    }
    return number * scale;
  }

  /** The size in the largest unit that keeps it exact. */
  static String text(long bytes) {
    long number = bytes;
    int unit = 0;
    while (number != 0 && number % 1024 == 0 && unit < 3) {
      number /= 1024;
      unit++;
    }
    return number + (unit == 0 ? "" : UNITS.substring(unit - 1, unit));
  }
}
