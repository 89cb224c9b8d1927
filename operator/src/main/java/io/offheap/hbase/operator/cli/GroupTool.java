package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.declare.GroupPlan;
import io.offheap.hbase.operator.declare.ServerGroup;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What the tools have in common that plan for groups of region servers. */
abstract class GroupTool extends OfflineTool {
  /** What the group without a name is called; no other may be called so. */
  static final String DEFAULT_GROUP = "default";

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description = "A group of region servers; default is the one of spec.regionServers.")
  private String group;

  /** The group that was asked for, if one was. */
  Optional<String> group() {
    return Optional.ofNullable(group);
  }

  /** A group's name for people. */
  static String nameOf(ServerGroup group) {
    return group.isDefault() ? DEFAULT_GROUP : group.name();
  }

  /**
   * The plan of the group that was asked for, or else of the default one.
   *
   * @throws RefusedException if there is none
   */
  GroupPlan planOfOne(ClusterFile cluster) throws RefusedException {
    return cluster.plan(group().orElse(DEFAULT_GROUP));
  }

  /**
   * The plan of the group that was asked for, or else of all.
   *
   * @throws RefusedException if there is none
   */
  List<GroupPlan> plansOfAll(ClusterFile cluster) throws RefusedException {
    return group().isPresent() ? List.of(planOfOne(cluster)) : cluster.plans();
  }
}
