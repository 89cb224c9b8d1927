package io.offheap.hbase.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A pod whose client writes and reads, from its start until it is stopped. */
record LoadPod(Kubectl kubectl, String name) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Its own report, every few seconds.
   *
   * @param at when
   * @param operations operations until then
   * @param slowestMillis the slowest one that ended since the last such line
   * @param bad operations until then that failed or gave what they must not
   */
  record Progress(Instant at, long operations, double slowestMillis, long bad) {
    private static Progress of(JsonNode line) {
      return new Progress(
          Instant.parse(line.required("at").asText()),
          line.required("operations").asLong(),
          Math.max(
              line.required("slowestPutMillis").asDouble(),
              line.required("slowestGetMillis").asDouble()),
          badOf(line));
    }
  }

  /** Operations of a line or a report that failed or gave what they must not. */
  static long badOf(JsonNode line) {
    return line.required("failed").asLong()
        + line.required("wrong").asLong()
        + line.required("stale").asLong()
        + line.required("missing").asLong();
  }

  /** Every line of progress so far. */
  List<Progress> progress() {
    return lines("{\"at\"").stream().map(Progress::of).toList();
  }

  /** No operation so far failed or gave what it must not. */
  void assertNoneBad() {
    assertThat(progress().stream().mapToLong(Progress::bad).max())
        .as("operations that failed or gave what they must not: %s", remarks())
        .hasValue(0);
  }

  /** Operations until now. */
  long operations() {
    return progress().stream().mapToLong(Progress::operations).max().orElse(0);
  }

  /** The slowest operation that ended in the progress lines since a time, in milliseconds. */
  double slowestMillisSince(Instant time) {
    return progress().stream()
        .filter(it -> it.at().isAfter(time))
        .mapToDouble(Progress::slowestMillis)
        .max()
        .orElse(0);
  }

  /** Shows what the load has seen of a step since it began. */
  void show(String step, Instant since) {
    System.out.printf(
        "%s: %d s, slowest operation %.0f ms, %,d operations so far%n",
        step,
        Duration.between(since, Instant.now()).toSeconds(),
        slowestMillisSince(since),
        operations());
  }

  /** Stops the load, shows its report, and fails if an operation or a row was not as it must be. */
  void finishWithNoneBad(Duration within) {
    var report = finish(within);
    System.out.printf("load: %s%n", report);
    remarks().forEach(System.out::println);
    assertThat(badOf(report)).isZero();
    assertThat(report.path("operations").asLong()).isPositive();
  }

  /** Stops the load and returns its report after it has read every row again. */
  JsonNode finish(Duration within) {
    kubectl.output("exec", name, "--", "touch", "/tmp/stop");
    kubectl.output(
        "wait",
        "--for=jsonpath={.status.containerStatuses[0].state.terminated}",
        "pod/" + name,
        "--timeout=" + within.toSeconds() + "s");
    var reports = lines("{\"table\"");
    if (reports.isEmpty()) {
      throw new IllegalStateException("no report of the load:\n" + log());
    }
    return reports.get(reports.size() - 1);
  }

  /** Its other output: slow operations, failures, warnings of HBase's client. */
  List<String> remarks() {
    return log().lines().filter(line -> !line.startsWith("{")).toList();
  }

  private List<JsonNode> lines(String beginning) {
    return log().lines().filter(line -> line.startsWith(beginning)).map(LoadPod::parse).toList();
  }

  private String log() {
    return kubectl.output("logs", name);
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(line, e);
    }
  }
}
