package io.offheap.hbase.operator.declare;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.plan.PlanProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the schema cannot check of a resource: the API server limits the cost of CEL rules, so that
 * none is possible over unbounded names, and the message of a rule cannot name the values of two
 * fields. It also repeats bounds of the schema, for resources that no API server has checked.
 */
public final class ClusterChecks {
  private static final Pattern SERVER = Pattern.compile("[^\\s,:/]+(?::(?<port>[0-9]{1,5}))?");

  private static final int LAST_PORT = 65_535;

  /**
   * Bytes of a spec as JSON. The status has it up to twice, beside the regions of a rollout under
   * way, and etcd refuses a resource of 1.5 MiB: then no step could be stored any more.
   */
  private static final int LARGEST_SPEC = 128 << 10;

  private static final ObjectMapper JSON = new ObjectMapper();

  private ClusterChecks() {}

  /** All problems for which a resource is refused, with every {@link PodRight} granted. */
  public static List<PlanProblem> problems(HBaseCluster cluster) {
    return problems(cluster, PodRights.ALL);
  }

  /**
   * All problems for which an operator refuses a resource.
   *
   * @param rights what the operator's settings permit in pod templates
   */
  public static List<PlanProblem> problems(HBaseCluster cluster, PodRights rights) {
    var unreadable = UnreadableSpec.problems(cluster.getMetadata());
    if (!unreadable.isEmpty()) {
      return unreadable;
    }
    var problems = new ArrayList<PlanProblem>();
    var spec = cluster.getSpec();
    var name = cluster.getMetadata().getName();
    checkName(name, problems);
    checkSize(spec, problems);
    checkReplication(spec.storage().managed(), problems);
    checkQuorum(spec.zookeeper().external(), problems);
    checkCounts(spec, problems);
    ServerGroups.of(spec).forEach(group -> GroupChecks.check(name, group, problems));
    RolloutChecks.check(spec.rollout(), problems);
    problems.addAll(NetworkPolicyChecks.problems(spec));
    TuningChecks.check(spec.tuning(), problems);
    problems.addAll(GroupNames.problems(spec));
    problems.addAll(GroupChecks.changedVolumes(cluster));
    problems.addAll(RoleConfigs.problems(spec));
    problems.addAll(PodTemplateChecks.problems(spec, rights));
    problems.addAll(PodTemplateChecks.sizeProblems(cluster));
    return problems;
  }

  private static void checkSize(HBaseClusterSpec spec, List<PlanProblem> problems) {
    int size = JSON.valueToTree(spec).toString().getBytes(UTF_8).length;
    if (size > LARGEST_SPEC) {
      problems.add(
          new PlanProblem(
              "spec",
              size + " bytes as JSON; must be at most " + LARGEST_SPEC + " for the status"));
    }
  }

  private static void checkName(String name, List<PlanProblem> problems) {
    if (!name.matches("[a-z]([-a-z0-9]*[a-z0-9])?")) {
      problems.add(
          new PlanProblem(
              "metadata.name",
              "'"
                  + name
                  + "' cannot begin the name of a service; must be a letter, then lower case"
                  + " letters, digits and dashes"));
    }
  }

  private static void checkReplication(StorageSpec.Managed hdfs, List<PlanProblem> problems) {
    if (hdfs != null && hdfs.replication() > hdfs.dataNodes()) {
      problems.add(
          new PlanProblem(
              "spec.storage.managed.replication",
              hdfs.replication()
                  + " copies cannot be kept on "
                  + hdfs.dataNodes()
                  + " dataNodes; must be at most "
                  + hdfs.dataNodes()));
    }
  }

  /**
   * The bounds of the schema, for a resource that no API server has checked. The plan lists the
   * host of each server, so that a count of a billion would exhaust the heap.
   */
  private static void checkCounts(HBaseClusterSpec spec, List<PlanProblem> problems) {
    checkCount("spec.masters.replicas", spec.masters().replicas(), 9, problems);
    var zookeeper = spec.zookeeper().managed();
    if (zookeeper != null) {
      checkCount("spec.zookeeper.managed.replicas", zookeeper.replicas(), 5, problems);
    }
    var hdfs = spec.storage().managed();
    if (hdfs != null) {
      checkCount("spec.storage.managed.dataNodes", hdfs.dataNodes(), 1000, problems);
    }
  }

  private static void checkCount(String field, int count, int most, List<PlanProblem> problems) {
    new FieldRange(FieldRange.Form.COUNT, 1, most)
        .problem(count)
        .ifPresent(it -> problems.add(new PlanProblem(field, it)));
  }

  private static void checkQuorum(ZooKeeperSpec.External external, List<PlanProblem> problems) {
    if (external == null) {
      return;
    }
    Arrays.stream(external.quorum().split(",", -1))
        .filter(server -> !isServer(server))
        .findFirst()
        .ifPresent(
            server ->
                problems.add(
                    new PlanProblem(
                        "spec.zookeeper.external.quorum",
                        "'"
                            + server
                            + "' is not a server; must be host or host:port, without a path: the"
                            + " znode is spec.zookeeper.external.znodeParent")));
  }

  private static boolean isServer(String text) {
    var server = SERVER.matcher(text);
    if (!server.matches()) {
      return false;
    }
    var port = server.group("port");
    return port == null || (Integer.parseInt(port) > 0 && Integer.parseInt(port) <= LAST_PORT);
  }
}
