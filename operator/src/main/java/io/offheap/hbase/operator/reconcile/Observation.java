package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus.RegionServer;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.hbase.RegionServerReport;
import io.offheap.hbase.operator.rollout.PodState;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a pass sees of a cluster's pods.
 *
 * @param model what the cluster should be
 * @param pods all pods of the cluster
 * @param statefulSets StatefulSets by name
 * @param reports what region servers say of themselves, by pod
 * @param templateHashes hash of the template that pods get now, by name of the StatefulSet
 */
record Observation(
    ClusterModel model,
    List<Pod> pods,
    Map<String, StatefulSet> statefulSets,
    Map<String, RegionServerReport> reports,
    Map<String, String> templateHashes) {

  static Observation of(ClusterModel model, Context<HBaseCluster> context) {
    return new Observation(
        model,
        List.copyOf(context.getSecondaryResources(Pod.class)),
        byKey(context.getSecondaryResources(StatefulSet.class), it -> it.getMetadata().getName()),
        byKey(context.getSecondaryResources(RegionServerReport.class), RegionServerReport::pod),
        model.regionServers().stream()
            .collect(
                Collectors.toMap(
                    RoleModel::name, group -> StatefulSets.templateHash(model, group))));
  }

  private static <T> Map<String, T> byKey(Collection<T> items, Function<T, String> key) {
    return items.stream()
        .collect(Collectors.toMap(key, Function.identity(), (first, second) -> second));
  }

  /** Roles of which fewer pods are ready than there should be, in the order of their start. */
  List<RoleModel> waiting() {
    return model.roles().stream().filter(role -> ready(role) < role.replicas()).toList();
  }

  /** Pods of a role, or of one group of region servers, that are ready. */
  int ready(RoleModel role) {
    return (int) pods(role).filter(Observation::isReady).count();
  }

  /** Ready pods of all groups of region servers, of those that there should be. */
  String readyRegionServers() {
    return model.regionServers().stream().mapToInt(this::ready).sum() + "/" + replicas();
  }

  /** How many region servers there should be, of all groups. */
  int replicas() {
    return model.regionServers().stream().mapToInt(RoleModel::replicas).sum();
  }

  /** Pods of the default group that exist. */
  int defaultGroupPods() {
    return (int) pods(model.regionServers().get(0)).count();
  }

  List<PodState> regionServerPods() {
    return regionServerPodsInOrder()
        .map(
            pod ->
                new PodState(
                    pod.getMetadata().getName(),
                    ordinal(pod),
                    isOutdated(pod),
                    isReady(pod),
                    pod.getMetadata().getDeletionTimestamp() != null))
        .toList();
  }

  /** Whether Kubernetes works by the region servers' templates as they are now. */
  boolean areTemplatesObserved() {
    return model.regionServers().stream().allMatch(this::isTemplateObserved);
  }

  private boolean isTemplateObserved(RoleModel group) {
    var set = statefulSets.get(group.name());
    return set != null
        && set.getStatus() != null
        && Objects.equals(
            set.getStatus().getObservedGeneration(), set.getMetadata().getGeneration())
        && StatefulSets.templateHash(set)
            .equals(Optional.ofNullable(templateHashes.get(group.name())));
  }

  Optional<Pod> pod(String name) {
    return pods.stream().filter(pod -> pod.getMetadata().getName().equals(name)).findFirst();
  }

  List<RegionServer> regionServers() {
    return regionServerPodsInOrder().map(this::regionServer).toList();
  }

  private Stream<Pod> regionServerPodsInOrder() {
    return model.regionServers().stream()
        .flatMap(group -> pods(group).sorted(Comparator.comparingInt(Observation::ordinal)));
  }

  private RegionServer regionServer(Pod pod) {
    var name = pod.getMetadata().getName();
    var report = Optional.ofNullable(reports.get(name)).filter(it -> isReady(pod));
    return new RegionServer(
        name,
        report.map(RegionServerReport::serverName).orElse(null),
        annotation(pod, Labels.PLAN_HASH).orElse(null),
        report.map(RegionServerReport::regions).orElse(null),
        state(pod));
  }

  private RegionServer.State state(Pod pod) {
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      return RegionServer.State.Stopping;
    }
    if (!isReady(pod)) {
      return RegionServer.State.Starting;
    }
    return isOutdated(pod) ? RegionServer.State.Outdated : RegionServer.State.Serving;
  }

  private boolean isOutdated(Pod pod) {
    return annotation(pod, Labels.TEMPLATE_HASH)
        .filter(hash -> hash.equals(templateHashes.get(setName(pod))))
        .isEmpty();
  }

  private Stream<Pod> pods(RoleModel role) {
    return pods.stream()
        .filter(pod -> Labels.isRole(pod, role.role()) && setName(pod).equals(role.name()));
  }

  private static String setName(Pod pod) {
    var name = pod.getMetadata().getName();
    return name.substring(0, name.lastIndexOf('-'));
  }

  private static boolean isReady(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null
        && pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Ready") && it.getStatus().equals("True"));
  }

  private static int ordinal(Pod pod) {
    var name = pod.getMetadata().getName();
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
  }

  private static Optional<String> annotation(Pod pod, String key) {
    return Optional.ofNullable(pod.getMetadata().getAnnotations()).map(all -> all.get(key));
  }
}
