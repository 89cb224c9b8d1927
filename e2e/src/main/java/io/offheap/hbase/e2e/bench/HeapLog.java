package io.offheap.hbase.e2e.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What each pause left free, as G1 logged it in whole mebibytes.
 *
 * @param pauses in their order
 */
record HeapLog(List<Pause> pauses) {
  private static final Pattern PAUSE =
      Pattern.compile(
          "^\\[([\\d.]+)s].*\\[gc *] GC\\(\\d+\\) Pause .* (\\d+)M->(\\d+)M\\(\\d+M\\) [\\d.]+ms$");
  private static final long MIB = 1 << 20;

  /**
   * A pause.
   *
   * @param second of its end, since the JVM began
   */
  record Pause(double second, long freedBytes) {}

  static HeapLog of(Stream<String> lines) {
    var pauses = new ArrayList<Pause>();
    for (String line : (Iterable<String>) lines::iterator) {
      Matcher pause = PAUSE.matcher(line);
      if (pause.find()) {
        pauses.add(
            new Pause(
                Double.parseDouble(pause.group(1)),
                (Long.parseLong(pause.group(2)) - Long.parseLong(pause.group(3))) * MIB));
      }
    }
    return new HeapLog(List.copyOf(pauses));
  }

  /** Returns the bytes that the pauses of a time freed. */
  long freedBytes(double start, double end) {
    return pauses.stream()
        .filter(pause -> pause.second() >= start && pause.second() <= end)
        .mapToLong(Pause::freedBytes)
        .sum();
  }
}
