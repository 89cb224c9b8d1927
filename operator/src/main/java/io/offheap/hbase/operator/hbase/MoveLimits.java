package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.RegionServerGroupSpec;
import io.offheap.hbase.operator.api.RegionServersSpec;
import java.util.OptionalInt;

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

  /**
   * Returns those of a cluster; of groups that differ, the least. A group that declares nothing has
   * what the default group has.
   */
  static MoveLimits of(HBaseCluster cluster) {
    var spec = cluster.getSpec();
    int ofDefaultGroup = opened(spec.regionServers()).orElse(OPENED_AT_ONCE);
    int least =
        spec.regionServerGroups().stream()
            .map(RegionServerGroupSpec::servers)
            .flatMapToInt(servers -> opened(servers).stream())
            .reduce(ofDefaultGroup, Math::min);
    return new MoveLimits(spec.rollout().parallelMoves(), least);
  }

  /** Empty where nothing is declared, or what no server starts with. */
  private static OptionalInt opened(RegionServersSpec servers) {
    if (servers == null || servers.config() == null) {
      return OptionalInt.empty();
    }
    try {
      int declared = Integer.parseInt(servers.config().getOrDefault(OPEN_THREADS, "").trim());
      return declared > 0 ? OptionalInt.of(declared) : OptionalInt.empty();
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }
}
