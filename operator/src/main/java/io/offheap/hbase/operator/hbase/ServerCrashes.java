package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * What the master's procedures say of servers that crashed. Its list of dead servers does not tell:
 * one whose regions were taken over stays on it until it is started again, and one that is started
 * again leaves it while its regions are still being taken over.
 *
 * @param unfinished server names of those whose regions are still being taken over
 * @param finished those whose regions were taken over a while ago, as far as the master remembers
 */
record ServerCrashes(Set<String> unfinished, Set<String> finished) {
  private static final String PROCEDURE = "ServerCrashProcedure";
  private static final Set<String> ENDED = Set.of("SUCCESS", "ROLLEDBACK");
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads them.
   *
   * @param procedures as the master tells them
   * @throws IllegalArgumentException if this is not what a master tells
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
