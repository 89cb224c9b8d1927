package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.FreePort;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** ZooKeeper, a master and a region server of HBase, in one process. */
final class RealHBase implements AutoCloseable {
  private final HBaseJvm process;
  private final int regionServerPort;

  private RealHBase(HBaseJvm process, int regionServerPort) {
    this.process = process;
    this.regionServerPort = regionServerPort;
  }

  /** Starts the process; it serves some seconds later. Its log and data are kept in the folder. */
  static RealHBase start(Path folder) {
    int regionServerPort = FreePort.next();
    var site = new LinkedHashMap<>(site(folder));
    site.put("hbase.zookeeper.property.dataDir", folder.resolve("zookeeper").toString());
    site.put("hbase.zookeeper.property.clientPort", Integer.toString(FreePort.next()));
    site.put("hbase.master.port", Integer.toString(FreePort.next()));
    site.put("hbase.regionserver.port", Integer.toString(regionServerPort));
    site.put("hbase.regionserver.hostname", "localhost");
    return new RealHBase(
        HBaseJvm.start(
            folder, "hbase", 512, site, "org.apache.hadoop.hbase.master.HMaster", "start"),
        regionServerPort);
  }

  /** The configuration of every process of an HBase on this machine alone. */
  static Map<String, String> site(Path folder) {
    return Map.of(
        "hbase.rootdir", folder.resolve("root").toUri().toString(),
        "hbase.tmp.dir", folder.resolve("tmp").toString(),
        "hbase.wal.provider", "filesystem",
        "hbase.unsafe.stream.capability.enforce", "false",
        "hbase.master.hostname", "localhost",
        "hbase.master.info.port", "-1",
        "hbase.regionserver.info.port", "-1",
        "hbase.regionserver.handler.count", "5");
  }

  /** {@code host:port} of the region server. */
  String regionServer() {
    return "localhost:" + regionServerPort;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Freezes the process, so that neither master nor region server responds. */
  void freeze() {
    process.freeze();
  }

  void thaw() {
    process.thaw();
  }

  @Override
  public void close() {
    process.close();
  }
}
