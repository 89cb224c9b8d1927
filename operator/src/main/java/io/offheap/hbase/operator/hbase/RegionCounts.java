package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.rollout.HBaseView.Server;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many regions servers have. One that does not tell has as many as it last told, and one that
 * never told as many as the others on average: taken for empty, it would be given their regions.
 */
final class RegionCounts {
  private Map<String, Integer> last = Map.of();

  /**
   * The servers that live with their regions.
   *
   * @param told by server name, of those that tell
   */
  synchronized List<Server> of(List<String> live, Map<String, Integer> told) {
    var known = new HashMap<String, Integer>();
    for (var server : live) {
      var count = told.getOrDefault(server, last.get(server));
      if (count != null) {
        known.put(server, count);
      }
    }
    last = known;
    int mean = (int) Math.ceil(known.values().stream().mapToInt(it -> it).average().orElse(0));
    return live.stream().map(it -> new Server(it, known.getOrDefault(it, mean))).toList();
  }
}
