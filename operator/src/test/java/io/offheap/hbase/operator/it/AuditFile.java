package io.offheap.hbase.operator.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The requests of service accounts in an API server's audit log. Each line is read once: the file
 * grows all the time, and many tests poll it.
 */
final class AuditFile {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String IMPERSONATED = "\"impersonatedUser\"";

  private final Path path;
  private final Map<String, List<Entry>> byUser = new HashMap<>();
  private long bytesRead;

  AuditFile(Path path) {
    this.path = path;
  }

  /**
   * A request with a response.
   *
   * @param received when it was received
   * @param code HTTP status of the response
   */
  record Entry(AuditLog.Request request, Instant received, int code) {}

  /** All requests of a user so far. */
  synchronized List<Entry> of(String user) {
    readOn();
    return List.copyOf(byUser.getOrDefault(user, List.of()));
  }

  private void readOn() {
    try (var file = Files.newInputStream(path)) {
      file.skipNBytes(bytesRead);
      var bytes = file.readAllBytes();
      int length = bytes.length;
      // The last line may be incomplete.
      while (length > 0 && bytes[length - 1] != '\n') {
        length--;
      }
      var lines = new String(bytes, 0, length, UTF_8).lines();
      for (String line : lines.filter(it -> it.contains(IMPERSONATED)).toList()) {
        take(JSON.readTree(line));
      }
      bytesRead += length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void take(JsonNode event) {
    byUser
        .computeIfAbsent(
            event.path("impersonatedUser").path("username").asText(), user -> new ArrayList<>())
        .add(
            new Entry(
                request(event),
                Instant.parse(event.path("requestReceivedTimestamp").asText()),
                event.path("responseStatus").path("code").asInt()));
  }

  private static AuditLog.Request request(JsonNode event) {
    var object = event.path("objectRef");
    return new AuditLog.Request(
        event.path("verb").asText(),
        object.path("resource").asText(),
        object.path("subresource").asText(),
        object.path("namespace").asText(),
        object.path("name").asText());
  }
}
