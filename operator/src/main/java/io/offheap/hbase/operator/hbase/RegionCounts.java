package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.rollout.HBaseView.Server;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Region counts of servers. A server that does not report its count keeps its last one; one that
 * never reported gets the average of the others: with a count of 0, the operator would move regions
 * to it.
 */
final class RegionCounts {
  private Map<String, Integer> last = Map.of();

  /**
   * The live servers with their region counts.
   *
   * @param reported by server name, of servers that report
   */
  synchronized List<Server> of(List<String> live, Map<String, Integer> reported) {
    var known = new HashMap<String, Integer>();
    for (var server : live) {
      var count = reported.getOrDefault(server, last.get(server));
      if (count != null) {
        known.put(server, count);
      }
    }
    last = known;
    int mean = (int) Math.ceil(known.values().stream().mapToInt(it -> it).average().orElse(0));
    return live.stream().map(it -> new Server(it, known.getOrDefault(it, mean))).toList();
  }
}
