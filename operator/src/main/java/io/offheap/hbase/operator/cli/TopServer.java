package io.offheap.hbase.operator.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.operator.plan.Texts;
import java.util.List;
import java.util.Locale;

/**
 * The newest values of a region server; null where nothing is known of the last five minutes.
 *
 * @param pod its pod
 * @param heapShare share of bytes that its allocator took from the heap, 0 to 1
 * @param pool share of the pool's buffers that are in use, 0 to 1
 * @param hitRatio share of reads that found their block in a cache, 0 to 1
 * @param pauseShare share of the time in which collections stopped it, 0 to 1
 * @param regions regions that it serves
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record TopServer(
    String pod,
    Double heapShare,
    Double pool,
    Double hitRatio,
    Double pauseShare,
    Integer regions) {
  /** Slots of half a minute. */
  private static final int NEWEST = 10;

  private static final int LONGEST = 253;

  static TopServer read(JsonNode server) {
    var regions = newest(server.path("regions"));
    return new TopServer(
        Texts.shown(server.path("pod").asText("-"), LONGEST),
        newest(server.path("heapShare")),
        newest(server.path("pool")),
        newest(server.path("hitRatio")),
        newest(server.path("pauseShare")),
        regions == null ? null : regions.intValue());
  }

  private static Double newest(JsonNode line) {
    for (int i = line.size() - 1; i >= Math.max(0, line.size() - NEWEST); i--) {
      if (line.get(i).isNumber()) {
        return line.get(i).doubleValue();
      }
    }
    return null;
  }

  static String table(List<TopServer> servers) {
    if (servers.isEmpty()) {
      return "no region server has reported since this operator leads\n";
    }
    int width = servers.stream().mapToInt(it -> it.pod().length()).max().orElse(0);
    var row = "%-" + Math.max(width, "REGION SERVER".length()) + "s %12s %9s %11s %9s %9s%n";
    var text = new StringBuilder();
    text.append(
        String.format(
            row, "REGION SERVER", "HEAP SHARE", "POOL", "HIT RATIO", "PAUSES", "REGIONS"));
    for (TopServer it : servers) {
      text.append(
          String.format(
              row,
              it.pod(),
              percent(it.heapShare(), 2),
              percent(it.pool(), 0),
              percent(it.hitRatio(), 1),
              percent(it.pauseShare(), 2),
              it.regions() == null ? "-" : it.regions().toString()));
    }
    return text.toString();
  }

  private static String percent(Double share, int digits) {
    return share == null ? "-" : String.format(Locale.ROOT, "%." + digits + "f %%", 100 * share);
  }
}
