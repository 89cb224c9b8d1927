package io.offheap.hbase.observer;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/** A real region server in a process of its own, and a master with ZooKeeper in another. */
final class RegionServerProcess implements AutoCloseable {
  private final Path folder;
  private final int zooKeeperPort = freePort();
  private final int infoPort = freePort();
  private final List<Process> processes = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  private RegionServerProcess(Path folder) throws IOException {
    this.folder = folder;
  }

  /** Starts both; they serve some seconds later. Logs and data are kept in the folder. */
  static RegionServerProcess start(Path folder, Map<String, String> regionServerSite)
      throws IOException {
    var started = new RegionServerProcess(folder);
    var master = started.commonSite();
    // Not distributed, so that the master brings ZooKeeper with it.
    master.set("hbase.cluster.distributed", "false");
    started.run(
        "master",
        master,
        "org.apache.hadoop.hbase.master.HMaster",
        "--localRegionServers=0",
        "start");
    var regionServer = started.commonSite();
    regionServer.set("hbase.cluster.distributed", "true");
    regionServer.setInt("hbase.regionserver.info.port", started.infoPort);
    regionServerSite.forEach(regionServer::set);
    started.run(
        "regionserver",
        regionServer,
        "org.apache.hadoop.hbase.regionserver.HRegionServer",
        "start");
    return started;
  }

  private Configuration commonSite() throws IOException {
    var site = new Configuration(false);
    site.set("hbase.rootdir", folder.resolve("root").toUri().toString());
    site.set("hbase.tmp.dir", folder.resolve("tmp").toString());
    site.set("hbase.wal.provider", "filesystem");
    site.set("hbase.unsafe.stream.capability.enforce", "false");
    site.set("hbase.zookeeper.quorum", "localhost");
    site.set("hbase.zookeeper.property.dataDir", folder.resolve("zookeeper").toString());
    site.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    site.setInt("hbase.master.port", freePort());
    site.set("hbase.master.hostname", "localhost");
    site.set("hbase.master.info.port", "-1");
    site.setInt("hbase.regionserver.port", freePort());
    site.set("hbase.regionserver.hostname", "localhost");
    site.set("hbase.regionserver.info.port", "-1");
    site.set("hbase.regionserver.handler.count", "5");
    // The two are started together, and neither is to wait for a period of the other's.
    site.set("hbase.regionserver.msginterval", "500");
    site.set("hbase.master.wait.on.regionservers.maxtostart", "1");
    // 10 s by default, and on a busy machine a process stands still for longer.
    site.set("zookeeper.session.timeout.localHBaseCluster", "40000");
    return site;
  }

  private void run(String role, Configuration site, String... main) throws IOException {
    var conf = Files.createDirectories(folder.resolve(role));
    // HBase's web server insists on the folder; there are no pages in the published jars.
    Files.createDirectories(conf.resolve("hbase-webapps").resolve(role));
    try (var xml = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
      site.writeXml(xml);
    }
    // Hadoop's metrics system keeps a bean's values for that many seconds; 10 by default.
    Files.writeString(conf.resolve("hadoop-metrics2-hbase.properties"), "*.period=1\n");
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseG1GC",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "-Dorg.apache.hbase.thirdparty.io.netty.tryReflectionSetAccessible=true",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j2.level=INFO",
            "-cp",
            conf + File.pathSeparator + System.getProperty("java.class.path")));
    command.addAll(List.of(main));
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(role + ".log").toFile())
            .start());
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** What a client needs to find it. */
  Configuration clientConfiguration() {
    var configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "localhost");
    configuration.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    return configuration;
  }

  /** The response of its web server; empty while there is none. */
  String get(String pathAndQuery) {
    try {
      var request =
          HttpRequest.newBuilder(URI.create("http://localhost:" + infoPort + pathAndQuery))
              .timeout(Duration.ofSeconds(10))
              .build();
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  String log() throws IOException {
    return Files.readString(folder.resolve("regionserver.log"));
  }

  boolean isAlive() {
    return processes.get(1).isAlive();
  }

  /** Sends the signal to stop, as the kubelet does. */
  void terminate() throws InterruptedException {
    processes.get(1).destroy();
    processes.get(1).waitFor(3, TimeUnit.MINUTES);
  }

  @Override
  public void close() throws InterruptedException {
    for (var process : processes) {
      process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
  }
}
