package io.offheap.hbase.e2e.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the JVM logged about its collections.
 *
 * @param desiredSurvivorBytes least desired survivor size: that of the smallest young generation
 * @param ihopBytes occupancy of the heap from which on marking starts
 * @param pauses count of the pauses of each kind
 */
record GcLog(long desiredSurvivorBytes, long ihopBytes, Map<String, Integer> pauses) {
  private static final Pattern SURVIVOR = Pattern.compile("Desired survivor size (\\d+) bytes");
  private static final Pattern IHOP = Pattern.compile("\\[gc,ihop *].*threshold: (\\d+)B");
  private static final Pattern PAUSE =
      Pattern.compile(
          "\\[gc *] GC\\(\\d+\\) Pause (Full|Remark|Cleanup|Young \\([A-Z][a-zA-Z ]*\\))");

  static GcLog read(Path log) throws IOException {
    long survivor = Long.MAX_VALUE;
    long ihop = 0;
    var pauses = new TreeMap<String, Integer>();
    try (Stream<String> lines = Files.lines(log)) {
      for (String line : (Iterable<String>) lines::iterator) {
        survivor = Math.min(survivor, number(SURVIVOR, line, Long.MAX_VALUE));
        ihop = number(IHOP, line, ihop);
        Matcher pause = PAUSE.matcher(line);
        if (pause.find()) {
          pauses.merge(pause.group(1), 1, Integer::sum);
        }
      }
    }
    return new GcLog(survivor, ihop, pauses);
  }

  private static long number(Pattern pattern, String line, long otherwise) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find() ? Long.parseLong(matcher.group(1)) : otherwise;
  }
}
