package io.offheap.hbase.e2e.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the JVM logged about its collections.
 *
 * @param desiredSurvivorBytes least desired survivor size: that of the smallest young generation
 * @param ihopBytes occupancy of the heap from which on marking starts
 * @param pauses in their order
 */
public record GcLog(long desiredSurvivorBytes, long ihopBytes, List<Pause> pauses) {
  private static final Pattern SURVIVOR = Pattern.compile("Desired survivor size (\\d+) bytes");
  private static final Pattern IHOP = Pattern.compile("\\[gc,ihop *].*threshold: (\\d+)B");
  private static final Pattern PAUSE =
      Pattern.compile(
          "^\\[([\\d.]+)s].*\\[gc *] GC\\(\\d+\\) Pause (Full|Remark|Cleanup|Young \\([A-Z][a-zA-Z"
              + " ]*\\)).* ([\\d.]+)ms$");

  /**
   * A pause.
   *
   * @param endSeconds its end, since the start of the process
   * @param kind such as {@code Young (Mixed)}
   * @param millis how long it was
   */
  public record Pause(double endSeconds, String kind, double millis) {
    public boolean isMixed() {
      return kind.equals("Young (Mixed)");
    }
  }

  static GcLog read(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return of(lines);
    }
  }

  /** Reads the lines of a log, among which there may be others. */
  public static GcLog of(Stream<String> lines) {
    long survivor = Long.MAX_VALUE;
    long ihop = 0;
    var pauses = new ArrayList<Pause>();
    for (String line : (Iterable<String>) lines::iterator) {
      survivor = Math.min(survivor, number(SURVIVOR, line, Long.MAX_VALUE));
      ihop = number(IHOP, line, ihop);
      Matcher pause = PAUSE.matcher(line);
      if (pause.find()) {
        pauses.add(
            new Pause(
                Double.parseDouble(pause.group(1)),
                pause.group(2),
                Double.parseDouble(pause.group(3))));
      }
    }
    return new GcLog(survivor, ihop, List.copyOf(pauses));
  }

  private static long number(Pattern pattern, String line, long otherwise) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : otherwise;
  }

  /** Count of the pauses of each kind. */
  public Map<String, Integer> counts() {
    var counts = new TreeMap<String, Integer>();
    pauses.forEach(it -> counts.merge(it.kind(), 1, Integer::sum));
    return counts;
  }

  /** From the end of a mixed collection to the start of the next one, with no other between. */
  public OptionalDouble meanMixedGapMillis() {
    var gaps = new ArrayList<Double>();
    for (int i = 1; i < pauses.size(); i++) {
      var pause = pauses.get(i);
      if (pause.isMixed() && pauses.get(i - 1).isMixed()) {
        gaps.add(1000 * (pause.endSeconds() - pauses.get(i - 1).endSeconds()) - pause.millis());
      }
    }
    return gaps.stream().mapToDouble(it -> it).average();
  }
}
