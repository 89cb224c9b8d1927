package io.offheap.hbase.e2e.bench;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.e2e.measure.GcLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What a region server used for the operations of a load, and how long these took.
 *
 * @param figures by the names that the report's {@code Figure} has
 * @param sweep operations a second by number of threads; null where the load had none
 * @param eden occupied eden before each collection, from the start of the load on
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Figures(Map<String, Double> figures, Map<Integer, Double> sweep, List<EdenLog.Point> eden) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> LATENCIES =
      List.of(
          "p50Millis",
          "p95Millis",
          "p99Millis",
          "p999Millis",
          "updateP99Millis",
          "updateP999Millis");
  private static final double MIB = 1 << 20;
  private static final double GIB = 1 << 30;

  /**
   * Prints them as JSON. Arguments: the server's state before the load, between its phases and
   * after it, its log, and the load's results.
   */
  public static void main(String[] args) throws IOException {
    try (var log = Files.lines(Path.of(args[3]))) {
      System.out.println(
          JSON.writeValueAsString(
              of(
                  JSON.readValue(Path.of(args[0]).toFile(), ServerState.class),
                  JSON.readValue(Path.of(args[1]).toFile(), ServerState.class),
                  JSON.readValue(Path.of(args[2]).toFile(), ServerState.class),
                  log.toList(),
                  JSON.readTree(Path.of(args[4]).toFile()))));
    }
  }

  /**
   * Computes them. A server that is faster does more in the phase without a rate, so what is by the
   * time is of the phase at the fixed rate alone: the share of pauses, the calls' times. The CPU of
   * an operation is of the time after it: a server that waits is busy with compilers and timers.
   *
   * @param between the state after the phase at the fixed rate
   * @throws IOException if the load's results lack a number
   */
  static Figures of(
      ServerState before, ServerState between, ServerState after, List<String> log, JsonNode load)
      throws IOException {
    var used = after.counters().minus(before.counters());
    var full = load.path("full");
    double rateOperations = number(load.path("rate"), "operations");
    double operations = rateOperations + number(full, "operations");
    for (JsonNode step : load.path("sweep")) {
      operations += number(step, "operations");
    }
    double allocated = used.allocated().process();
    var pauses = pauses(log, before, after);
    var ratePauses = pauses(log, before, between);
    double pauseSeconds = seconds(pauses);
    double buffers = used.allocatorHeapBytes() + used.allocatorPoolBytes();
    var figures = new LinkedHashMap<String, Double>();
    figures.put("heapBytesPerOperation", allocated / operations);
    figures.put("endedThreads", (double) used.allocated().ended());
    figures.put("unseenHeapPercent", unseenHeapPercent(before, after, log));
    figures.put("pauseSecondsPerGib", pauseSeconds / (allocated / GIB));
    figures.put("pauseSecondsPerMillion", pauseSeconds / (operations / 1e6));
    figures.put("collectionsPerMillion", pauses.size() / (operations / 1e6));
    figures.put(
        "pausePercent",
        100 * seconds(ratePauses) / (between.uptimeSeconds() - before.uptimeSeconds()));
    figures.put(
        "longestPauseMillis", pauses.stream().mapToDouble(GcLog.Pause::millis).max().orElse(0));
    figures.put("collections", (double) pauses.size());
    figures.put("rateCollections", (double) ratePauses.size());
    figures.put(
        "mixedPerMillion",
        pauses.stream().filter(GcLog.Pause::isMixed).count() / (operations / 1e6));
    figures.put("oldGrowthMib", (after.oldBytes() - before.oldBytes()) / MIB);
    if (buffers > 0) {
      figures.put("allocatorHeapShare", used.allocatorHeapBytes() / buffers);
    }
    figures.put(
        "cpuMicrosPerOperation",
        (after.cpuSeconds() - between.cpuSeconds()) * 1e6 / (operations - rateOperations));
    figures.put(
        "rateCpuMicrosPerOperation",
        (between.cpuSeconds() - before.cpuSeconds()) * 1e6 / rateOperations);
    for (var percentile : LATENCIES) {
      // One with too few operations beyond it is left out.
      if (load.path("latencies").path(percentile).isNumber()) {
        figures.put(percentile, number(load.path("latencies"), percentile));
      }
    }
    figures.put("serverP99Millis", between.callP99Millis());
    figures.put("rateReached", number(load, "rateReached"));
    figures.put("operationsPerSecond", number(full, "operations") / number(full, "seconds"));
    figures.put("peakResidentMib", after.peakResidentBytes() / MIB);
    figures.put("outOfMemory", 0.0);
    hitShare(before, after).ifPresent(share -> figures.put("hitShare", share));
    return new Figures(
        figures,
        sweep(load.path("sweep")),
        EdenLog.of(log.stream()).between(before.uptimeSeconds(), after.uptimeSeconds()).points());
  }

  private static List<GcLog.Pause> pauses(List<String> log, ServerState from, ServerState to) {
    return GcLog.of(log.stream()).pauses().stream()
        .filter(
            pause ->
                pause.endSeconds() >= from.uptimeSeconds()
                    && pause.endSeconds() <= to.uptimeSeconds())
        .toList();
  }

  private static double seconds(List<GcLog.Pause> pauses) {
    return pauses.stream().mapToDouble(GcLog.Pause::millis).sum() / 1e3;
  }

  /** Empty where no data block was looked up, as without a cache. */
  private static OptionalDouble hitShare(ServerState before, ServerState after) {
    double hits = after.dataHits() - before.dataHits();
    double misses = after.dataMisses() - before.dataMisses();
    var used = after.counters().minus(before.counters());
    if (used.l2Hits() + used.l2Misses() > 0) {
      // A reader looks a second time, with a lock, before it reads a block. HBase's combined cache
      // counts that as another miss; LruBlockCache does not.
      misses /= 2;
    }
    return hits + misses > 0 ? OptionalDouble.of(hits / (hits + misses)) : OptionalDouble.empty();
  }

  /**
   * What the heap's own use has above the sum of the threads: threads that ended. The log and the
   * heap's use have the precision of a mebibyte and of a region.
   */
  private static double unseenHeapPercent(ServerState before, ServerState after, List<String> log) {
    long freed = HeapLog.of(log.stream()).freedBytes(before.uptimeSeconds(), after.uptimeSeconds());
    double byHeap = freed + after.heapUsedBytes() - before.heapUsedBytes();
    long byThreads = after.counters().minus(before.counters()).allocated().all();
    return byHeap > 0 ? 100 * (byHeap - byThreads) / byHeap : 0;
  }

  private static Map<Integer, Double> sweep(JsonNode steps) throws IOException {
    if (!steps.isObject() || steps.isEmpty()) {
      return null;
    }
    var sweep = new TreeMap<Integer, Double>();
    for (var step : steps.properties()) {
      sweep.put(
          Integer.parseInt(step.getKey()),
          number(step.getValue(), "operations") / number(step.getValue(), "seconds"));
    }
    return sweep;
  }

  private static double number(JsonNode node, String name) throws IOException {
    if (!node.path(name).isNumber()) {
      throw new IOException("no number " + name + " in " + node);
    }
    return node.path(name).asDouble();
  }
}
