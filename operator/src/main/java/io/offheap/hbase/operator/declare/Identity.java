package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.ZooKeeperSpec;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.render.Ports;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What two HBase clusters must not share: the znode on a ZooKeeper server, and the root directory.
 * Clusters that share one block each other's masters and delete each other's files. On a managed
 * ZooKeeper or HDFS, the managed znode and root belong to the cluster that it is managed for; other
 * clusters may use other paths there.
 */
public final class Identity {
  private static final Pattern ROOT =
      Pattern.compile("(?<scheme>[a-z0-9]+)://(?<authority>[^/]*)(?<path>.*)");

  /** By creation, which has a resolution of a second, then by uid. */
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
   * The cluster that owns an identity which both declare, so that this one is refused: the cluster
   * whose managed ZooKeeper or HDFS it is, at any age, else the oldest of the older ones.
   *
   * @param others clusters with a text of {@link #of} in common; may include this one
   */
  public static Optional<HBaseCluster> owner(HBaseCluster cluster, Stream<HBaseCluster> others) {
    return others
        .filter(it -> !it.getMetadata().getUid().equals(cluster.getMetadata().getUid()))
        .filter(it -> owns(it, cluster))
        .min(
            Comparator.<HBaseCluster, Boolean>comparing(it -> !managesAny(it, of(cluster)))
                .thenComparing(OLDEST_FIRST));
  }

  /** Whether the first cluster owns an identity that both declare. */
  private static boolean owns(HBaseCluster one, HBaseCluster other) {
    if (managesAny(one, of(other))) {
      return true;
    }
    var common = new ArrayList<>(of(one));
    common.retainAll(of(other));
    // A managed identity has the cluster's namespace and name, so that no older cluster owns it.
    common.removeAll(managed(other));
    return !common.isEmpty() && OLDEST_FIRST.compare(one, other) < 0;
  }

  private static boolean managesAny(HBaseCluster cluster, List<String> declared) {
    return !Collections.disjoint(managed(cluster), declared);
  }

  /** The problem of a cluster that declares an identity of another. */
  public static PlanProblem problem(HBaseCluster refused, HBaseCluster owner) {
    var common = new ArrayList<>(of(refused));
    common.retainAll(of(owner));
    common.removeAll(managed(refused));
    var run = new ArrayList<>(common);
    run.retainAll(managed(owner));
    var text = run.isEmpty() ? common.get(0) : run.get(0);
    var namespace = owner.getMetadata().getNamespace();
    // A message names no cluster of another namespace.
    var other =
        namespace.equals(refused.getMetadata().getNamespace())
            ? "the HBaseCluster '" + owner.getMetadata().getName() + "'"
            : "an HBaseCluster of another namespace";
    boolean isRoot = !text.startsWith(ZOOKEEPER);
    return new PlanProblem(
        isRoot ? "spec.storage.external.rootDir" : "spec.zookeeper.external",
        text
            + " belongs to "
            + other
            + (run.isEmpty() ? ", which is older" : ", which has it managed")
            + "; two clusters on it delete each other's data; must be another "
            + (isRoot ? "root directory" : "znodeParent"));
  }

  /** The texts of {@link #of} on hosts that the operator runs for this cluster. */
  private static List<String> managed(HBaseCluster cluster) {
    var spec = cluster.getSpec();
    if (spec == null || spec.zookeeper() == null || spec.storage() == null) {
      return List.of();
    }
    return Stream.concat(
            managedZnodes(cluster, spec.zookeeper()), managedRoots(cluster, spec.storage()))
        .toList();
  }

  private static Stream<String> znodes(HBaseCluster cluster, ZooKeeperSpec spec) {
    var external = spec.external();
    if (external != null) {
      // Required, but a value that cannot be read is left out.
      if (external.quorum() == null) {
        return Stream.empty();
      }
      return Arrays.stream(external.quorum().split(","))
          .map(it -> server(cluster, it, Ports.ZOOKEEPER_CLIENT))
          .map(it -> ZOOKEEPER + it + path(external.znodeParent()));
    }
    return managedZnodes(cluster, spec);
  }

  private static Stream<String> managedZnodes(HBaseCluster cluster, ZooKeeperSpec spec) {
    if (spec.external() != null || spec.managed() == null) {
      return Stream.empty();
    }
    return hosts(cluster, "zookeeper", spec.managed().replicas())
        .map(it -> ZOOKEEPER + it + ":" + Ports.ZOOKEEPER_CLIENT + MANAGED_PATH);
  }

  private static Stream<String> managedRoots(HBaseCluster cluster, StorageSpec spec) {
    return spec.managed() == null
        ? Stream.empty()
        : hosts(cluster, "namenode", 1)
            .map(it -> "hdfs://" + it + ":" + Ports.NAMENODE_RPC + MANAGED_PATH);
  }

  private static Stream<String> roots(HBaseCluster cluster, StorageSpec spec) {
    if (spec.managed() != null) {
      return managedRoots(cluster, spec);
    }
    if (spec.external() == null || spec.external().rootDir() == null) {
      return Stream.empty();
    }
    var root = ROOT.matcher(spec.external().rootDir());
    if (!root.matches()) {
      return Stream.of(spec.external().rootDir());
    }
    var scheme = root.group("scheme");
    boolean isHdfs = scheme.equals("hdfs");
    // A user before the host is not part of an HDFS; before an account of Azure's is a container.
    var authority = root.group("authority");
    var host = isHdfs ? authority.substring(authority.lastIndexOf('@') + 1) : authority;
    var path = path(root.group("path"));
    // With neither a port nor a dot it is a bucket, a name service, or a host of this namespace.
    boolean isName = !isHdfs || !host.matches(".*[.:].*");
    return Stream.concat(
        isName ? Stream.of(scheme + "://" + host + path) : Stream.empty(),
        isHdfs
            ? Stream.of(scheme + "://" + server(cluster, host, Ports.NAMENODE_RPC) + path)
            : Stream.empty());
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
    var digits = colon < 0 ? "" : address.substring(colon + 1).replaceFirst("^0+", "");
    var port = digits.isEmpty() ? Integer.toString(defaultPort) : digits;
    return qualified(host.toLowerCase(Locale.ROOT), cluster.getMetadata().getNamespace())
        + ":"
        + port;
  }

  /**
   * As a pod of a namespace resolves it: {@code host.namespace.svc}, without the cluster's domain.
   */
  private static String qualified(String host, String namespace) {
    var name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    int domain = name.indexOf(".svc.");
    if (domain >= 0) {
      return name.substring(0, domain) + ".svc";
    }
    if (name.endsWith(".svc")) {
      return name;
    }
    // A service, or a pod of a StatefulSet; other names are service.namespace.
    boolean isOfNamespace = name.matches("[^.]+|[^.]+-[0-9]+\\.[^.]+");
    return isOfNamespace ? name + "." + namespace + ".svc" : name + ".svc";
  }

  /** As Hadoop's Path normalises it: without empty parts, {@code .} and {@code ..}. */
  private static String path(String text) {
    var parts = new ArrayDeque<String>();
    for (var part : text.split("/", -1)) {
      if (part.equals("..")) {
        parts.pollLast();
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.addLast(part);
      }
    }
    return parts.stream().map(it -> "/" + it).collect(Collectors.joining());
  }
}
