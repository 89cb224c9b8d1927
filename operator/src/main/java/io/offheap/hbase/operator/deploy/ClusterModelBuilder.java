package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.Quantity;
import io.offheap.hbase.operator.api.BlockCacheSpec;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterSpec;
import io.offheap.hbase.operator.api.HdfsServerSpec;
import io.offheap.hbase.operator.api.ObjectName;
import io.offheap.hbase.operator.api.ResourcesSpec;
import io.offheap.hbase.operator.api.VolumeSpec;
import io.offheap.hbase.operator.declare.ServerGroup;
import io.offheap.hbase.operator.plan.MemoryPlan;
import io.offheap.hbase.operator.render.ConfigFiles;
import io.offheap.hbase.operator.render.OnlineKeys;
import io.offheap.hbase.operator.render.Ports;
import io.offheap.hbase.operator.render.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Builds a {@link ClusterModel}: the roles, their sizes, and the addresses each waits for. */
final class ClusterModelBuilder {
  private static final String CPU = "cpu";
  private static final long MIB = 1L << 20;
  private static final Quantity SMALL_CPU = Quantity.parse("100m");

  private final HBaseCluster cluster;
  private final HBaseClusterSpec spec;
  private final List<GroupModel> groups;
  private final ClusterModel.Image image;
  private final Function<Role, String> infrastructure;
  private final Topology topology;
  private final List<RoleModel> roles = new ArrayList<>();

  ClusterModelBuilder(
      HBaseCluster cluster,
      List<GroupModel> groups,
      ClusterModel.Image image,
      Function<Role, String> infrastructure) {
    this.cluster = cluster;
    this.spec = cluster.getSpec();
    this.groups = groups;
    this.image = image;
    this.infrastructure = infrastructure;
    this.topology = topology();
  }

  ClusterModel build() {
    addZooKeeper();
    addHdfs();
    addHBase();
    return new ClusterModel(cluster, image, topology, List.copyOf(roles), Optional.empty());
  }

