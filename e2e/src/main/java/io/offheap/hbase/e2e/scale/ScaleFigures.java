package io.offheap.hbase.e2e.scale;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was measured, with limits, and the report of it. */
final class ScaleFigures {
  private final List<Figure> figures = new ArrayList<>();

  /** A figure, and its limit where it has one. */
  private record Figure(String name, double value, String unit, double limit) {
    boolean isMissed() {
      return value > limit;
    }

    boolean isLimited() {
      return limit != Double.MAX_VALUE;
    }
  }

  /**
   * Adds a figure, and prints it.
   *
   * @param limit the most that passes; {@link Double#MAX_VALUE} for none
   */
  void add(String name, double value, String unit, double limit) {
    figures.add(new Figure(name, value, unit, limit));
    System.err.printf("    %s: %.1f %s%n", name, value, unit);
  }

  /** The same for a count. */
  void add(String name, long value, String unit, double limit) {
    add(name, (double) value, unit, limit);
  }

  /** Writes the report, and returns whether no limit is missed. */
  boolean report(PrintStream out, Path file) throws IOException {
    var lines = new ArrayList<String>();
    lines.add("| Figure | Measured | Limit | |");
    lines.add("| --- | ---: | ---: | --- |");
    for (Figure it : figures) {
      lines.add(
          String.format(
              Locale.ROOT,
              "| %s | %s %s | %s | %s |",
              it.name(),
              number(it.value()),
              it.unit(),
              it.isLimited() ? number(it.limit()) : "",
              it.isMissed() ? "missed" : ""));
    }
    Files.write(file, lines);
    lines.forEach(out::println);
    var limited = figures.stream().filter(Figure::isLimited).toList();
    long missed = limited.stream().filter(Figure::isMissed).count();
    // As e2e/bin/verify counts.
    out.printf("%n%d passed, %d failed, 0 skipped%n", limited.size() - missed, missed);
    return missed == 0;
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString(Math.round(value))
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
