package io.offheap.hbase.e2e.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the operator has requested from the API server, by its audit log. The lease is left out: who
 * leads renews it every two seconds, however many clusters there are.
 */
final class Requests {
  private static final Set<String> READS = Set.of("get", "list", "watch");

  private final Path log;
  private final String user;
  private final ObjectMapper json = new ObjectMapper();
  private final List<Request> all = new ArrayList<>();
  private long read;

  /** A request that has ended. */
  record Request(
      Instant received, String verb, String resource, int status, String namespace, String name) {
    boolean isWrite() {
      return !READS.contains(verb);
    }

    boolean isGet() {
      return verb.equals("get") || verb.equals("list");
    }

    boolean isConflict() {
      return status == 409;
    }
  }

  Requests(Path log, String user) {
    this.log = log;
    this.user = user;
  }

  /** Those that were received since a time. */
  List<Request> since(Instant time) throws IOException {
    readOn();
    return all.stream().filter(it -> !it.received().isBefore(time)).toList();
  }

  /** When the last one was received that is no watch; the time given where there is none since. */
  Instant last(Instant since) throws IOException {
    return since(since).stream()
        .filter(it -> !it.verb().equals("watch"))
        .map(Request::received)
        .max(Instant::compareTo)
        .orElse(since);
  }

  /** Counts by verb, resource and status. */
  static String text(List<Request> requests, Predicate<Request> which) {
    Map<String, Long> counts =
        requests.stream()
            .filter(which)
            .collect(
                Collectors.groupingBy(
                    it -> it.verb() + " " + it.resource() + " " + it.status(),
                    TreeMap::new,
                    Collectors.counting()));
    return counts.entrySet().stream()
        .map(it -> it.getKey() + ": " + it.getValue())
        .collect(Collectors.joining(", "));
  }

  private void readOn() throws IOException {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(read);
      var bytes = new byte[Math.toIntExact(file.length() - read)];
      file.readFully(bytes);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      read += end;
      for (String line : new String(bytes, 0, end, StandardCharsets.UTF_8).split("\n", -1)) {
        if (line.contains(user)) {
          request(line).forEach(all::add);
        }
      }
    }
  }

  private Stream<Request> request(String line) throws IOException {
    JsonNode entry = json.readTree(line);
    var object = entry.path("objectRef");
    var who = entry.has("impersonatedUser") ? "impersonatedUser" : "user";
    if (!entry.path(who).path("username").asText().equals(user)
        || object.path("resource").asText().equals("leases")) {
      return Stream.empty();
    }
    var subresource = object.path("subresource").asText();
    return Stream.of(
        new Request(
            Instant.parse(entry.path("requestReceivedTimestamp").asText()),
            entry.path("verb").asText(),
            object.path("resource").asText() + (subresource.isEmpty() ? "" : "/" + subresource),
            entry.path("responseStatus").path("code").asInt(),
            object.path("namespace").asText(),
            object.path("name").asText()));
  }
}