  private Topology topology() {
    var managed = spec.storage().managed();
    Optional<Topology.ManagedHdfs> hdfs =
        Optional.ofNullable(managed)
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
      long heap = bytes(managed.effectiveHeap());
      roles.add(
          infrastructure(
              Role.ZOOKEEPER,
              managed.replicas(),
              ConfigFiles.zookeeper(topology, megabytes(heap), orNone(managed.config())),
              heap,
              List.of(),
              managed.storage()));
    }
  }

  private void addHdfs() {
    var managed = spec.storage().managed();
    if (managed == null) {
      return;
    }
    var hdfs = topology.hdfs().orElseThrow();
    long nameNodeHeap = bytes(HdfsServerSpec.heapOf(managed.nameNode()));
    long dataNodeHeap = bytes(HdfsServerSpec.heapOf(managed.dataNode()));
    roles.add(
        infrastructure(
            Role.NAMENODE,
            1,
            ConfigFiles.nameNode(hdfs, megabytes(nameNodeHeap), config(managed.nameNode())),
            nameNodeHeap,
            List.of(),
            managed.storage()));
    roles.add(
        infrastructure(
            Role.DATANODE,
            managed.dataNodes(),
            ConfigFiles.dataNode(hdfs, megabytes(dataNodeHeap), config(managed.dataNode())),
            dataNodeHeap,
            waitForNameNode(),
            managed.storage()));
  }

  private void addHBase() {
    var waitFor = new ArrayList<String>();
    if (spec.zookeeper().managed() != null) {
      waitFor.add(anyOf(Role.ZOOKEEPER) + ":" + Ports.ZOOKEEPER_CLIENT);
    }
    waitFor.addAll(waitForNameNode());
    if (spec.storage().managed() != null) {
      // HBase's start fails while HDFS cannot store a block.
      waitFor.add(anyOf(Role.DATANODE) + ":" + Ports.DATANODE_DATA);
    }
    long masterHeap = bytes(spec.masters().heap());
    roles.add(
        role(
            Role.MASTER,
            spec.masters().replicas(),
            ConfigFiles.master(topology, megabytes(masterHeap), orNone(spec.masters().config())),
            waitFor,
            masterHeap,
            SMALL_CPU,
            Optional.empty()));
    groups.forEach(group -> roles.add(regionServers(group, waitFor)));
  }

  private RoleModel regionServers(GroupModel model, List<String> waitFor) {
    var group = model.plan().group();
    var plan = model.plan().plan();
    var resources = group.spec().resources();
    var name = ClusterModel.name(cluster, group);
    return RoleModelBuilder.builder()
        .role(Role.REGIONSERVER)
        .group(group.name())
        .name(name)
        .replicas(model.replicas())
        .labels(Labels.of(cluster, group))
        .configFiles(ConfigFiles.regionServer(topology, plan))
        .online(
            Optional.of(
                new RoleModel.Online(
                    name + "-online", ConfigFiles.online(plan), OnlineKeys.online(plan).hash())))
        .extraConfigMaps(externalConfigMaps())
        .waitFor(waitFor)
        .memoryBytes(plan.containerMemoryBytes())
        .heapBytes(plan.g1().heapBytes())
        .requests(requests(resources))
        .limits(amounts(resources.limits()))
        .volume(cacheVolume(group, plan))
        .planHash(Optional.of(OnlineKeys.atStart(plan).hash()))
        .podTemplate(Optional.ofNullable(group.spec().podTemplate()))
        .image(model.image())
        .declared(model.declared())
        .build();
  }

  /** Without a declared CPU request, the limit is the request, as in Kubernetes. */
  private static Map<String, Quantity> requests(ResourcesSpec resources) {
    var requests = new TreeMap<>(Map.of(CPU, resources.limits().cpu()));
    Optional.ofNullable(resources.requests()).ifPresent(it -> requests.putAll(amounts(it)));
    return requests;
  }

  private static Map<String, Quantity> amounts(ResourcesSpec.Amounts declared) {
    var amounts = new TreeMap<String, Quantity>();
    Optional.ofNullable(declared.cpu()).ifPresent(it -> amounts.put(CPU, it));
    Optional.ofNullable(declared.ephemeralStorage())
        .ifPresent(it -> amounts.put(ResourcesSpec.Amounts.EPHEMERAL_STORAGE, it));
    return amounts;
  }

  private static Optional<PodVolume> cacheVolume(ServerGroup group, MemoryPlan plan) {
    return plan.bucketCache()
        .flatMap(MemoryPlan.BucketCache::folder)
        .map(
            folder -> {
              var file = Optional.ofNullable(group.spec().blockCache().file());
              var claim = file.map(BlockCacheSpec.FileSpec::storage).orElse(null);
              var size =
                  claim == null
                      ? folderLimit(plan.bucketCache().orElseThrow().fileBytes())
                      : claim.size();
              return PodVolume.ofCache(folder, size, claim);
            });
  }

  /** The kubelet evicts a pod that exceeds it, so it leaves room for other files in the folder. */
  private static Quantity folderLimit(long fileBytes) {
    return new Quantity(Long.toString(fileBytes / 15 * 16));
  }

  private List<String> waitForNameNode() {
    return spec.storage().managed() == null
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
        role, replicas, files, waitFor, heap, SMALL_CPU, Optional.of(PodVolume.ofData(volume)));
  }

  private RoleModel role(
      Role role,
      int replicas,
      Map<String, String> files,
      List<String> waitFor,
      long heap,
      Quantity cpuRequest,
      Optional<PodVolume> volume) {
    return RoleModelBuilder.builder()
        .role(role)
        .group(ServerGroup.DEFAULT)
        .name(name(role))
        .replicas(replicas)
        .labels(Labels.of(cluster, role))
        .configFiles(files)
        .online(Optional.empty())
        .extraConfigMaps(role == Role.MASTER ? externalConfigMaps() : List.of())
        .waitFor(waitFor)
        .memoryBytes(processBytes(heap))
        .heapBytes(heap)
        .requests(Map.of(CPU, cpuRequest))
        .limits(Map.of())
        .volume(volume)
        .planHash(Optional.empty())
        .podTemplate(DeclaredPods.of(spec, role))
        .image(role.isHBase() ? image.name() : infrastructure.apply(role))
        .declared(
            role.isHBase()
                ? DeclaredHash.ofMasters(spec, image.name())
                : DeclaredHash.ofInfrastructure(spec, role, infrastructure.apply(role)))
        .build();
  }

  private List<String> externalConfigMaps() {
    var external = spec.storage().external();
    return external == null
        ? List.of()
        : external.configMapRefs().stream().map(ObjectName::name).toList();
  }

  private String name(Role role) {
    return cluster.getMetadata().getName() + "-" + role.text();
  }

  /** The service's name: others may start while any pod of the role serves. */
  private String anyOf(Role role) {
    return name(role) + "." + cluster.getMetadata().getNamespace() + ".svc";
  }

  private List<String> hosts(Role role, int count) {
    return IntStream.range(0, count).mapToObj(ordinal -> host(role, ordinal)).toList();
  }

  private String host(Role role, int ordinal) {
    return ClusterModel.hostName(cluster, role, ordinal);
  }

  private static Map<String, String> config(HdfsServerSpec server) {
    return server == null ? Map.of() : orNone(server.config());
  }

  private static Map<String, String> orNone(Map<String, String> config) {
    return config == null ? Map.of() : config;
  }

  private static long bytes(Quantity quantity) {
    return Quantity.getAmountInBytes(quantity).longValue();
  }

  /** Heap, a quarter of it for the JVM's other memory, and a constant for code and classes. */
  private static long processBytes(long heap) {
    return heap + heap / 4 + 256 * MIB;
  }

  private static String megabytes(long bytes) {
    return bytes / MIB + "m";
  }
}
