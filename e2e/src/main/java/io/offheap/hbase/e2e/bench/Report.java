package io.offheap.hbase.e2e.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Prints measurements as a table, and the means as one line of JSON. */
final class Report {
  private static final double KB = 1024;
  private static final int ABOVE_LIMIT = 3;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Map<String, List<Measurement>>> measurements = new LinkedHashMap<>();

  Report(List<Measurement> measurements) {
    for (Measurement measurement : measurements) {
      this.measurements
          .computeIfAbsent(measurement.scenario(), name -> new LinkedHashMap<>())
          .computeIfAbsent(measurement.server(), name -> new ArrayList<>())
          .add(measurement);
    }
  }

  /**
   * Arguments: the file with the limits, or nothing between two quotes; for each measurement case,
   * server, files of the snapshots before and after. Exits 3 if one is above its limit.
   */
  public static void main(String[] args) throws IOException {
    var measurements = new ArrayList<Measurement>();
    for (int i = 1; i < args.length; i += 4) {
      var before = JSON.readValue(new File(args[i + 2]), Snapshot.class);
      var after = JSON.readValue(new File(args[i + 3]), Snapshot.class);
      measurements.add(new Measurement(args[i], args[i + 1], after.minus(before)));
    }
    var report = new Report(measurements);
    System.out.print(report.table());
    System.out.println(report.json());
    if (!args[0].isEmpty()) {
      var above = report.above(Limits.read(Path.of(args[0])));
      above.forEach(System.err::println);
      if (!above.isEmpty()) {
        System.exit(ABOVE_LIMIT);
      }
    }
  }

  /** A line for each figure of the patched servers that is above its limit. */
  List<String> above(Limits limits) {
    var above = new ArrayList<String>();
    measurements.forEach(
        (scenario, servers) -> {
          var runs = servers.get("patched");
          if (runs != null) {
            long handlers = Math.round(mean(runs, Measurement::handlerBytesPerGet));
            long process = Math.round(mean(runs, Measurement::processBytesPerGet));
            if (limits.of(scenario, "handlers") == null) {
              above.add(scenario + ": no limit for the bytes of its handlers");
            } else {
              addIfAbove(above, scenario, "handlers", handlers, limits);
            }
            addIfAbove(above, scenario, "process", process, limits);
          }
        });
    return above;
  }

  private static void addIfAbove(
      List<String> above, String scenario, String which, long bytes, Limits limits) {
    var limit = limits.of(scenario, which);
    if (limit != null && bytes > limit) {
      above.add(
          "%s, patched: %d bytes a Get by the %s, limit %d"
              .formatted(scenario, bytes, which, limit));
    }
  }

  String table() {
    var text = new StringBuilder();
    text.append(
        "| Case | Server | Handlers, KB/Get | Least to most | Netty, KB/Get | Process, KB/Get"
            + " | Threads ended | Gets from the bucket cache | Heap's share of buffers | Gets |\n");
    text.append("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    measurements.forEach(
        (scenario, servers) ->
            servers.forEach((server, runs) -> text.append(row(scenario, server, runs))));
    return text.toString();
  }

  private static String row(String scenario, String server, List<Measurement> runs) {
    var handlers = runs.stream().mapToDouble(Measurement::handlerBytesPerGet).summaryStatistics();
    double heapShare = mean(runs, Measurement::heapShare);
    return "| %s | %s | %.2f | %s | %.2f | %.2f | %d | %.1f %% | %s | %d |%n"
        .formatted(
            scenario,
            server,
            handlers.getAverage() / KB,
            runs.size() == 1
                ? ""
                : "%.2f to %.2f".formatted(handlers.getMin() / KB, handlers.getMax() / KB),
            mean(runs, Measurement::nettyBytesPerGet) / KB,
            mean(runs, Measurement::processBytesPerGet) / KB,
            runs.stream().mapToLong(run -> run.used().allocated().ended()).sum(),
            100 * mean(runs, Measurement::hitShare),
            Double.isNaN(heapShare) ? "" : "%.4f %%".formatted(100 * heapShare),
            runs.stream().mapToLong(run -> run.used().gets()).sum());
  }

  private static double mean(List<Measurement> runs, ToDoubleFunction<Measurement> figure) {
    return runs.stream().mapToDouble(figure).average().orElseThrow();
  }

  /** Of each case and server the handlers' bytes for a Get, and those of the whole process. */
  String json() throws JsonProcessingException {
    var document = new LinkedHashMap<String, Object>();
    var process = new LinkedHashMap<String, Map<String, Long>>();
    int runs = 0;
    for (var scenario : measurements.entrySet()) {
      var servers = scenario.getValue();
      document.put(scenario.getKey(), means(servers, Measurement::handlerBytesPerGet));
      process.put(scenario.getKey(), means(servers, Measurement::processBytesPerGet));
      runs = servers.values().iterator().next().size();
    }
    document.put("process", process);
    document.put("runs", runs);
    return JSON.writeValueAsString(document);
  }

  private static Map<String, Long> means(
      Map<String, List<Measurement>> servers, ToDoubleFunction<Measurement> figure) {
    var means = new LinkedHashMap<String, Long>();
    servers.forEach((server, runs) -> means.put(server, Math.round(mean(runs, figure))));
    return means;
  }
}
