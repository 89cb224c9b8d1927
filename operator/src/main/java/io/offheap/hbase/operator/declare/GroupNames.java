package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.RegionServerGroupSpec;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses names of region server groups that may collide with objects of another cluster. Objects
 * of a group are called {@code CLUSTER-regionserver-GROUP} and those of a role {@code
 * CLUSTER-ROLE}: the masters of a cluster {@code a-regionserver-b} have the name that group {@code
 * b-master} of cluster {@code a} would have, and the operator would connect to the wrong servers.
 */
final class GroupNames {
  private static final Set<String> RESERVED =
      new TreeSet<>(
          Set.of("client", "datanode", "master", "namenode", "regionserver", "zookeeper"));

  private GroupNames() {}

  /** All problems of the groups' names. */
  static List<PlanProblem> problems(List<RegionServerGroupSpec> groups) {
    return groups.stream().flatMap(it -> problem(groups.indexOf(it), it.name()).stream()).toList();
  }

  private static Optional<PlanProblem> problem(int index, String name) {
    return Arrays.stream(name.split("-"))
        .filter(RESERVED::contains)
        .findFirst()
        .map(
            part ->
                new PlanProblem(
                    "spec.regionServerGroups[" + index + "].name",
                    "'"
                        + name
                        + "' has the part '"
                        + part
                        + "', and another cluster's objects may have this name; no part between"
                        + " dashes must be one of "
                        + String.join(", ", RESERVED)));
  }
}
