package io.offheap.hbase.operator.it;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The API server's audit log: what was really asked for and written, by whom.
 *
 * @param file the log
 * @param user whose requests count
 */
record AuditLog(Path file, String user) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> READS = Set.of("get", "list", "watch");

  /** One request, for example {@code patch statefulsets ns/name}. */
  record Request(String verb, String resource, String subresource, String namespace, String name) {}

  /** All writes of the user so far. */
  List<Request> writes() {
    return requests(AuditLog::isWrite).stream().map(AuditLog::request).toList();
  }

  /** All writes of the user that the API server received after this time. */
  List<Request> writesAfter(Instant time) {
    return requests(
            event ->
                isWrite(event)
                    && Instant.parse(event.path("requestReceivedTimestamp").asText()).isAfter(time))
        .stream()
        .map(AuditLog::request)
        .toList();
  }

  /** All requests of the user that it had no right to. */
  List<Request> forbidden() {
    return requests(event -> event.path("responseStatus").path("code").asInt() == 403).stream()
        .map(AuditLog::request)
        .toList();
  }

  /** Writes of the user to objects of a namespace. */
  List<Request> writesIn(String namespace) {
    return writes().stream().filter(write -> write.namespace().equals(namespace)).toList();
  }

  /** Waits until the user has written nothing to a namespace for two seconds. */
  void awaitQuiet(String namespace) {
    await("no more writes")
        .atMost(Duration.ofSeconds(30))
        .during(Duration.ofSeconds(2))
        .until(() -> writesIn(namespace).size(), new Unchanged()::test);
  }

  private static final class Unchanged {
    private int last = -1;

    boolean test(int now) {
      boolean same = now == last;
      last = now;
      return same;
    }
  }

  private List<JsonNode> requests(Predicate<JsonNode> which) {
    try (var lines = Files.lines(file)) {
      return lines
          .filter(line -> line.contains(user))
          .map(AuditLog::parse)
          .filter(event -> event.path("impersonatedUser").path("username").asText().equals(user))
          .filter(which)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isWrite(JsonNode event) {
    return !READS.contains(event.path("verb").asText());
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Request request(JsonNode event) {
    var object = event.path("objectRef");
    return new Request(
        event.path("verb").asText(),
        object.path("resource").asText(),
        object.path("subresource").asText(),
        object.path("namespace").asText(),
        object.path("name").asText());
  }
}
