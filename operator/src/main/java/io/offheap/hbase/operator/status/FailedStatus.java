package io.offheap.hbase.operator.status;

import static io.offheap.hbase.operator.status.ConditionType.Progressing;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.observe.ObservedServer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The status of a failed reconciliation. */
public final class FailedStatus {
  private FailedStatus() {}

  /** Whether status reports a failure already. */
  public static boolean isReported(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::conditions).stream()
        .flatMap(List::stream)
        .anyMatch(
            it ->
                it.getType().equals(Progressing.name())
                    && it.getReason().equals(Reason.Failing.name()));
  }

  /** Whether a status has a region server that has served. */
  public static boolean showsServing(HBaseClusterStatus status) {
    return Optional.ofNullable(status.regionServers()).stream()
        .flatMap(List::stream)
        .anyMatch(it -> it.state() != HBaseClusterStatus.RegionServer.State.Starting);
  }

  /** A copy of a status with the region servers of a cluster of which nothing is applied. */
  public static HBaseClusterStatus showing(
      HBaseClusterStatus before, List<ObservedServer> servers) {
    return before.toBuilder().regionServers(RegionServerStatuses.of(servers)).build();
  }

  /**
   * A copy of a status whose condition {@code Progressing} reports the failure.
   *
   * @param message the failure
   */
  public static HBaseClusterStatus of(
      HBaseCluster cluster, HBaseClusterStatus before, String message, Clock clock) {
    var failing =
        new Conditions(cluster, clock).add(Progressing, true, Reason.Failing, message).list();
    var conditions =
        new ArrayList<>(
            before.conditions().stream()
                .filter(it -> !it.getType().equals(Progressing.name()))
                .toList());
    conditions.addAll(failing);
    return before.withConditions(List.copyOf(conditions));
  }
}
