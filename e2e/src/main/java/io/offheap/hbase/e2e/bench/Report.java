package io.offheap.hbase.e2e.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Prints measurements as a table, and the means as one line of JSON. */
final class Report {
  private static final double KB = 1024;
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

  /** Arguments, for each measurement: case, server, files of the snapshots before and after. */
  public static void main(String[] args) throws IOException {
    var measurements = new ArrayList<Measurement>();
    for (int i = 0; i < args.length; i += 4) {
      var before = JSON.readValue(new File(args[i + 2]), Snapshot.class);
      var after = JSON.readValue(new File(args[i + 3]), Snapshot.class);
      measurements.add(new Measurement(args[i], args[i + 1], after.minus(before)));
    }
    var report = new Report(measurements);
    System.out.print(report.table());
    System.out.println(report.json());
  }

  String table() {
    var text = new StringBuilder();
    text.append(
        "| Case | Server | Handlers, KB/Get | Least to most | Netty, KB/Get | Others, KB/Get"
            + " | Gets from the bucket cache | Heap's share of buffers | Gets |\n");
    text.append("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    measurements.forEach(
        (scenario, servers) ->
            servers.forEach((server, runs) -> text.append(row(scenario, server, runs))));
    return text.toString();
  }

  private static String row(String scenario, String server, List<Measurement> runs) {
    var handlers = runs.stream().mapToDouble(Measurement::handlerBytesPerGet).summaryStatistics();
    double heapShare = mean(runs, Measurement::heapShare);
    return "| %s | %s | %.2f | %s | %.2f | %.2f | %.1f %% | %s | %d |%n"
        .formatted(
            scenario,
            server,
            handlers.getAverage() / KB,
            runs.size() == 1
                ? ""
                : "%.2f to %.2f".formatted(handlers.getMin() / KB, handlers.getMax() / KB),
            mean(runs, Measurement::nettyBytesPerGet) / KB,
            mean(runs, Measurement::otherBytesPerGet) / KB,
            100 * mean(runs, Measurement::hitShare),
            Double.isNaN(heapShare) ? "" : "%.4f %%".formatted(100 * heapShare),
            runs.stream().mapToLong(run -> run.used().gets()).sum());
  }

  private static double mean(List<Measurement> runs, ToDoubleFunction<Measurement> figure) {
    return runs.stream().mapToDouble(figure).average().orElseThrow();
  }

  /** Of each case and server the handlers' bytes for a Get. */
  String json() throws JsonProcessingException {
    var document = new LinkedHashMap<String, Object>();
    int runs = 0;
    for (var scenario : measurements.entrySet()) {
      var servers = new LinkedHashMap<String, Long>();
      scenario
          .getValue()
          .forEach(
              (server, all) ->
                  servers.put(server, Math.round(mean(all, Measurement::handlerBytesPerGet))));
      document.put(scenario.getKey(), servers);
      runs = scenario.getValue().values().iterator().next().size();
    }
    document.put("runs", runs);
    return JSON.writeValueAsString(document);
  }
}
