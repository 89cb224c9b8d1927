package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.offheap.hbase.image.ImageDefaults;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.master.HMaster;

/**
 * A real HBase in a process of its own: ZooKeeper, a master and two region servers in one JVM,
 * started as the image starts a server; by default on a folder in place of HDFS.
 */
final class HBaseProcess implements AutoCloseable {
  private final Path folder;
  private final int zooKeeperPort;
  private final Process process;

  private HBaseProcess(Path folder, int zooKeeperPort, Process process) {
    this.folder = folder;
    this.zooKeeperPort = zooKeeperPort;
    this.process = process;
  }

  /** Starts it; it serves some seconds later. Log and data are kept in the folder. */
  static HBaseProcess start(Path folder) throws IOException {
    return start(folder, folder.resolve("root").toUri());
  }

  /** The same, with its root directory elsewhere. */
  static HBaseProcess start(Path folder, URI root) throws IOException {
    int port = freePort();
    var conf = Files.createDirectories(folder.resolve("conf"));
    try (var xml = Files.newOutputStream(conf.resolve("hbase-site.xml"))) {
      site(folder, root, port).writeXml(xml);
    }
    // The image's defaults and its pages, as the image has them on its class path.
    Files.copy(image().resolve("conf/image-default.xml"), conf.resolve("image-default.xml"));
    return launch(folder, port);
  }

  /** Waits until it has ended, and starts it again on its data, with the same ports. */
  HBaseProcess again() throws IOException, InterruptedException {
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      throw new IOException("HBase has not stopped");
    }
    return launch(folder, zooKeeperPort);
  }

  private static HBaseProcess launch(Path folder, int zooKeeperPort) throws IOException {
    var conf = folder.resolve("conf");
    var image = image();
    var process =
        new ProcessBuilder(
                List.of(
                    java(),
                    "-Xmx512m",
                    "--add-opens=java.base/java.lang=ALL-UNNAMED",
                    "--add-opens=java.base/java.nio=ALL-UNNAMED",
                    "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                    "-Djava.net.preferIPv4Stack=true",
                    "-Dlog4j2.level=INFO",
                    "-cp",
                    String.join(
                        File.pathSeparator,
                        conf.toString(),
                        image.resolve("pages").toString(),
                        System.getProperty("java.class.path")),
                    ImageDefaults.class.getName(),
                    HMaster.class.getName(),
                    "--localRegionServers=2",
                    "start"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("hbase.log").toFile()))
            .start();
    return new HBaseProcess(folder, zooKeeperPort, process);
  }

  private static Path image() {
    return Path.of("..").toAbsolutePath().normalize();
  }

  static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static Configuration site(Path folder, URI root, int zooKeeperPort) {
    var site = new Configuration(false);
    site.set("hbase.cluster.distributed", "false");
    site.set("hbase.rootdir", root.toString());
    site.set("hbase.tmp.dir", folder.resolve("tmp").toString());
    site.set("hbase.wal.provider", "filesystem");
    site.set("hbase.unsafe.stream.capability.enforce", "false");
    site.set("hbase.zookeeper.quorum", "localhost");
    site.set("hbase.zookeeper.property.dataDir", folder.resolve("zookeeper").toString());
    site.setInt("hbase.zookeeper.property.clientPort", zooKeeperPort);
    site.set("hbase.master.hostname", "localhost");
    site.set("hbase.master.port", "0");
    // 10 s by default, and on a busy machine a process stands still for longer.
    site.set("zookeeper.session.timeout.localHBaseCluster", "40000");
    // As the operator sets it; for WebPagesIT.
    site.set("hbase.master.ui.readonly", "true");
    site.set("hbase.master.info.port", "0");
    site.set("hbase.regionserver.hostname", "localhost");
    site.set("hbase.regionserver.port", "0");
    site.set("hbase.regionserver.info.port", "0");
    site.set("hbase.regionserver.handler.count", "5");
    site.set("hbase.regionserver.msginterval", "500");
    site.set("hbase.master.wait.on.regionservers.mintostart", "2");
    site.set("hbase.master.wait.on.regionservers.interval", "200");
    return site;
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** What a client needs to find it. */
  Configuration clientConfiguration() {
    var configuration = HBaseConfiguration.create();
    configuration.addResource(
        new org.apache.hadoop.fs.Path(folder.resolve("conf/hbase-site.xml").toUri()));
    return configuration;
  }

  Path folder() {
    return folder;
  }

  int zooKeeperPort() {
    return zooKeeperPort;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Whether tables can be created and read. {@code hbase:meta} is read from its region server some
   * seconds before the master is initialized; until then it neither lists nor creates tables.
   */
  boolean serves() {
    assertThat(isAlive()).isTrue();
    return succeeds("scan", "hbase:meta") && succeeds("tables", "list");
  }

  private boolean succeeds(String... args) {
    return AdminRun.of(clientConfiguration(), args).status() == 0;
  }

  /** Stops and continues all of its threads, by the signals of that name. */
  void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
  }
}
