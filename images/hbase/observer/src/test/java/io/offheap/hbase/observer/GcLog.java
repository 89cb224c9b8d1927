package io.offheap.hbase.observer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What HotSpot's own log says of each collection. */
final class GcLog {
  private static final Pattern PAUSE =
      Pattern.compile("GC\\((\\d+)\\) Pause (\\w+)(?: \\(([\\w ]+)\\))?.* ([\\d.]+)ms$");
  private static final Pattern CYCLE =
      Pattern.compile("GC\\((\\d+)\\) Concurrent (?:Mark|Undo) Cycle ([\\d.]+)ms$");
  private static final Pattern AGE =
      Pattern.compile("GC\\((\\d+)\\) - age +(\\d+): +(\\d+) bytes, +\\d+ total$");
  private static final Pattern DESIRED =
      Pattern.compile("GC\\((\\d+)\\) Desired survivor size (\\d+) bytes, new threshold (\\d+) .*");
  private static final Pattern EXHAUSTED =
      Pattern.compile("GC\\((\\d+)\\) (?:To-space exhausted|Evacuation Failure.*)$");
  private static final Pattern REQUEST =
      Pattern.compile(
          "GC\\((\\d+)\\) Request concurrent cycle initiation .*occupancy: (\\d+)B .*"
              + "threshold: (\\d+)B .*source: end of GC");

  /** What is logged of one collection. */
  static final class Logged {
    CollectionKind kind;
    double pauseMillis;
    final Map<Integer, Long> ageBytes = new TreeMap<>();
    long desiredBytes;
    int tenuringThreshold;
    boolean toSpaceExhausted;
    long requestOccupancy;
    long requestThreshold;
  }

  private final Map<Integer, Logged> collections = new TreeMap<>();

  private GcLog() {}

  static GcLog read(Path file) throws IOException {
    var log = new GcLog();
    var pauses = new HashMap<Integer, Double>();
    for (var line : Files.readAllLines(file)) {
      find(PAUSE, line, match -> log.pause(match, pauses));
      find(CYCLE, line, match -> log.of(match).kind = CollectionKind.CONCURRENT_CYCLE);
      find(
          AGE,
          line,
          match -> log.of(match).ageBytes.put(number(match, 2).intValue(), number(match, 3)));
      find(
          DESIRED,
          line,
          match -> {
            log.of(match).desiredBytes = number(match, 2);
            log.of(match).tenuringThreshold = number(match, 3).intValue();
          });
      find(EXHAUSTED, line, match -> log.of(match).toSpaceExhausted = true);
      find(
          REQUEST,
          line,
          match -> {
            log.of(match).requestOccupancy = number(match, 2);
            log.of(match).requestThreshold = number(match, 3);
          });
    }
    pauses.forEach((gcId, millis) -> log.collections.get(gcId).pauseMillis = millis);
    log.collections.values().removeIf(logged -> logged.kind == null);
    return log;
  }

  private void pause(Matcher match, Map<Integer, Double> pauses) {
    pauses.merge(Integer.valueOf(match.group(1)), Double.valueOf(match.group(4)), Double::sum);
    var logged = of(match);
    switch (match.group(2)) {
      case "Full" -> logged.kind = CollectionKind.FULL;
      case "Young" -> {
        var kind = CollectionKind.ofG1Pause(Objects.toString(match.group(3)));
        logged.kind = kind == CollectionKind.OTHER ? CollectionKind.YOUNG : kind;
      }
      // Remark and Cleanup; their cycle has a line of its own.
      default -> {}
    }
  }

  private Logged of(Matcher match) {
    return collections.computeIfAbsent(Integer.valueOf(match.group(1)), gcId -> new Logged());
  }

  private static Long number(Matcher match, int group) {
    return Long.valueOf(match.group(group));
  }

  private static void find(
      Pattern pattern, String line, java.util.function.Consumer<Matcher> action) {
    var matcher = pattern.matcher(line);
    if (matcher.find()) {
      action.accept(matcher);
    }
  }

  /** Those from one gcId on, by gcId. */
  Map<Integer, Logged> from(long gcId) {
    var result = new TreeMap<>(collections);
    result.keySet().removeIf(id -> id < gcId);
    return result;
  }
}
