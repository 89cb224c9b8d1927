package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.ClientsSpec;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.ImageSpec;
import io.offheap.hbase.operator.api.InfrastructureImage;
import io.offheap.hbase.operator.api.ObjectName;
import io.offheap.hbase.operator.declare.RolloutSettings;
import io.offheap.hbase.operator.declare.ServerGroup;
import io.offheap.hbase.operator.render.Ports;
import io.offheap.hbase.operator.render.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The input of a cluster's objects: built once in a reconciliation from the resource and the plan,
 * and read by every dependent resource.
 *
 * @param cluster the resource
 * @param image image of HBase's pods; a group may have another
 * @param topology addresses of ZooKeeper, HDFS and the masters
 * @param roles the roles that the operator runs, in the order in which they start
 * @param operator the operator's own pods; empty if it runs outside of the cluster
 */
public record ClusterModel(
    HBaseCluster cluster,
    Image image,
    Topology topology,
    List<RoleModel> roles,
    Optional<OperatorPods> operator) {
  private static final String KEY = "cluster-model";

  /**
   * The image of every pod.
   *
   * @param name repository and tag, or repository and digest
   * @param pullPolicy Kubernetes' pull policy, where declared
   * @param pullSecrets names of image pull secrets
   */
  public record Image(String name, Optional<String> pullPolicy, List<String> pullSecrets) {
    /** The declared image, completed by the default. */
    public static Image of(ImageSpec spec, String defaultImage) {
      if (spec == null) {
        return new Image(defaultImage, Optional.empty(), List.of());
      }
      var digest = defaultImage.indexOf('@');
      int end = digest < 0 ? defaultImage.lastIndexOf(':') : digest;
      var repository =
          spec.repository() == null ? defaultImage.substring(0, end) : spec.repository();
      return new Image(
          repository + which(spec).orElseGet(() -> defaultImage.substring(end)),
          Optional.ofNullable(spec.pullPolicy()).map(Enum::name),
          spec.pullSecrets() == null
              ? List.of()
              : spec.pullSecrets().stream().map(ObjectName::name).toList());
    }

    /** The name without its tag or digest. */
    public String repository() {
      int digest = name.indexOf('@');
      int end = digest < 0 ? name.lastIndexOf(':') : digest;
      return end < 0 ? name : name.substring(0, end);
    }

    /** The image of the same repository with another tag or digest. */
    public String with(InfrastructureImage which) {
      return repository() + (which.digest() == null ? ":" + which.tag() : "@" + which.digest());
    }

    private static Optional<String> which(ImageSpec spec) {
      return spec.digest() == null
          ? Optional.ofNullable(spec.tag()).map(it -> ":" + it)
          : Optional.of("@" + spec.digest());
    }
  }

  /**
   * Builds the model of a cluster.
   *
   * @param groups its groups of region servers, the default one first
   * @param image image of the masters
   * @param infrastructure image of a role of ZooKeeper or HDFS
   */
  public static ClusterModel of(
      HBaseCluster cluster,
      List<GroupModel> groups,
      Image image,
      Function<Role, String> infrastructure) {
    return new ClusterModelBuilder(cluster, groups, image, infrastructure).build();
  }

  /** A copy whose pods the operator's own pods may reach. */
  public ClusterModel reachedBy(Optional<OperatorPods> pods) {
    return new ClusterModel(cluster, image, topology, roles, pods);
  }

  /** {@code host:port} of any master. */
  String masters() {
    return name(Role.MASTER)
        + "."
        + cluster.getMetadata().getNamespace()
        + ".svc:"
        + Ports.MASTER_RPC;
  }

  /** How long a pod's drain may take before its process gets SIGTERM, in seconds. */
  long drainSeconds(Role role) {
    return role == Role.REGIONSERVER
        ? RolloutSettings.of(cluster.getSpec().rollout()).drainTimeout().toSeconds()
        : 0;
  }

  /** Passes the model to the dependent resources of a reconciliation. */
  public void putInto(Context<HBaseCluster> context) {
    context.managedWorkflowAndDependentResourceContext().put(KEY, this);
  }

  static ClusterModel from(Context<HBaseCluster> context) {
    return context
        .managedWorkflowAndDependentResourceContext()
        .getMandatory(KEY, ClusterModel.class);
  }

  /** The groups of region servers, the default one first. */
  public List<RoleModel> regionServers() {
    return roles.stream().filter(model -> model.role() == Role.REGIONSERVER).toList();
  }

  /** Name of the objects of a role that a cluster has once. */
  String name(Role role) {
    return name(cluster, role);
  }

  /** Name of the objects of a role that a cluster has once. */
  public static String name(HasMetadata cluster, Role role) {
    return cluster.getMetadata().getName() + "-" + role.text();
  }

  /** Name of the claim of a pod of ZooKeeper or HDFS. */
  public static String dataClaim(HasMetadata cluster, Role role, int ordinal) {
    return PodVolume.DATA + "-" + name(cluster, role) + "-" + ordinal;
  }

  /** Name of the StatefulSet and the service of a group of region servers. */
  static String name(HasMetadata cluster, ServerGroup group) {
    return name(cluster, group.name());
  }

  private static String name(HasMetadata cluster, String group) {
    var name = name(cluster, Role.REGIONSERVER);
    return group.equals(ServerGroup.DEFAULT) ? name : name + "-" + group;
  }

  /**
   * The port that a service's servers listen on for RPC, where it is the service of a cluster's
   * masters or of a group of region servers.
   */
  public static OptionalInt rpcPort(String cluster, String service) {
    if (service.equals(cluster + "-" + Role.MASTER.text())) {
      return OptionalInt.of(Ports.MASTER_RPC);
    }
    var servers = cluster + "-" + Role.REGIONSERVER.text();
    boolean isOfRegionServers =
        service.equals(servers)
            || (service.startsWith(servers + "-")
                && Arrays.stream(service.substring(servers.length() + 1).split("-"))
                    .noneMatch(Role::isName));
    return isOfRegionServers ? OptionalInt.of(Ports.REGIONSERVER_RPC) : OptionalInt.empty();
  }

  /** Name of the StatefulSet of a group of region servers. */
  public static String statefulSet(HasMetadata cluster, ServerGroup group) {
    return name(cluster, group);
  }

  /** Name of the config map that clients mount; unlike others, it has no hash of its content. */
  public String clientConfigMapName() {
    return cluster.getMetadata().getName() + "-client";
  }

  /** The declared client configuration. */
  public Map<String, String> clientConfig() {
    return Optional.ofNullable(cluster.getSpec().clients())
        .map(ClientsSpec::config)
        .orElse(Map.of());
  }

  /** A pod's DNS name, which resolves in all namespaces and with any cluster domain. */
  static String hostName(HasMetadata cluster, Role role, int ordinal) {
    return hostNameIn(cluster, name(cluster, role), ordinal);
  }

  /**
   * The same for a region server.
   *
   * @param group name of its group
   */
  public static String hostName(HasMetadata cluster, String group, int ordinal) {
    return hostNameIn(cluster, name(cluster, group), ordinal);
  }

  private static String hostNameIn(HasMetadata cluster, String service, int ordinal) {
    return service
        + "-"
        + ordinal
        + "."
        + service
        + "."
        + cluster.getMetadata().getNamespace()
        + ".svc";
  }
}
