package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.PodSource;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.hbase.RegionServerReport;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the {@link Observation} of a cluster from the informers, and from HBase's reports. */
public final class ClusterObserver {
  private ClusterObserver() {}

  /**
   * Observes a cluster.
   *
   * @param declared the declared replicas of each region server group, by its name
   * @param isNew whether this process has just begun to request reports: a server that has not
   *     responded yet counts with its state in status
   * @param access access to HBase
   * @param clock the time
   */
  public static Observation observe(
      ClusterModel model,
      Map<String, Integer> declared,
      boolean isNew,
      HBaseAccess access,
      Clock clock,
      Context<HBaseCluster> context) {
    return new Observation(
        model,
        PodSource.pods(context),
        byKey(context.getSecondaryResources(StatefulSet.class), it -> it.getMetadata().getName()),
        byKey(
            Stream.concat(
                    isNew ? reported(model.cluster()) : Stream.empty(),
                    context.getSecondaryResources(RegionServerReport.class).stream())
                .toList(),
            RegionServerReport::pod),
        StatefulSets.templateHashes(model, context),
        model.roles().stream()
            .collect(Collectors.toMap(RoleModel::name, role -> declared(role, declared))),
        ObservedHBase.of(access, ResourceID.fromResource(model.cluster()), clock));
  }

  /** The reports in status. */
  private static Stream<RegionServerReport> reported(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::regionServers).stream()
        .flatMap(List::stream)
        .filter(it -> it.serverName() != null && it.regions() != null)
        .map(
            it ->
                new RegionServerReport(
                    it.pod(), it.serverName(), it.regions(), 0, OptionalDouble.empty()));
  }

  private static int declared(RoleModel role, Map<String, Integer> groups) {
    return role.role() == Role.REGIONSERVER
        ? groups.getOrDefault(role.group(), role.replicas())
        : role.replicas();
  }

  private static <T> Map<String, T> byKey(Collection<T> items, Function<T, String> key) {
    return items.stream()
        .collect(Collectors.toMap(key, Function.identity(), (first, second) -> second));
  }
}
