package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.RegionServerGroupSpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * How many regions of a cluster are moved at once.
 *
 * @param atOnce in all
 * @param toOneServer to one region server: what it opens at once. A region that waits there for its
 *     turn is closed meanwhile, and its clients wait with it
 */
record MoveLimits(int atOnce, int toOneServer) {
  private static final String OPEN_THREADS = "hbase.regionserver.executor.openregion.threads";

  /** HBase's default of it. */
  private static final int OPENED_AT_ONCE = 3;

  /** Returns those of a cluster; of groups that differ, the least. */
  static MoveLimits of(HBaseCluster cluster) {
    var spec = cluster.getSpec();
    var opened =
        Stream.concat(
                Stream.of(spec.regionServers()),
                spec.regionServerGroups().stream().map(RegionServerGroupSpec::servers))
            .filter(Objects::nonNull)
            .map(RegionServersSpec::config)
            .filter(Objects::nonNull)
            .map(MoveLimits::opened)
            .filter(it -> it > 0)
            .min(Integer::compare);
    return new MoveLimits(spec.rollout().parallelMoves(), opened.orElse(OPENED_AT_ONCE));
  }

  /** 0 where nothing is declared, or what no server starts with. */
  private static int opened(Map<String, String> config) {
    try {
      return Integer.parseInt(config.getOrDefault(OPEN_THREADS, "0").trim());
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
