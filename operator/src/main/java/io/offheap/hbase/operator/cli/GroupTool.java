package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.declare.GroupPlan;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** A tool with the option {@code --group}. */
abstract class GroupTool extends OfflineTool {
  @Option(
      names = "--group",
      paramLabel = "NAME",
      description = "A group of region servers; default is the one of spec.regionServers.")
  private String group;

  /** The requested group, if any. */
  Optional<String> group() {
    return Optional.ofNullable(group);
  }

  /**
   * The plan of the requested group, else of the default one.
   *
   * @throws RefusedException if it is refused
   */
  GroupPlan planOfOne(ClusterFile cluster) throws RefusedException {
    return cluster.plan(group().orElse(GroupTitle.DEFAULT));
  }

  /**
   * The plan of the requested group, else of all groups.
   *
   * @throws RefusedException if it is refused
   */
  List<GroupPlan> plansOfAll(ClusterFile cluster) throws RefusedException {
    return group().isPresent() ? List.of(planOfOne(cluster)) : cluster.plans();
  }

  /**
   * The difference of two resources.
   *
   * @throws RefusedException if one is refused
   */
  Output difference(ClusterFile one, ClusterFile other) throws RefusedException {
    var before = plansOfAll(one);
    var after = plansOfAll(other);
    return GroupDiffs.between(
            before,
            after,
            InfrastructureRestarts.between(one.cluster().getSpec(), other.cluster().getSpec()))
        .output();
  }
}
