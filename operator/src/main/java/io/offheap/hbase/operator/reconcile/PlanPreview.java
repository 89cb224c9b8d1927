package io.offheap.hbase.operator.reconcile;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.GroupModel;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.status.FittedPlans;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Previews another spec of a cluster: its plans, for the same tables and tuned values as the
 * running ones, and the pods that would be restarted. Nothing is read from Kubernetes or HBase, and
 * nothing is changed. The API server's rules, such as those on immutable fields, are not checked.
 */
public final class PlanPreview {
  private PlanPreview() {}

  /** The plans, or why there are none. */
  public sealed interface Result {}

  /**
   * The spec would be applied.
   *
   * @param groups region server groups of either spec, the default one first
   * @param masters masters that would be restarted
   * @param infrastructure roles of the managed ZooKeeper and HDFS with pods that would be
   *     restarted, in the order of their restarts
   */
  public record Planned(List<Group> groups, int masters, List<Restarts> infrastructure)
      implements Result {
    public Planned {
      groups = List.copyOf(groups);
      infrastructure = List.copyOf(infrastructure);
    }
  }

  /**
   * Pods of a role that would be restarted.
   *
   * @param role the role's name in pods
   * @param restarts their number
   */
  public record Restarts(String role, int restarts) {}

  /** The spec would be refused. */
  public record Refused(List<PlanProblem> problems) implements Result {
    public Refused {
      problems = List.copyOf(problems);
    }
  }

  /**
   * A group of region servers.
   *
   * @param name its name; empty for the default group
   * @param before the plan of the current spec; empty if the group would be added
   * @param after the plan of the other spec; empty if the group would be removed
   * @param restarts servers that would be restarted
   */
  public record Group(
      String name, Optional<MemoryPlan> before, Optional<MemoryPlan> after, int restarts) {}

  /**
   * Plans.
   *
   * @param cluster the current resource
   * @param changed the same with another spec
   * @param defaultImage image of clusters that declare none
   * @param rights what the operator's settings permit to pod templates
   */
  public static Result of(
      HBaseCluster cluster, HBaseCluster changed, String defaultImage, PodRights rights) {
    var problems = ClusterChecks.problems(changed, rights);
    if (!problems.isEmpty()) {
      return new Refused(problems);
    }
    var live = Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::live);
    var plans = new Plans();
    var planned = FittedPlans.of(plans, changed, live, Set.of());
    if (planned.result() instanceof ClusterPlan.Refused refused) {
      return new Refused(refused.problems());
    }
    var after =
        Applied.of(
            plans,
            changed,
            ((ClusterPlan.Planned) planned.result()).groups(),
            planned.live(),
            defaultImage,
            ObservedImages.NONE);
    var now = FittedPlans.of(plans, cluster, live, Set.of());
    var before =
        now.result() instanceof ClusterPlan.Planned current
            ? Optional.of(
                Applied.of(
                    plans,
                    cluster,
                    current.groups(),
                    now.live(),
                    defaultImage,
                    ObservedImages.NONE))
            : Applied.last(plans, cluster, defaultImage, ObservedImages.NONE);
    return between(before, after);
  }

  private static Result between(Optional<Applied> before, Applied after) {
    var old = before.map(PlanPreview::groups).orElse(Map.of());
    var next = groups(after);
    var restarts = restarts(before, after);
    var groups = new ArrayList<Group>();
    next.forEach(
        (name, group) ->
            groups.add(
                new Group(
                    name,
                    Optional.ofNullable(old.get(name)).map(PlanPreview::plan),
                    Optional.of(plan(group)),
                    restarts.getOrDefault(
                        ClusterModel.statefulSet(after.deployed(), group.plan().group()), 0))));
    old.forEach(
        (name, group) -> {
          if (!next.containsKey(name)) {
            groups.add(new Group(name, Optional.of(plan(group)), Optional.empty(), 0));
          }
        });
    var infrastructure =
        Arrays.stream(Role.values())
            .filter(it -> !it.isHBase() && restarts.containsKey(it.text()))
            .map(it -> new Restarts(it.text(), restarts.get(it.text())))
            .toList();
    return new Planned(groups, restarts.getOrDefault(Role.MASTER.text(), 0), infrastructure);
  }

  private static Map<String, GroupModel> groups(Applied applied) {
    var groups = new LinkedHashMap<String, GroupModel>();
    applied.groups().forEach(it -> groups.put(it.plan().group().name(), it));
    return groups;
  }

  private static MemoryPlan plan(GroupModel group) {
    return group.plan().plan();
  }

  /**
   * Pods that would be restarted: those of region servers by StatefulSet, others by their role. As
   * in a reconciliation, a pod is outdated if both its template and its declared fields differ.
   */
  private static Map<String, Integer> restarts(Optional<Applied> before, Applied after) {
    var restarts = new LinkedHashMap<String, Integer>();
    if (before.isEmpty()) {
      return restarts;
    }
    var old = model(before.get());
    var next = model(after);
    for (RoleModel role : next.roles()) {
      old.roles().stream()
          .filter(it -> it.name().equals(role.name()))
          .filter(it -> !it.declared().equals(role.declared()))
          .filter(
              it ->
                  !StatefulSets.templateHash(old, it).equals(StatefulSets.templateHash(next, role)))
          .forEach(
              it ->
                  restarts.put(
                      role.role() == Role.REGIONSERVER ? role.name() : role.role().text(),
                      Math.min(it.replicas(), role.replicas())));
    }
    return restarts;
  }

  private static ClusterModel model(Applied applied) {
    return ClusterModel.of(
        applied.deployed(), applied.groups(), applied.image(), applied.infrastructure()::of);
  }
}
