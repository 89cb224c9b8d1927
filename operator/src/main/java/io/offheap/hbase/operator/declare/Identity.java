package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.render.Ports;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What no two HBase clusters may share: the znode on a ZooKeeper server, and the root directory.
 * Two that do shut out each other's masters and delete each other's files.
 */
public final class Identity {
  private static final Pattern ROOT =
      Pattern.compile("(?<scheme>[a-z0-9]+)://(?<authority>[^/]*)(?<path>.*)");

  /** By creation, and by uid within a second. */
  private static final Comparator<HBaseCluster> OLDEST_FIRST =
      Comparator.<HBaseCluster, String>comparing(it -> it.getMetadata().getCreationTimestamp())
          .thenComparing(it -> it.getMetadata().getUid());

  private static final String ZOOKEEPER = "zookeeper://";
  private static final String MANAGED_PATH = "/hbase";

  private Identity() {}

  /** One text for each znode and root directory; two clusters that share one cannot both run. */
  public static List<String> of(HBaseCluster cluster) {
    if (cluster.getSpec() == null
        || cluster.getSpec().zookeeper() == null
        || cluster.getSpec().storage() == null) {
      return List.of();
    }
    return Stream.concat(
            znodes(cluster, cluster.getSpec().zookeeper()),
            roots(cluster, cluster.getSpec().storage()))
        .distinct()
        .toList();
  }

  /**
   * The oldest of other clusters that has something in common with one and is older; it stays.
   *
   * @param others clusters with a text of {@link #of} in common with it, itself perhaps among them
   */
  public static Optional<HBaseCluster> older(HBaseCluster cluster, Stream<HBaseCluster> others) {
    return others
        .filter(it -> !it.getMetadata().getUid().equals(cluster.getMetadata().getUid()))
        .filter(it -> OLDEST_FIRST.compare(it, cluster) < 0)
        .min(OLDEST_FIRST);
  }

  /** Why the younger of two clusters that share something is refused; none of it is changed. */
  public static PlanProblem problem(HBaseCluster younger, HBaseCluster older) {
    var common = new ArrayList<>(of(younger));
    common.retainAll(of(older));
    var namespace = older.getMetadata().getNamespace();
    // Who is in another namespace is not to be learnt here.
    var other =
        namespace.equals(younger.getMetadata().getNamespace())
            ? "the HBaseCluster '" + older.getMetadata().getName() + "'"
            : "an HBaseCluster of another namespace";
    boolean isRoot = common.stream().noneMatch(it -> it.startsWith(ZOOKEEPER));
    return new PlanProblem(
        isRoot ? "spec.storage.external.rootDir" : "spec.zookeeper.external",
        common.get(0)
            + " is that of "
            + other
            + ", which is older; two on one delete each other's data, so another "
            + (isRoot ? "root directory" : "znodeParent")
            + " is right");
  }

  private static Stream<String> znodes(HBaseCluster cluster, ZooKeeperSpec spec) {
    var external = spec.external();
    if (external != null) {
      return Arrays.stream(external.quorum().split(","))
          .map(it -> server(cluster, it, Ports.ZOOKEEPER_CLIENT))
          .map(it -> ZOOKEEPER + it + path(external.znodeParent()));
    }
    if (spec.managed() == null) {
      return Stream.empty();
    }
    return hosts(cluster, "zookeeper", spec.managed().replicas())
        .map(it -> ZOOKEEPER + it + ":" + Ports.ZOOKEEPER_CLIENT + MANAGED_PATH);
  }

  private static Stream<String> roots(HBaseCluster cluster, StorageSpec spec) {
    if (spec.managedHdfs() != null) {
      return hosts(cluster, "namenode", 1)
          .map(it -> "hdfs://" + it + ":" + Ports.NAMENODE_RPC + MANAGED_PATH);
    }
    if (spec.external() == null) {
      return Stream.empty();
    }
    var root = ROOT.matcher(spec.external().rootDir());
    if (!root.matches()) {
      return Stream.of(spec.external().rootDir());
    }
    var authority = root.group("authority");
    // Neither a port nor a dot: a name service, or a bucket, and no host of this namespace.
    boolean isHost = root.group("scheme").equals("hdfs") && authority.matches(".*[.:].*");
    return Stream.of(
        root.group("scheme")
            + "://"
            + (isHost ? server(cluster, authority, Ports.NAMENODE_RPC) : authority)
            + path(root.group("path")));
  }

  /** The pods' names, and that of the service in front of them. */
  private static Stream<String> hosts(HBaseCluster cluster, String role, int count) {
    var service = cluster.getMetadata().getName() + "-" + role;
    var inNamespace = service + "." + cluster.getMetadata().getNamespace() + ".svc";
    return Stream.concat(
        Stream.of(inNamespace),
        IntStream.range(0, count).mapToObj(it -> service + "-" + it + "." + inNamespace));
  }

  private static String server(HBaseCluster cluster, String address, int defaultPort) {
    int colon = address.lastIndexOf(':');
    var host = colon < 0 ? address : address.substring(0, colon);
    var port = colon < 0 ? Integer.toString(defaultPort) : address.substring(colon + 1);
    return qualified(host.toLowerCase(Locale.ROOT), cluster.getMetadata().getNamespace())
        + ":"
        + port;
  }

  /** As a pod of a namespace finds it: {@code host.namespace.svc}, without the cluster's domain. */
  private static String qualified(String host, String namespace) {
    var name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    int domain = name.indexOf(".svc.");
    if (domain >= 0) {
      return name.substring(0, domain) + ".svc";
    }
    if (name.endsWith(".svc")) {
      return name;
    }
    // A service, or a StatefulSet's pod by its service; service.namespace otherwise.
    boolean isOfNamespace = name.matches("[^.]+|[^.]+-[0-9]+\\.[^.]+");
    return isOfNamespace ? name + "." + namespace + ".svc" : name + ".svc";
  }

  private static String path(String text) {
    var path = text.replaceAll("/+", "/");
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
