package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.GroupModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.OwnPods;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.hbase.RegionServerReport;
import io.offheap.hbase.operator.rollout.PodState;
import io.offheap.hbase.operator.rollout.RestartDecision;
import io.offheap.hbase.operator.rollout.RolloutRules;
import io.offheap.hbase.operator.rollout.ServerPod;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a pass observes of a cluster's pods.
 *
 * @param model what the cluster should be
 * @param pods all pods of the cluster
 * @param statefulSets StatefulSets by name
 * @param reports reports of region servers, by pod
 * @param templateHashes hash of the template that pods get now, by name of the StatefulSet
 * @param declaredReplicas pods that are declared, by name of the StatefulSet
 */
record Observation(
    ClusterModel model,
    List<Pod> pods,
    Map<String, StatefulSet> statefulSets,
    Map<String, RegionServerReport> reports,
    Map<String, String> templateHashes,
    Map<String, Integer> declaredReplicas) {

  /**
   * What is there now.
   *
   * @param isNew whether this process has just begun to request reports: a server that has not
   *     responded yet counts with what status has of it
   */
  static Observation of(
      ClusterModel model, Applied applied, boolean isNew, Context<HBaseCluster> context) {
    return new Observation(
        model,
        OwnPods.of(context),
        byKey(context.getSecondaryResources(StatefulSet.class), it -> it.getMetadata().getName()),
        byKey(
            Stream.concat(
                    isNew ? reported(applied.cluster()) : Stream.empty(),
                    context.getSecondaryResources(RegionServerReport.class).stream())
                .toList(),
            RegionServerReport::pod),
        StatefulSets.templateHashes(model, context),
        model.roles().stream()
            .collect(Collectors.toMap(RoleModel::name, role -> declared(role, applied))));
  }

  /** The reports that status has. */
  private static Stream<RegionServerReport> reported(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::regionServers).stream()
        .flatMap(List::stream)
        .filter(it -> it.serverName() != null && it.regions() != null)
        .map(it -> new RegionServerReport(it.pod(), it.serverName(), it.regions(), 0));
  }

  private static int declared(RoleModel role, Applied applied) {
    return applied.groups().stream()
        .filter(it -> role.role() == Role.REGIONSERVER)
        .filter(it -> it.plan().group().name().equals(role.group()))
        .map(GroupModel::replicas)
        .findFirst()
        .orElse(role.replicas());
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

  /** Ready pods of all groups of region servers. */
  int readyRegionServers() {
    return model.regionServers().stream().mapToInt(this::ready).sum();
  }

  /** Pods of the default group that exist. */
  int defaultGroupPods() {
    return (int) pods(model.regionServers().get(0)).count();
  }

  /** The pods of all region servers, those of groups that are no longer declared last. */
  List<ServerPod> serverPods() {
    return regionServerPodsInOrder().map(this::serverPod).toList();
  }

  /** The pods of the masters. */
  List<ServerPod> masterPods() {
    return pods(Role.MASTER).map(this::serverPod).toList();
  }

  private ServerPod serverPod(Pod pod) {
    var set = Labels.statefulSetOf(pod);
    return new ServerPod(
        pod.getMetadata().getName(),
        pod.getMetadata().getUid(),
        Labels.groupOf(pod),
        Labels.ordinalOf(pod),
        isOutdated(pod),
        isChanged(pod),
        isReady(pod),
        pod.getMetadata().getDeletionTimestamp() != null,
        Labels.ordinalOf(pod) >= declaredReplicas.getOrDefault(set, 0),
        restarts(pod),
        PodTroubles.of(pod));
  }

  /** How often a pod's containers were restarted. */
  static int restarts(Pod pod) {
    return Optional.ofNullable(pod.getStatus()).stream()
        .flatMap(it -> it.getContainerStatuses().stream())
        .mapToInt(it -> Optional.ofNullable(it.getRestartCount()).orElse(0))
        .sum();
  }

  /** Names of the region servers' pods that there should be. */
  Set<String> declaredServers() {
    return model.regionServers().stream()
        .flatMap(it -> declaredServers(it.group()).stream())
        .collect(Collectors.toSet());
  }

  /** The same of one group. */
  Set<String> declaredServers(String group) {
    return model.regionServers().stream()
        .filter(it -> it.group().equals(group))
        .flatMap(
            it ->
                IntStream.range(0, declaredReplicas.get(it.name()))
                    .mapToObj(ordinal -> it.name() + "-" + ordinal))
        .collect(Collectors.toSet());
  }

  /** How many masters there should be. */
  int masters() {
    return model.roles().stream()
        .filter(it -> it.role() == Role.MASTER)
        .mapToInt(RoleModel::replicas)
        .sum();
  }

  /** What ZooKeeper and HDFS need, in the order of their start. */
  Stream<RestartDecision> infrastructure(RolloutRules rules) {
    return model.roles().stream()
        .filter(role -> !role.role().isHBase())
        .map(
            role ->
                RestartDecision.of(
                    role.role().text(),
                    pods(role).map(this::podState).toList(),
                    role.replicas(),
                    isTemplateObserved(role),
                    rules));
  }

  private PodState podState(Pod pod) {
    return new PodState(
        pod.getMetadata().getName(),
        Labels.ordinalOf(pod),
        isOutdated(pod),
        isReady(pod),
        pod.getMetadata().getDeletionTimestamp() != null);
  }

  /** Whether ZooKeeper and HDFS are all there. */
  boolean isInfrastructureReady() {
    return waiting().stream().allMatch(role -> role.role().isHBase());
  }

  /** Whether Kubernetes works by the templates of HBase's servers as they are now. */
  boolean areTemplatesObserved() {
    return model.roles().stream()
        .filter(role -> role.role().isHBase())
        .allMatch(this::isTemplateObserved);
  }

  /** Whether Kubernetes works by the template of a role as it is now. */
  boolean isTemplateObserved(RoleModel group) {
    var set = statefulSets.get(group.name());
    return set != null
        && set.getStatus() != null
        && Objects.equals(
            set.getStatus().getObservedGeneration(), set.getMetadata().getGeneration())
        && StatefulSets.templateHash(set)
            .equals(Optional.ofNullable(templateHashes.get(group.name())));
  }

  /** The StatefulSet of the default group, once it is seen. */
  Optional<StatefulSet> defaultSet() {
    return Optional.ofNullable(statefulSets.get(model.regionServers().get(0).name()));
  }

  Optional<Pod> pod(String name) {
    return pods.stream().filter(pod -> pod.getMetadata().getName().equals(name)).findFirst();
  }

  /** The pods of region servers by group and ordinal. */
  Stream<Pod> regionServerPodsInOrder() {
    var names = model.regionServers().stream().map(RoleModel::name).toList();
    return pods(Role.REGIONSERVER)
        .sorted(
            Comparator.comparing(
                    (Pod pod) ->
                        names.contains(Labels.statefulSetOf(pod))
                            ? names.indexOf(Labels.statefulSetOf(pod))
                            : names.size())
                .thenComparing(Labels::statefulSetOf)
                .thenComparing(pod -> Labels.ordinalOf(pod)));
  }

  /** Whether a pod is to be replaced: the spec has changed, or its restart was requested. */
  boolean isOutdated(Pod pod) {
    var asked = Labels.restartedAt(model.cluster());
    return isChanged(pod)
        || annotation(pod, Labels.RESTART).filter("true"::equals).isPresent()
        || (asked.isPresent()
            && !asked.equals(Labels.restartedAt(pod))
            && (Labels.isRole(pod, Role.REGIONSERVER) || Labels.isRole(pod, Role.MASTER)));
  }

  /**
   * Whether something else is declared than the pod was made from, and gives another pod. By one of
   * both alone, it is the same in other words, or another operator version's way to make it.
   */
  private boolean isChanged(Pod pod) {
    var set = Labels.statefulSetOf(pod);
    var role = model.roles().stream().filter(it -> it.name().equals(set)).findFirst();
    return role.isPresent()
        && isOther(pod, Labels.TEMPLATE_HASH, templateHashes.get(set))
        && isOther(pod, Labels.DECLARED_HASH, role.get().declared());
  }

  private static boolean isOther(Pod pod, String annotation, String now) {
    return annotation(pod, annotation).filter(hash -> hash.equals(now)).isEmpty();
  }

  /** The pods of a role, or of one group of region servers. */
  Stream<Pod> pods(RoleModel role) {
    return pods(role.role()).filter(pod -> Labels.statefulSetOf(pod).equals(role.name()));
  }

  private Stream<Pod> pods(Role role) {
    return pods.stream().filter(pod -> Labels.isRole(pod, role));
  }

  static boolean isReady(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() == null
        && pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(it -> it.getType().equals("Ready") && it.getStatus().equals("True"));
  }

  static Optional<String> annotation(Pod pod, String key) {
    return Optional.ofNullable(pod.getMetadata().getAnnotations()).map(all -> all.get(key));
  }
}
