package io.offheap.hbase.observer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A {@link GcLoad} that was run in a process of its own.
 *
 * @param metrics what the observer published at the end
 * @param collections what it knew of each collection, by gcId
 * @param log the JVM's own log
 * @param largestRepository bytes that JFR's repository took at most, as measured while it ran
 * @param writtenToRepository bytes of all chunks that were there at any time
 */
record GcRun(
    Map<String, Long> metrics,
    Map<Integer, Seen> collections,
    GcLog log,
    long largestRepository,
    long writtenToRepository) {

  /** One line of {@link GcLoad}'s. */
  record Seen(
      int gcId,
      CollectionKind kind,
      long pauseMicros,
      long desiredBytes,
      long tenuringThreshold,
      List<Long> ageBytes,
      long heapBefore,
      long heapAfter,
      long ihopThreshold,
      long oldBefore,
      boolean evacuationFailed,
      long regionsFreed) {

    static Seen of(String line) {
      var words = line.split(" ", -1);
      List<Long> ages =
          words[5].equals("-")
              ? List.of()
              : List.of(words[5].split(",", -1)).stream().map(Long::valueOf).toList();
      return new Seen(
          Integer.parseInt(words[0]),
          CollectionKind.valueOf(words[1]),
          Long.parseLong(words[2]),
          Long.parseLong(words[3]),
          Long.parseLong(words[4]),
          ages,
          Long.parseLong(words[6]),
          Long.parseLong(words[7]),
          Long.parseLong(words[8]),
          Long.parseLong(words[9]),
          Boolean.parseBoolean(words[10]),
          Long.parseLong(words[11]));
    }
  }

  static GcRun of(Path folder, String load, int collections, String... options)
      throws IOException, InterruptedException {
    var repository = Files.createDirectories(folder.resolve("jfr"));
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.add(
        "-Xlog:gc*=info,gc+age=trace,gc+ihop=debug,gc+ergo*=debug:file="
            + folder.resolve("gc.log")
            + "::filecount=0");
    command.add("-XX:FlightRecorderOptions=maxchunksize=1M,repository=" + repository);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(GcLoad.class.getName(), folder.toString(), load, "" + collections));
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("output").toFile())
            .start();
    var largest = 0L;
    var chunks = new HashMap<Path, Long>();
    try {
      while (!process.waitFor(100, TimeUnit.MILLISECONDS)) {
        var now = sizes(repository);
        largest = Math.max(largest, sum(now));
        now.forEach((chunk, size) -> chunks.merge(chunk, size, Math::max));
      }
    } finally {
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new AssertionError(Files.readString(folder.resolve("output")));
    }
    return new GcRun(
        Files.readAllLines(folder.resolve("metrics")).stream()
            .map(line -> line.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> Long.valueOf(pair[1]))),
        Files.readAllLines(folder.resolve("collections")).stream()
            .map(Seen::of)
            .collect(Collectors.toMap(Seen::gcId, seen -> seen, (a, b) -> b, TreeMap::new)),
        GcLog.read(folder.resolve("gc.log")),
        largest,
        sum(chunks));
  }

  private static Map<Path, Long> sizes(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          // 0 when JFR has deleted it meanwhile.
          .collect(Collectors.toMap(file -> file, file -> file.toFile().length()));
    } catch (UncheckedIOException e) {
      return Map.of();
    }
  }

  private static long sum(Map<Path, Long> sizes) {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }
}
