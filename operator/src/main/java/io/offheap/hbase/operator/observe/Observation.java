package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.hbase.RegionServerReport;
import io.offheap.hbase.operator.rollout.PodState;
import io.offheap.hbase.operator.rollout.RolePods;
import io.offheap.hbase.operator.rollout.ServerPod;
import io.offheap.hbase.operator.rollout.ServerPodBuilder;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The observed state of a cluster after its model was applied.
 *
 * @param model the desired state
 * @param pods all pods of the cluster
 * @param statefulSets StatefulSets by name
 * @param reports reports of region servers, by pod
 * @param templateHashes hash of the current template, by name of the StatefulSet
 * @param declaredReplicas pods that are declared, by name of the StatefulSet
 * @param hbase HBase's reports
 */
public record Observation(
    ClusterModel model,
    List<Pod> pods,
    Map<String, StatefulSet> statefulSets,
    Map<String, RegionServerReport> reports,
    Map<String, String> templateHashes,
    Map<String, Integer> declaredReplicas,
    ObservedHBase hbase) {
  public Observation {
    pods = List.copyOf(pods);
    statefulSets = Map.copyOf(statefulSets);
    reports = Map.copyOf(reports);
    templateHashes = Map.copyOf(templateHashes);
    declaredReplicas = Map.copyOf(declaredReplicas);
  }

  /** Roles with fewer ready pods than declared, in the order of their start. */
  public List<UnreadyRole> waiting() {
    return model.roles().stream()
        .filter(role -> ready(role) < role.replicas())
        .map(role -> new UnreadyRole(part(role), role.name(), ready(role), role.replicas()))
        .toList();
  }

  /**
   * The first pod that does not serve, with what keeps it from serving. A pod for which Kubernetes
   * reports a reason comes before those that just start.
   *
   * @param withHBase whether region servers and masters count too
   */
  public Optional<String> notServing(boolean withHBase) {
    return model.roles().stream()
        .filter(role -> withHBase || !role.role().isHBase())
        .flatMap(
            role ->
                pods(role)
                    .filter(it -> !PodStates.isReady(it))
                    .sorted(Comparator.comparing(it -> Labels.ordinalOf(it)))
                    .map(it -> PodStates.of(it, role.role(), false, hbase.now())))
        .min(Comparator.comparing(it -> it.trouble().isEmpty()))
        .map(PodState::text);
  }

  private static UnreadyRole.Part part(RoleModel role) {
    return switch (role.role()) {
      case ZOOKEEPER -> UnreadyRole.Part.ZOOKEEPER;
      case NAMENODE, DATANODE -> UnreadyRole.Part.HDFS;
      case MASTER -> UnreadyRole.Part.MASTERS;
      case REGIONSERVER -> UnreadyRole.Part.REGION_SERVERS;
    };
  }

  /** Ready pods of a role, or of one group of region servers. */
  private int ready(RoleModel role) {
    return (int) pods(role).filter(PodStates::isReady).count();
  }

  /** Pods of a group of region servers; empty if the group is not declared. */
  public Optional<ReadyPods> group(String name) {
    return model.regionServers().stream()
        .filter(it -> it.group().equals(name))
        .findFirst()
        .map(it -> new ReadyPods(ready(it), it.replicas()));
  }

  /**
   * Ready and declared pods.
   *
   * @param ready ready pods
   * @param replicas declared pods
   */
  public record ReadyPods(int ready, int replicas) {}

  /** Ready pods of all groups of region servers. */
  public int readyRegionServers() {
    return model.regionServers().stream().mapToInt(this::ready).sum();
  }

  /** Pods of the default group that exist. */
  public int defaultGroupPods() {
    return (int) pods(model.regionServers().get(0)).count();
  }

  /** The pods of all region servers, those of groups that are no longer declared last. */
  public List<ServerPod> serverPods() {
    return regionServerPodsInOrder().map(it -> serverPod(it, Role.REGIONSERVER)).toList();
  }

  /** The pods of the masters. */
  public List<ServerPod> masterPods() {
    return pods(Role.MASTER).map(it -> serverPod(it, Role.MASTER)).toList();
  }

  private ServerPod serverPod(Pod pod, Role role) {
    var set = Labels.statefulSetOf(pod);
    return ServerPodBuilder.builder()
        .name(pod.getMetadata().getName())
        .uid(pod.getMetadata().getUid())
        .group(Labels.groupOf(pod))
        .ordinal(Labels.ordinalOf(pod))
        .isOutdated(isOutdated(pod))
        .isChanged(outdated().isChanged(pod))
        .isReady(PodStates.isReady(pod))
        .isTerminating(pod.getMetadata().getDeletionTimestamp() != null)
        .isSurplus(Labels.ordinalOf(pod) >= declaredReplicas.getOrDefault(set, 0))
        .restarts(ServerContainer.restarts(pod, role))
        .isEndedByNode(ServerContainer.isEndedByNode(pod, role))
        .trouble(PodStates.trouble(pod))
        .build();
  }

  /** Names of the declared pods of region servers. */
  public Set<String> declaredServers() {
    return model.regionServers().stream()
        .flatMap(it -> declaredServers(it.group()).stream())
        .collect(Collectors.toSet());
  }

  /** The same of one group. */
  public Set<String> declaredServers(String group) {
    return model.regionServers().stream()
        .filter(it -> it.group().equals(group))
        .flatMap(
            it ->
                IntStream.range(0, declaredReplicas.get(it.name()))
                    .mapToObj(ordinal -> it.name() + "-" + ordinal))
        .collect(Collectors.toSet());
  }

  /** What the declared region servers of a group report of their reads. */
  public GroupReads reads(String group) {
    var declared = declaredServers(group);
    boolean isSettled =
        pods(Role.REGIONSERVER)
            .filter(it -> declared.contains(it.getMetadata().getName()))
            .noneMatch(this::isOutdated);
    return GroupReads.of(
        isSettled, reports.values().stream().filter(it -> declared.contains(it.pod())).toList());
  }

  /** The declared number of masters. */
  public int masters() {
    return model.roles().stream()
        .filter(it -> it.role() == Role.MASTER)
        .mapToInt(RoleModel::replicas)
        .sum();
  }

  /**
   * The pods of ZooKeeper and HDFS by role, in the order of their start.
   *
   * @param isForRepairAlone whether the template of a role is for pods that cannot start with
   *     another: no other pod counts as outdated, also one that serves nothing for a while
   */
  public List<RolePods> infrastructure(Predicate<Role> isForRepairAlone) {
    return model.roles().stream()
        .filter(role -> !role.role().isHBase())
        .map(
            role ->
                new RolePods(
                    role.role().text(),
                    pods(role)
                        .map(it -> podState(it, role.role(), isForRepairAlone))
                        .sorted(Comparator.comparing(PodState::ordinal))
                        .toList(),
                    role.replicas(),
                    isTemplateObserved(role)))
        .toList();
  }

  private PodState podState(Pod pod, Role role, Predicate<Role> isForRepairAlone) {
    boolean isLeft = isForRepairAlone.test(role) && !PodStates.cannotStart(pod, role, hbase.now());
    return PodStates.of(
        pod, role, isLeft ? outdated().isRequested(pod) : isOutdated(pod), hbase.now());
  }

  /** Whether the controller has seen the current templates of HBase's servers. */
  public boolean areTemplatesObserved() {
    return model.roles().stream()
        .filter(role -> role.role().isHBase())
        .allMatch(this::isTemplateObserved);
  }

  /** Whether the controller has seen the current template of a role. */
  boolean isTemplateObserved(RoleModel group) {
    var set = statefulSets.get(group.name());
    return set != null
        && set.getStatus() != null
        && Objects.equals(
            set.getStatus().getObservedGeneration(), set.getMetadata().getGeneration())
        && StatefulSets.templateHash(set)
            .equals(Optional.ofNullable(templateHashes.get(group.name())));
  }

  /** The StatefulSet of the default group, if it was observed. */
  Optional<StatefulSet> defaultSet() {
    return Optional.ofNullable(statefulSets.get(model.regionServers().get(0).name()));
  }

  public Optional<Pod> pod(String name) {
    return pods.stream().filter(pod -> pod.getMetadata().getName().equals(name)).findFirst();
  }

  /** The selector of the default group's pods, for the scale subresource. */
  public String defaultGroupSelector() {
    return Labels.defaultGroupSelector(model.cluster());
  }

  /** The region servers by group and ordinal, those of groups that are no longer declared last. */
  public List<ObservedServer> regionServers() {
    return regionServerPodsInOrder().map(this::observedServer).toList();
  }

  private ObservedServer observedServer(Pod pod) {
    var name = pod.getMetadata().getName();
    var report = Optional.ofNullable(reports.get(name)).filter(it -> PodStates.isReady(pod));
    return new ObservedServer(
        name,
        report.map(RegionServerReport::serverName),
        report.map(RegionServerReport::regions),
        OutdatedPods.annotation(pod, Labels.PLAN_HASH),
        pod.getMetadata().getDeletionTimestamp() != null,
        PodStates.isReady(pod),
        isOutdated(pod));
  }

  /** The pods of region servers by group and ordinal. */
  private Stream<Pod> regionServerPodsInOrder() {
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

  /** Names of the role's declared pods that do not exist, lowest ordinal first. */
  public List<String> missingPods(RoleModel role) {
    var names = pods(role).map(it -> it.getMetadata().getName()).collect(Collectors.toSet());
    return IntStream.range(0, declaredReplicas.getOrDefault(role.name(), 0))
        .mapToObj(it -> role.name() + "-" + it)
        .filter(it -> !names.contains(it))
        .toList();
  }

  /** Whether a pod must be replaced: its spec has changed, or its restart was requested. */
  public boolean isOutdated(Pod pod) {
    return outdated().isOutdated(pod);
  }

  private OutdatedPods outdated() {
    return new OutdatedPods(model, templateHashes);
  }

  /** The pods of a role, or of one group of region servers. */
  Stream<Pod> pods(RoleModel role) {
    return pods(role.role()).filter(pod -> Labels.statefulSetOf(pod).equals(role.name()));
  }

  private Stream<Pod> pods(Role role) {
    return pods.stream().filter(pod -> Labels.isRole(pod, role));
  }
}
