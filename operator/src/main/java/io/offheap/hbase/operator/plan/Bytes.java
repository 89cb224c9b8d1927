package io.offheap.hbase.operator.plan;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Byte arithmetic, and sizes as text for people and for {@code java}. */
public final class Bytes {
  static final long KIB = 1L << 10;
  public static final long MIB = 1L << 20;
  static final long GIB = 1L << 30;

  /** Sizes that fit a long in bytes, in any unit. */
  private static final Pattern QUANTITY = Pattern.compile("(\\d{1,9})(Ki|Mi|Gi)|(\\d{1,18})");

  private Bytes() {}

  static long roundUp(long bytes, long unit) {
    return Math.multiplyExact((Math.floorDiv(bytes - 1, unit) + 1), unit);
  }

  static long roundDown(long bytes, long unit) {
    return Math.floorDiv(bytes, unit) * unit;
  }

  static long clamp(long bytes, long min, long max) {
    return Math.max(min, Math.min(max, bytes));
  }

  /** Bytes of a size in MiB, truncated as HBase does it. */
  static long ofMib(BigDecimal mib) {
    return mib.multiply(BigDecimal.valueOf(MIB)).longValue();
  }

  /** A Kubernetes quantity in the largest unit that is exact. */
  public static String quantity(long bytes) {
    if (bytes != 0 && bytes % GIB == 0) {
      return bytes / GIB + "Gi";
    }
    if (bytes != 0 && bytes % MIB == 0) {
      return bytes / MIB + "Mi";
    }
    return bytes != 0 && bytes % KIB == 0 ? bytes / KIB + "Ki" : Long.toString(bytes);
  }

  /** The bytes of a text of {@link #quantity}; empty for any other text. */
  static Optional<Long> ofQuantity(String text) {
    var match = QUANTITY.matcher(text);
    if (!match.matches()) {
      return Optional.empty();
    }
    if (match.group(3) != null) {
      return Optional.of(Long.parseLong(text));
    }
    long unit =
        switch (match.group(2)) {
          case "Ki" -> KIB;
          case "Mi" -> MIB;
          default -> GIB;
        };
    return Optional.of(Long.parseLong(match.group(1)) * unit);
  }

  /** A size for {@code java}, in the largest unit that is exact. */
  static String jvm(long bytes) {
    return quantity(bytes).replace("Gi", "g").replace("Mi", "m").replace("Ki", "k");
  }

  /** For people: MiB, exact where whole. */
  public static String mib(long bytes) {
    return bytes % MIB == 0
        ? bytes / MIB + " MiB"
        : String.format(Locale.ROOT, "%.1f MiB", bytes / (double) MIB);
  }
}
