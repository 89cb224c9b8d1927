package io.offheap.hbase.report.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the throughput of HBase's PerformanceEvaluation, which has it in its log alone. */
public final class EvaluationSweep {
  private static final ObjectMapper JSON = new ObjectMapper();
  // Milliseconds of each thread.
  private static final Pattern TIMINGS =
      Pattern.compile("] Summary of timings \\(ms\\): \\[([\\d, ]+)]$");
  private static final Pattern COMMA = Pattern.compile(", ");

  private EvaluationSweep() {}

  /**
   * Adds the phases of a sweep to the results of a load.
   *
   * <p>Arguments: the file of the results, and for each number of threads {@code
   * THREADS:OPERATIONS:LOG}, with the operations of one thread.
   */
  public static void main(String[] args) throws IOException {
    var file = Path.of(args[0]).toFile();
    var results = (ObjectNode) JSON.readTree(file);
    var sweep = results.putObject("sweep");
    for (String step : List.of(args).subList(1, args.length)) {
      var parts = step.split(":", 3);
      try (var log = Files.lines(Path.of(parts[2]))) {
        sweep.set(
            parts[0],
            JSON.valueToTree(phase(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), log)));
      }
    }
    JSON.writeValue(file, results);
  }

  /**
   * Returns what the threads did. As in the blog post of HBASE-11425, each thread has its own time,
   * and the throughput is the sum of theirs: those that end early do not wait for the others.
   *
   * @throws IOException if the log has not one time for each thread
   */
  static Load.Phase phase(int threads, int operations, Stream<String> log) throws IOException {
    var timings =
        log.map(TIMINGS::matcher)
            .filter(it -> it.find())
            .map(it -> COMMA.splitAsStream(it.group(1)).mapToDouble(Double::parseDouble).toArray())
            .findFirst()
            .orElseThrow(() -> new IOException("no summary of timings"));
    if (timings.length != threads || Arrays.stream(timings).anyMatch(millis -> millis <= 0)) {
      throw new IOException(
          "no time of each of %d threads: %s".formatted(threads, Arrays.toString(timings)));
    }
    double perSecond = Arrays.stream(timings).map(millis -> operations * 1e3 / millis).sum();
    long all = (long) threads * operations;
    return new Load.Phase(all, all / perSecond);
  }
}
