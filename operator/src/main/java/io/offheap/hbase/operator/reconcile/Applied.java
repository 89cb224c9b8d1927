package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.HBaseClusterStatus.Images;
import io.offheap.hbase.operator.api.HBaseClusterStatus.LiveStatus;
import io.offheap.hbase.operator.api.RolloutStatus.Proven;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.ServerGroup;
import io.offheap.hbase.operator.deploy.ClusterModel.Image;
import io.offheap.hbase.operator.deploy.DeclaredHash;
import io.offheap.hbase.operator.deploy.GroupModel;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.status.AppliedPlans;
import io.offheap.hbase.operator.status.AppliedState;
import io.offheap.hbase.operator.status.FittedPlans;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The configuration that a reconciliation applies. For a group whose change was rolled back, it is
 * the last good one; without a last good one it stays as declared, and no more servers get it.
 *
 * @param cluster the resource, with the spec to apply
 * @param deployed the same; after a rollback, with the last good references to ZooKeeper and HDFS
 *     for all roles: a server with its earlier configuration needs them as well
 * @param groups its groups of region servers to deploy
 * @param live the plans' input beside the spec, for status
 * @param image image of the masters
 * @param images the images to remember
 * @param infrastructure the images of ZooKeeper and HDFS
 * @param rolledBack the changes that were rolled back, of those that are still declared
 */
