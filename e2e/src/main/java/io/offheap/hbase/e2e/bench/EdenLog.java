package io.offheap.hbase.e2e.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How full eden was before each collection, as G1 logged it.
 *
 * @param points in their order
 */
record EdenLog(List<Point> points) {
  private static final Pattern REGION = Pattern.compile("Heap Region Size: (\\d+)M");
  private static final Pattern EDEN =
      Pattern.compile("^\\[([\\d.]+)s].*\\[gc,heap *] GC\\(\\d+\\) Eden regions: (\\d+)->");

  /**
   * Eden at a moment.
   *
   * @param second since the JVM began
   */
  record Point(double second, double mib) {}

  static EdenLog of(Stream<String> lines) {
    var points = new ArrayList<Point>();
    long regionMib = 0;
    for (String line : (Iterable<String>) lines::iterator) {
      Matcher region = REGION.matcher(line);
      if (region.find()) {
        regionMib = Long.parseLong(region.group(1));
      }
      Matcher eden = EDEN.matcher(line);
      if (eden.find()) {
        points.add(
            new Point(
                Double.parseDouble(eden.group(1)), regionMib * Double.parseDouble(eden.group(2))));
      }
    }
    return new EdenLog(List.copyOf(points));
  }

  /** Returns those of a time, which counts from its start. */
  EdenLog between(double start, double end) {
    return new EdenLog(
        points.stream()
            .filter(point -> point.second() >= start && point.second() <= end)
            .map(point -> new Point(point.second() - start, point.mib()))
            .toList());
  }
}
