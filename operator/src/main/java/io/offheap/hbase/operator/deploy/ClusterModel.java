package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Quantity;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.ImageSpec;
import io.offheap.hbase.operator.api.StorageSpec;
import io.offheap.hbase.operator.api.VolumeSpec;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.render.Ports;
import io.offheap.hbase.operator.render.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What a cluster's objects are made from: built once in a pass from the resource and the plan, and
 * read by every dependent resource.
 *
 * @param cluster the resource
 * @param image image of every pod
 * @param topology where the parts find each other
 * @param roles the roles that the operator runs, in the order in which they start
 */
public record ClusterModel(
    HBaseCluster cluster, Image image, Topology topology, List<RoleModel> roles) {
  private static final String KEY = "cluster-model";
  private static final long MIB = 1L << 20;
  private static final long ZOOKEEPER_HEAP = 256 * MIB;
  private static final long HDFS_HEAP = 512 * MIB;
  private static final Quantity SMALL_CPU = Quantity.parse("100m");

  /**
   * The image of every pod.
   *
   * @param name repository and tag
   * @param pullPolicy Kubernetes' pull policy, where declared
   * @param pullSecrets names of image pull secrets
   */
  public record Image(String name, Optional<String> pullPolicy, List<String> pullSecrets) {
    static Image of(ImageSpec spec, String defaultImage) {
      if (spec == null) {
        return new Image(defaultImage, Optional.empty(), List.of());
      }
      int colon = defaultImage.lastIndexOf(':');
      var repository =
          spec.repository() == null ? defaultImage.substring(0, colon) : spec.repository();
      var tag = spec.tag() == null ? defaultImage.substring(colon + 1) : spec.tag();
      return new Image(
          repository + ":" + tag,
          Optional.ofNullable(spec.pullPolicy()).map(Enum::name),
          spec.pullSecrets() == null ? List.of() : List.copyOf(spec.pullSecrets()));
    }
  }

  /** Builds the model of a cluster with a plan. */
  public static ClusterModel of(HBaseCluster cluster, MemoryPlan plan, String defaultImage) {
    return new Builder(cluster, plan).build(defaultImage);
  }

  /** Hands the model to the dependent resources of a pass. */
  public void putInto(Context<HBaseCluster> context) {
    context.managedWorkflowAndDependentResourceContext().put(KEY, this);
  }

  static ClusterModel from(Context<HBaseCluster> context) {
    return context
        .managedWorkflowAndDependentResourceContext()
        .getMandatory(KEY, ClusterModel.class);
  }

  /** The model of a role, if the operator runs it for this cluster. */
  public Optional<RoleModel> role(Role role) {
    return roles.stream().filter(model -> model.role() == role).findFirst();
  }

  /** The region servers. */
  public RoleModel regionServers() {
    return role(Role.REGIONSERVER).orElseThrow();
  }

  /** Name of the config map that clients mount; unlike the others' it never changes. */
  public String clientConfigMapName() {
    return cluster.getMetadata().getName() + "-client";
  }

  private static final class Builder {
    private final HBaseCluster cluster;
    private final HBaseClusterSpec spec;
    private final MemoryPlan plan;
    private final Topology topology;
    private final List<RoleModel> roles = new ArrayList<>();

    Builder(HBaseCluster cluster, MemoryPlan plan) {
      this.cluster = cluster;
      this.spec = cluster.getSpec();
      this.plan = plan;
      this.topology = topology();
    }

    ClusterModel build(String defaultImage) {
      addZooKeeper();
      addHdfs();
      addHBase();
      return new ClusterModel(
          cluster, Image.of(spec.image(), defaultImage), topology, List.copyOf(roles));
    }

    private Topology topology() {
      var managedHdfs = spec.storage().managedHdfs();
      Optional<Topology.ManagedHdfs> hdfs =
          Optional.ofNullable(managedHdfs)
              .map(it -> new Topology.ManagedHdfs(host(Role.NAMENODE, 0), it.replication()));
      var rootDir =
          hdfs.map(it -> it.defaultFs() + "/hbase")
              .orElseGet(() -> spec.storage().external().rootDir());
      return new Topology(zooKeeper(), rootDir, hdfs);
    }

    private Topology.ZooKeeper zooKeeper() {
      var external = spec.zookeeper().external();
      if (external != null) {
        return new Topology.ZooKeeper(external.quorum(), external.znodeParent(), List.of());
      }
      var servers = hosts(Role.ZOOKEEPER, spec.zookeeper().managed().replicas());
      var quorum =
          String.join(",", servers.stream().map(it -> it + ":" + Ports.ZOOKEEPER_CLIENT).toList());
      return new Topology.ZooKeeper(quorum, "/hbase", servers);
    }

    private void addZooKeeper() {
      var managed = spec.zookeeper().managed();
      if (managed != null) {
        roles.add(
            infrastructure(
                Role.ZOOKEEPER,
                managed.replicas(),
                ConfigFiles.zookeeper(topology, megabytes(ZOOKEEPER_HEAP)),
                ZOOKEEPER_HEAP,
                List.of(),
                managed.storage()));
      }
    }

    private void addHdfs() {
      var managed = spec.storage().managedHdfs();
      if (managed == null) {
        return;
      }
      var hdfs = topology.hdfs().orElseThrow();
      roles.add(
          infrastructure(
              Role.NAMENODE,
              1,
              ConfigFiles.nameNode(hdfs, megabytes(HDFS_HEAP)),
              HDFS_HEAP,
              List.of(),
              managed.storage()));
      roles.add(
          infrastructure(
              Role.DATANODE,
              managed.dataNodes(),
              ConfigFiles.dataNode(hdfs, megabytes(HDFS_HEAP)),
              HDFS_HEAP,
              waitForNameNode(),
              managed.storage()));
    }

    private void addHBase() {
      var waitFor = new ArrayList<String>();
      if (spec.zookeeper().managed() != null) {
        topology
            .zookeeper()
            .managedServers()
            .forEach(host -> waitFor.add(host + ":" + Ports.ZOOKEEPER_CLIENT));
      }
      waitFor.addAll(waitForNameNode());
      if (spec.storage().managedHdfs() != null) {
        // HBase gives up on an HDFS that cannot store a block yet.
        waitFor.add(host(Role.DATANODE, 0) + ":" + Ports.DATANODE_DATA);
      }
      long masterHeap = Quantity.getAmountInBytes(spec.masters().heap()).longValue();
      roles.add(
          role(
              Role.MASTER,
              spec.masters().replicas(),
              ConfigFiles.master(topology, megabytes(masterHeap)),
              waitFor,
              processBytes(masterHeap),
              SMALL_CPU,
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));
      var regionServers = spec.regionServers();
      var cores = Quantity.parse(regionServers.cores().toString());
      roles.add(
          role(
              Role.REGIONSERVER,
              regionServers.replicas(),
              ConfigFiles.regionServer(topology, plan),
              waitFor,
              plan.containerMemoryBytes(),
              Optional.ofNullable(regionServers.cpuRequest()).orElse(cores),
              Optional.of(cores),
              Optional.empty(),
              Optional.of(plan.hash())));
    }

    private List<String> waitForNameNode() {
      return spec.storage().managedHdfs() == null
          ? List.of()
          : List.of(host(Role.NAMENODE, 0) + ":" + Ports.NAMENODE_RPC);
    }

    private RoleModel infrastructure(
        Role role,
        int replicas,
        Map<String, String> files,
        long heap,
        List<String> waitFor,
        VolumeSpec volume) {
      return role(
          role,
          replicas,
          files,
          waitFor,
          processBytes(heap),
          SMALL_CPU,
          Optional.empty(),
          Optional.of(volume),
          Optional.empty());
    }

    private RoleModel role(
        Role role,
        int replicas,
        Map<String, String> files,
        List<String> waitFor,
        long memoryBytes,
        Quantity cpuRequest,
        Optional<Quantity> cpuLimit,
        Optional<VolumeSpec> volume,
        Optional<String> planHash) {
      var external = spec.storage().external();
      boolean isHBase = role == Role.MASTER || role == Role.REGIONSERVER;
      return new RoleModel(
          role,
          name(role),
          replicas,
          Labels.of(cluster, role),
          files,
          isHBase && external != null
              ? Optional.ofNullable(external).map(StorageSpec.External::configMapRefs).get()
              : List.of(),
          waitFor,
          memoryBytes,
          cpuRequest,
          cpuLimit,
          volume,
          planHash);
    }

    private String name(Role role) {
      return cluster.getMetadata().getName() + "-" + role.text();
    }

    private List<String> hosts(Role role, int count) {
      return IntStream.range(0, count).mapToObj(ordinal -> host(role, ordinal)).toList();
    }

    private String host(Role role, int ordinal) {
      return hostName(cluster, role, ordinal);
    }
  }

  /** The name by which a pod is reached from all namespaces, whatever the cluster's domain. */
  public static String hostName(HasMetadata cluster, Role role, int ordinal) {
    var service = cluster.getMetadata().getName() + "-" + role.text();
    return service
        + "-"
        + ordinal
        + "."
        + service
        + "."
        + cluster.getMetadata().getNamespace()
        + ".svc";
  }

  /** Heap, a quarter of it for what a JVM keeps beside it, and its code and classes. */
  private static long processBytes(long heap) {
    return heap + heap / 4 + 256 * MIB;
  }

  private static String megabytes(long bytes) {
    return bytes / MIB + "m";
  }
}
