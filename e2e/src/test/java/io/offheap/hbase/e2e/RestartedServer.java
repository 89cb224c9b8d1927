package io.offheap.hbase.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * A region server's turn, as the status has it.
 *
 * @param cause {@code RESTART}, {@code SCALE_DOWN} or {@code GONE}
 * @param outcome {@code RESTARTED}, {@code SCALED_DOWN} or {@code GAVE_UP}
 * @param regions regions that it had
 */
record RestartedServer(
    String pod,
    String cause,
    String outcome,
    int regions,
    double drainSeconds,
    double stopSeconds,
    double startSeconds,
    double returnSeconds) {

  static RestartedServer of(JsonNode server) {
    return new RestartedServer(
        server.required("pod").asText(),
        server.required("cause").asText(),
        server.required("outcome").asText(),
        server.required("regions").asInt(),
        server.required("drainSeconds").asDouble(),
        server.required("stopSeconds").asDouble(),
        server.required("startSeconds").asDouble(),
        server.required("returnSeconds").asDouble());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "  %-24s %-10s %-11s %2d regions  drain %5.1f s  stop %5.1f s  start %5.1f s  return %5.1f s",
        pod,
        cause,
        outcome,
        regions,
        drainSeconds,
        stopSeconds,
        startSeconds,
        returnSeconds);
  }
}