record Applied(
    HBaseCluster cluster,
    HBaseCluster deployed,
    List<GroupModel> groups,
    Optional<LiveStatus> live,
    Image image,
    Images images,
    InfrastructureImages infrastructure,
    List<RolledBack> rolledBack) {
  Applied {
    groups = List.copyOf(groups);
    rolledBack = List.copyOf(rolledBack);
  }

  /**
   * A resource with its plans.
   *
   * @param plans the plans of this pass
   * @param planned those to apply
   */
  static Applied of(
      Plans plans,
      HBaseCluster cluster,
      List<GroupPlan> planned,
      Optional<LiveStatus> live,
      String operatorsImage,
      ObservedImages observed) {
    return of(plans, cluster, cluster.getSpec(), planned, live, operatorsImage, observed);
  }

  /**
   * The same.
   *
   * @param declaredSpec the spec of the resource; another one if it is refused
   */
  private static Applied of(
      Plans plans,
      HBaseCluster cluster,
      HBaseClusterSpec declaredSpec,
      List<GroupPlan> planned,
      Optional<LiveStatus> live,
      String operatorsImage,
      ObservedImages observed) {
    var images = InfrastructureImages.kept(images(cluster, operatorsImage), cluster, observed);
    var image = Image.of(cluster.getSpec().image(), images.defaultImage());
    var declared =
        planned.stream().map(it -> model(plans, cluster, it, image.name(), live)).toList();
    var rolledBack = declared.stream().flatMap(it -> rolledBack(cluster, it).stream()).toList();
    var back = rolledBack.stream().map(RolledBack::group).collect(Collectors.toSet());
    var good = new HashMap<String, GroupModel>();
    planned.stream()
        .map(GroupPlan::group)
        .filter(it -> back.contains(it.name()))
        .forEach(
            it -> lastGood(plans, cluster, it, images).ifPresent(was -> good.put(it.name(), was)));
    var deployed =
        good.isEmpty()
            ? cluster
            : lastGoodSpec(cluster)
                .map(it -> withSpec(cluster, RolledBackSpec.of(cluster.getSpec(), it)))
                .orElse(cluster);
    var groups =
        declared.stream()
            .map(
                it -> {
                  var name = it.plan().group().name();
                  return good.isEmpty() || back.contains(name)
                      ? good.getOrDefault(name, it)
                      : model(plans, deployed, it.plan(), image.name(), live);
                })
            .toList();
    // Masters follow the region servers.
    var mastersImage =
        rolledBack.isEmpty()
            ? image
            : lastGoodSpec(cluster)
                .map(it -> Image.of(it.image(), images.defaultImage()))
                .orElse(image);
    var infrastructure =
        InfrastructureImages.of(images, cluster, declaredSpec, !rolledBack.isEmpty(), observed);
    return new Applied(
        cluster, deployed, groups, live, mastersImage, images, infrastructure, rolledBack);
  }

  /**
   * The last spec that was not refused with its plans, if there was one.
   *
   * @throws IllegalStateException if status has one that the resource could not have declared
   */
  static Optional<Applied> last(
      Plans plans, HBaseCluster cluster, String operatorsImage, ObservedImages observed) {
    var status = cluster.getStatus();
    if (status == null || status.appliedSpec() == null) {
      return Optional.empty();
    }
    StoredSpec.problem(cluster, status.appliedSpec())
        .ifPresent(
            it -> {
              throw new IllegalStateException(
                  "nothing is applied, since the resource cannot have declared"
                      + " status.appliedSpec: "
                      + it);
            });
    var stored = DeclaredClaims.in(status.appliedSpec(), cluster.getSpec());
    var spec = StoredSpec.withDataNodes(stored, cluster.getSpec(), observed);
    var planned = AppliedPlans.of(plans, cluster);
    return planned.isEmpty()
        ? Optional.empty()
        : Optional.of(
            of(
                plans,
                withSpec(cluster, spec),
                cluster.getSpec(),
                planned,
                Optional.ofNullable(status.live()),
                operatorsImage,
                observed));
  }

  private static HBaseCluster withSpec(HBaseCluster cluster, HBaseClusterSpec spec) {
    var other = new HBaseCluster();
    other.setMetadata(cluster.getMetadata());
    other.setSpec(spec);
    other.setStatus(cluster.getStatus());
    return other;
  }

  private static Optional<HBaseClusterStatus> status(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus());
  }

  /** Those of status; what it lacks is that of a new cluster. */
  private static Images images(HBaseCluster cluster, String operatorsImage) {
    var known = status(cluster).map(HBaseClusterStatus::images);
    var defaultImage = known.map(Images::defaultImage).orElse(operatorsImage);
    return new Images(
        defaultImage,
        known
            .map(Images::infrastructure)
            .orElseGet(() -> Image.of(cluster.getSpec().image(), defaultImage).name()),
        known.map(Images::zookeeper).orElse(null),
        known.map(Images::hdfs).orElse(null));
  }

  private static GroupModel model(
      Plans plans, HBaseCluster cluster, GroupPlan plan, String image, Optional<LiveStatus> live) {
    var counting = FittedPlans.counting(plans, cluster, live, plan.group().name());
    return new GroupModel(
        plan,
        image,
        DeclaredHash.of(cluster.getSpec(), plan.group(), image, counting),
        plan.group().spec().replicas());
  }

  private static Optional<RolledBack> rolledBack(HBaseCluster cluster, GroupModel model) {
    return status(cluster).map(HBaseClusterStatus::rolledBack).stream()
        .flatMap(List::stream)
        .filter(it -> it.group().equals(model.plan().group().name()))
        .filter(it -> it.declared().equals(model.declared()))
        .findFirst();
  }

  /** With the declared {@code deleteClaim}: a rollback must not delete data with the resource. */
  private static Optional<HBaseClusterSpec> lastGoodSpec(HBaseCluster cluster) {
    return lastGood(cluster).map(it -> DeclaredClaims.in(it.spec(), cluster.getSpec()));
  }

  /** That of status, if the resource could have declared it. */
  private static Optional<HBaseClusterStatus.LastGood> lastGood(HBaseCluster cluster) {
    return status(cluster)
        .map(HBaseClusterStatus::good)
        .filter(it -> it.spec() != null)
        .filter(it -> StoredSpec.problem(cluster, it.spec()).isEmpty());
  }

  private static Optional<GroupModel> lastGood(
      Plans plans, HBaseCluster cluster, ServerGroup group, Images images) {
    var good = lastGood(cluster);
    if (good.isEmpty()) {
      return Optional.empty();
    }
    var spec = good.get().spec();
    var live = Optional.ofNullable(good.get().live());
    var lastGood = withSpec(cluster, spec);
    var result = FittedPlans.of(plans, lastGood, live, Set.of()).result();
    var image = Image.of(spec.image(), images.defaultImage()).name();
    return result instanceof ClusterPlan.Planned planned
        ? planned.groups().stream()
            .filter(it -> it.group().name().equals(group.name()))
            .findFirst()
            .map(
                it -> model(plans, lastGood, it, image, live).withReplicas(group.spec().replicas()))
        : Optional.empty();
  }

  /** Groups whose change was rolled back and that have no last good configuration. */
  Set<String> halted() {
    var back =
        rolledBack.stream().collect(Collectors.toMap(RolledBack::group, RolledBack::declared));
    return groups.stream()
        .filter(it -> it.declared().equals(back.get(it.plan().group().name())))
        .map(it -> it.plan().group().name())
        .collect(Collectors.toSet());
  }

  /**
   * Whether pods of a role of ZooKeeper or HDFS that serve stay as they are: HBase has not served
   * with the repository of the role's image, and its change is rolled back.
   */
  boolean isForRepairAlone(Role role) {
    return !rolledBack.isEmpty() && infrastructure.isUntested(role, images, cluster);
  }

  /** Groups whose change was rolled back. */
  Set<String> rolledBackGroups() {
    return rolledBack.stream().map(RolledBack::group).collect(Collectors.toSet());
  }

  /** Groups whose applied configuration is proven. */
  Set<String> proven() {
    var known = status(cluster).map(HBaseClusterStatus::proven).orElse(List.of());
    return groups.stream()
        .filter(it -> known.contains(proven(it)))
        .map(it -> it.plan().group().name())
        .collect(Collectors.toSet());
  }

  /** Other groups with another proven configuration. */
  Set<String> goodBefore() {
    var proven = proven();
    return status(cluster).map(HBaseClusterStatus::proven).stream()
        .flatMap(List::stream)
        .map(Proven::group)
        .filter(it -> !proven.contains(it))
        .collect(Collectors.toSet());
  }

  /** The record of a group whose applied configuration is proven. */
  private static Proven proven(GroupModel group) {
    return new Proven(group.plan().group().name(), group.declared());
  }

  /** The plans' hashes, for people. */
  String text() {
    return groups.stream()
        .map(GroupModel::plan)
        .map(
            it ->
                (it.group().isDefault() ? "plan " : "group " + it.group().name() + " plan ")
                    + it.plan().hash())
        .collect(Collectors.joining(", "));
  }

  /** Replicas that are declared of each group, by its name. */
  Map<String, Integer> declaredReplicas() {
    return groups.stream()
        .collect(Collectors.toMap(it -> it.plan().group().name(), GroupModel::replicas));
  }

  /** As status has it. */
  AppliedState state() {
    return new AppliedState(
        plans(), groups.stream().map(Applied::proven).toList(), live, images, rolledBack);
  }

  /** The groups with their plans. */
  List<GroupPlan> plans() {
    return groups.stream().map(GroupModel::plan).toList();
  }
}
