package io.offheap.hbase.operator.status;

import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.observe.ObservedServer;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.ServerRestart;
import java.util.List;
import java.util.Optional;

/** The region servers of a cluster in status. */
final class RegionServerStatuses {
  private RegionServerStatuses() {}

  /**
   * All region servers' pods, by group and ordinal.
   *
   * @param rollout the rollout's stored state
   */
  static List<RegionServer> of(Observation observed, Optional<Rollout> rollout) {
    return observed.regionServers().stream().map(it -> regionServer(it, rollout)).toList();
  }

  /** Pods of a cluster of which nothing is applied; null for none, as in status. */
  static List<RegionServer> of(List<ObservedServer> servers) {
    return servers.isEmpty()
        ? null
        : servers.stream().map(it -> regionServer(it, Optional.empty())).toList();
  }

  private static RegionServer regionServer(ObservedServer server, Optional<Rollout> rollout) {
    return new RegionServer(
        server.pod(),
        server.serverName().orElse(null),
        server.planHash().orElse(null),
        server.regions().orElse(null),
        state(server, rollout));
  }

  private static RegionServer.State state(ObservedServer server, Optional<Rollout> rollout) {
    if (server.isStopping()) {
      return RegionServer.State.Stopping;
    }
    if (!server.isReady()) {
      return RegionServer.State.Starting;
    }
    var step = rollout.flatMap(it -> it.restartOf(server.pod())).map(ServerRestart::step);
    if (step.filter(ServerRestart.Step.DRAIN::equals).isPresent()) {
      return RegionServer.State.Draining;
    }
    return server.isOutdated() ? RegionServer.State.Outdated : RegionServer.State.Serving;
  }
}
