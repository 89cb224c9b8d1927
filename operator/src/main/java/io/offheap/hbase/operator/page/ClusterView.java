package io.offheap.hbase.operator.page;

import io.fabric8.kubernetes.api.model.Condition;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.reconcile.RecentEvents;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One cluster.
 *
 * @param row its row in the list
 * @param created when its resource was created
 * @param generation generation of the spec
 * @param observedGeneration generation that the status describes; null without a status
 * @param paused whether the cluster is paused
 * @param conditions of the resource
 * @param groups region server groups with a plan
 * @param servers region servers
 * @param rollout the running rollout; null if there is none
 * @param lastRollout the last rollout that has ended; null if there was none
 * @param rolledBack changes that were rolled back
 * @param tuning tuning of each group
 * @param events the operator's events since it began to lead, the newest first
 */
record ClusterView(
    ClusterRow row,
    String created,
    Long generation,
    Long observedGeneration,
    boolean paused,
    List<Condition> conditions,
    List<GroupView> groups,
    List<HBaseClusterStatus.RegionServer> servers,
    RolloutView rollout,
    RolloutView lastRollout,
    List<RolloutStatus.RolledBack> rolledBack,
    List<TuningView> tuning,
    List<RecentEvents.Entry> events) {

  static ClusterView of(
      HBaseCluster cluster, OptionalDouble heapShare, List<RecentEvents.Entry> events) {
    var status = Optional.ofNullable(cluster.getStatus()).orElseGet(HBaseClusterStatus::empty);
    var metadata = cluster.getMetadata();
    var annotations = Objects.requireNonNullElse(metadata.getAnnotations(), Map.of());
    return new ClusterView(
        ClusterRow.of(cluster, heapShare),
        metadata.getCreationTimestamp(),
        metadata.getGeneration(),
        status.observedGeneration(),
        "true".equals(annotations.get(Labels.PAUSED)),
        ClusterState.conditions(status),
        GroupView.of(cluster),
        list(status.regionServers()),
        RolloutView.of(status),
        RolloutView.last(status),
        list(status.rolledBack()),
        TuningView.of(status),
        events);
  }

  private static <T> List<T> list(List<T> maybe) {
    return Objects.requireNonNullElse(maybe, List.of());
  }
}
