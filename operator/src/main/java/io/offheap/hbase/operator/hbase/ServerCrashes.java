package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The crashed servers in the master's procedures. The master's list of dead servers does not show
 * whether regions are still being reassigned: a server stays on it after the reassignment until it
 * is started again, and a restarted server leaves it before the reassignment ends.
 *
 * @param unfinished server names of those whose regions are still being reassigned
 * @param finished those whose regions were reassigned, as long as the master keeps the procedure
 */
record ServerCrashes(Set<String> unfinished, Set<String> finished) {
  private static final String PROCEDURE = "ServerCrashProcedure";
  private static final Set<String> ENDED = Set.of("SUCCESS", "ROLLEDBACK");
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Parses the procedures.
   *
   * @param procedures JSON as the master returns it
   * @throws IllegalArgumentException if this is not such JSON
   */
  static ServerCrashes of(String procedures) {
    try {
      var byEnd =
          StreamSupport.stream(JSON.readTree(procedures).spliterator(), false)
              .filter(it -> it.path("className").asText().endsWith(PROCEDURE))
              .collect(
                  Collectors.partitioningBy(
                      it -> ENDED.contains(it.path("state").asText()),
                      Collectors.mapping(ServerCrashes::server, Collectors.toUnmodifiableSet())));
      return new ServerCrashes(byEnd.get(false), byEnd.get(true));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("The master's procedures are no JSON", e);
    }
  }

  private static String server(JsonNode procedure) {
    var server = procedure.path("stateMessage").findPath("serverName");
    return server.path("hostName").asText()
        + ","
        + server.path("port").asText()
        + ","
        + server.path("startCode").asText();
  }
}
