package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

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

  /** The Service of their pages is called {@code CLUSTER-regionserver-pages}. */
  private static final String PAGES = "pages";

  private GroupNames() {}

  /** All problems of the groups' names. */
  static List<PlanProblem> problems(HBaseClusterSpec spec) {
    var groups = spec.regionServerGroups();
    return groups.stream()
        .flatMap(
            it ->
                Stream.concat(
                    problem(groups.indexOf(it), it.name()).stream(),
                    isNameOfPages(spec, it.name())
                        ? Stream.of(nameOfPages(groups.indexOf(it)))
                        : Stream.of()))
        .toList();
  }

  private static boolean isNameOfPages(HBaseClusterSpec spec, String name) {
    return name.equals(PAGES) && spec.servedPages().regionServers();
  }

  private static PlanProblem nameOfPages(int index) {
    return new PlanProblem(
        field(index),
        "'"
            + PAGES
            + "' is in the name of the Service that spec.webPages.regionServers makes; must be another"
            + " name, or the pages must not be declared");
  }

  private static String field(int index) {
    return "spec.regionServerGroups[" + index + "].name";
  }

  private static Optional<PlanProblem> problem(int index, String name) {
    return Arrays.stream(name.split("-"))
        .filter(RESERVED::contains)
        .findFirst()
        .map(
            part ->
                new PlanProblem(
                    field(index),
                    "'"
                        + name
                        + "' has the part '"
                        + part
                        + "', and another cluster's objects may have this name; no part between"
                        + " dashes must be one of "
                        + String.join(", ", RESERVED)));
  }
}
