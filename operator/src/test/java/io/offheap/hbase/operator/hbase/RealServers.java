package io.offheap.hbase.operator.hbase;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;

/**
 * ZooKeeper, two masters and three region servers, each in a process of its own. The region
 * servers' hosts are addresses in decimal: names of one part that differ, as those of pods do, and
 * that are found without a name server.
 */
final class RealServers implements AutoCloseable {
  private static final int MASTERS = 2;
  private static final int REGION_SERVERS = 3;
  private static final long LOOPBACK = 127L << 24;

  private final Path folder;
  private final int zooKeeperPort = HBaseJvm.freePort();
  private final int regionServerPort = HBaseJvm.freePort();
  private final Map<Integer, Integer> masterPorts = new LinkedHashMap<>();
  private final Map<String, HBaseJvm> processes = new LinkedHashMap<>();

  private RealServers(Path folder) {
    this.folder = folder;
  }

  /** Starts all of it; it serves some seconds later. */
  static RealServers start(Path folder) {
    var servers = new RealServers(folder);
    servers.add(
        "zookeeper",
        64,
        Map.of(),
        "org.apache.zookeeper.server.ZooKeeperServerMain",
        Integer.toString(servers.zooKeeperPort),
        folder.resolve("zookeeper-data").toString(),
        "1000");
    IntStream.range(0, MASTERS).forEach(servers::startMaster);
    IntStream.range(0, REGION_SERVERS).forEach(servers::startRegionServer);
    return servers;
  }

  private void startMaster(int index) {
    int port = HBaseJvm.freePort();
    masterPorts.put(port, index);
    add(
        "master-" + index,
        200,
        Map.of("hbase.master.port", Integer.toString(port), "zookeeper.session.timeout", "20000"),
        "org.apache.hadoop.hbase.master.HMaster",
        "start");
  }

  /** Starts a region server, again if it is dead. */
  void startRegionServer(int index) {
    add(
        "rs-" + index,
        200,
        Map.of(
            "hbase.regionserver.port",
            Integer.toString(regionServerPort),
            "hbase.unsafe.regionserver.hostname",
            pod(index),
            "zookeeper.session.timeout",
            "4000"),
        "org.apache.hadoop.hbase.regionserver.HRegionServer",
        "start");
  }

  private void add(String name, int heapMiB, Map<String, String> own, String... main) {
    var site = new LinkedHashMap<>(RealHBase.site(folder));
    site.put("hbase.cluster.distributed", "true");
    site.put("hbase.zookeeper.quorum", "localhost");
    site.put("hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort));
    site.putAll(own);
    processes.put(name, HBaseJvm.start(folder, name, heapMiB, site, main));
  }

  /** What would be a region server's pod: its host's only part. */
  static String pod(int index) {
    return Long.toString(LOOPBACK + 11 + index);
  }

  /** {@code host:port} of all region servers. */
  List<String> regionServers() {
    return IntStream.range(0, REGION_SERVERS)
        .mapToObj(index -> pod(index) + ":" + regionServerPort)
        .toList();
  }

  HBaseJvm regionServer(int index) {
    return processes.get("rs-" + index);
  }

  /** The process of a master by its server name. */
  HBaseJvm master(String serverName) {
    return processes.get("master-" + masterPorts.get(ServerName.valueOf(serverName).getPort()));
  }

  @Override
  public void close() {
    processes.values().forEach(HBaseJvm::close);
  }
}
