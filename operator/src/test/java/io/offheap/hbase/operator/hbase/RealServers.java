package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.FreePort;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;

/**
 * ZooKeeper, masters and region servers, each in its own process. The region servers' hosts are
 * addresses in decimal: different names with one label, as those of pods, that resolve without a
 * name server.
 */
final class RealServers implements AutoCloseable {
  private static final long LOOPBACK = 127L << 24;

  private final Path folder;
  private final int regionServers;
  private final Map<String, String> regionServerSite;
  private final int zooKeeperPort = FreePort.next();
  private final int regionServerPort = FreePort.next();
  private final Map<Integer, Integer> masterPorts = new LinkedHashMap<>();
  private final Map<String, HBaseJvm> processes = new LinkedHashMap<>();

  private RealServers(Path folder, int regionServers, Map<String, String> regionServerSite) {
    this.folder = folder;
    this.regionServers = regionServers;
    this.regionServerSite = regionServerSite;
  }

  /** Starts all processes; they serve some seconds later. */
  static RealServers start(Path folder, int masters, int regionServers) {
    return start(folder, masters, regionServers, Map.of());
  }

  /** The same, with further properties of the region servers. */
  static RealServers start(
      Path folder, int masters, int regionServers, Map<String, String> regionServerSite) {
    var servers = new RealServers(folder, regionServers, regionServerSite);
    servers.add(
        "zookeeper",
        64,
        Map.of(),
        "org.apache.zookeeper.server.ZooKeeperServerMain",
        Integer.toString(servers.zooKeeperPort),
        folder.resolve("zookeeper-data").toString(),
        "1000");
    IntStream.range(0, masters).forEach(servers::startMaster);
    IntStream.range(0, regionServers).forEach(servers::startRegionServer);
    return servers;
  }

  private void startMaster(int index) {
    int port = FreePort.next();
    masterPorts.put(port, index);
    add(
        "master-" + index,
        200,
        Map.of(
            // A client of the region servers connects to this master.
            "hbase.master.hostname",
            pod(0),
            "hbase.master.port",
            Integer.toString(port),
            "zookeeper.session.timeout",
            "20000"),
        "org.apache.hadoop.hbase.master.HMaster",
        "start");
  }

  /** Starts a region server, also after it was killed. */
  void startRegionServer(int index) {
    var own = new LinkedHashMap<>(regionServerSite);
    own.put("hbase.regionserver.port", Integer.toString(regionServerPort));
    own.put("hbase.unsafe.regionserver.hostname", pod(index));
    own.put("zookeeper.session.timeout", "10000");
    add(name(index), 200, own, "org.apache.hadoop.hbase.regionserver.HRegionServer", "start");
  }

  private void add(String name, int heapMiB, Map<String, String> own, String... main) {
    var site = new LinkedHashMap<>(RealHBase.site(folder));
    site.put("hbase.cluster.distributed", "true");
    site.put("hbase.zookeeper.quorum", "localhost");
    site.put("hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort));
    site.putAll(own);
    processes.put(name, HBaseJvm.start(folder, name, heapMiB, site, main));
  }

  /** Name of a region server's process, of its configuration's folder and of its log. */
  static String name(int index) {
    return "rs-" + index;
  }

  /** Stands for a region server's pod: its host's only label. */
  static String pod(int index) {
    return Long.toString(LOOPBACK + 11 + index);
  }

  /** {@link #pod} of all region servers. */
  List<String> pods() {
    return IntStream.range(0, regionServers).mapToObj(RealServers::pod).toList();
  }

  /** {@code host:port} of all region servers. */
  List<String> regionServers() {
    return pods().stream().map(pod -> pod + ":" + regionServerPort).toList();
  }

  HBaseJvm regionServer(int index) {
    return processes.get(name(index));
  }

  /** The process of a master by its server name. */
  HBaseJvm master(String serverName) {
    return processes.get("master-" + masterPorts.get(ServerName.valueOf(serverName).getPort()));
  }

  boolean areAlive() {
    return processes.values().stream().allMatch(HBaseJvm::isAlive);
  }

  @Override
  public void close() {
    processes.values().forEach(HBaseJvm::close);
  }
}
