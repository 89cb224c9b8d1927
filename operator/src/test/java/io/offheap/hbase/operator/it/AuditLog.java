package io.offheap.hbase.operator.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The API server's audit log: what was really written, by whom.
 *
 * @param file the log
 * @param user whose writes count
 */
record AuditLog(Path file, String user) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** One write, for example {@code patch statefulsets ns/name}. */
  record Write(String verb, String resource, String subresource, String namespace, String name) {}

  /** All writes of the user so far. */
  List<Write> writes() {
    try (var lines = Files.lines(file)) {
      return lines
          .map(AuditLog::parse)
          .filter(event -> event.path("impersonatedUser").path("username").asText().equals(user))
          .map(AuditLog::write)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes of the user to objects of a namespace. */
  List<Write> writesIn(String namespace) {
    return writes().stream().filter(write -> write.namespace().equals(namespace)).toList();
  }

  private static JsonNode parse(String line) {
    try {
      return JSON.readTree(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Write write(JsonNode event) {
    var object = event.path("objectRef");
    return new Write(
        event.path("verb").asText(),
        object.path("resource").asText(),
        object.path("subresource").asText(),
        object.path("namespace").asText(),
        object.path("name").asText());
  }
}
