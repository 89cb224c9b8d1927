package io.offheap.hbase.operator.hbase;

import io.offheap.hbase.operator.render.HadoopXml;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** ZooKeeper, a master and a region server of HBase's own, in one process of their own. */
final class RealHBase implements AutoCloseable {
  private final Process process;
  private final int regionServerPort;

  private RealHBase(Process process, int regionServerPort) {
    this.process = process;
    this.regionServerPort = regionServerPort;
  }

  /** Starts it; it serves some seconds later. Its log and data are kept in the folder. */
  static RealHBase start(Path folder) throws IOException {
    int regionServerPort = freePort();
    var site = new LinkedHashMap<String, String>();
    site.put("hbase.rootdir", folder.resolve("root").toUri().toString());
    site.put("hbase.tmp.dir", folder.resolve("tmp").toString());
    site.put("hbase.wal.provider", "filesystem");
    site.put("hbase.unsafe.stream.capability.enforce", "false");
    site.put("hbase.zookeeper.property.dataDir", folder.resolve("zookeeper").toString());
    site.put("hbase.zookeeper.property.clientPort", Integer.toString(freePort()));
    site.put("hbase.master.port", Integer.toString(freePort()));
    site.put("hbase.master.hostname", "localhost");
    site.put("hbase.master.info.port", "-1");
    site.put("hbase.regionserver.port", Integer.toString(regionServerPort));
    site.put("hbase.regionserver.hostname", "localhost");
    site.put("hbase.regionserver.info.port", "-1");
    site.put("hbase.regionserver.handler.count", "5");
    var conf = Files.createDirectories(folder.resolve("conf"));
    Files.writeString(conf.resolve("hbase-site.xml"), HadoopXml.of(site));
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-cp",
            conf + File.pathSeparator + System.getProperty("java.class.path"),
            "org.apache.hadoop.hbase.master.HMaster",
            "start");
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("hbase.log").toFile())
            .start();
    return new RealHBase(process, regionServerPort);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** {@code host:port} of the region server. */
  String regionServer() {
    return "localhost:" + regionServerPort;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
  }
}
