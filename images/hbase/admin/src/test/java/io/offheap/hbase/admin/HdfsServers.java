package io.offheap.hbase.admin;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** A real HDFS within the test: a name node and a data node, which stop and start one by one. */
final class HdfsServers implements AutoCloseable {
  private final Configuration site = new Configuration();
  private NameNode nameNode;
  private DataNode dataNode;

  /** Formats the file system, and starts no server. */
  HdfsServers(Path folder) throws IOException {
    site.set("fs.defaultFS", "hdfs://localhost:0");
    site.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    site.set("dfs.datanode.data.dir", folder.resolve("data").toUri().toString());
    site.set("dfs.namenode.http-address", "localhost:0");
    site.set("dfs.datanode.address", "localhost:0");
    site.set("dfs.datanode.http.address", "localhost:0");
    site.set("dfs.datanode.ipc.address", "localhost:0");
    site.set("dfs.datanode.hostname", "localhost");
    site.setInt("dfs.replication", 1);
    // As the operator sets it.
    site.setInt("dfs.namenode.safemode.extension", 1000);
    // A data node is dead after two of these and ten heartbeats, and not after ten minutes.
    site.setInt("dfs.namenode.heartbeat.recheck-interval", 100);
    site.setInt("dfs.heartbeat.interval", 1);
    Files.createDirectories(folder.resolve("data"));
    makeFoldersOfWebServers();
    // Otherwise the second name node of this process could not register its metrics.
    DefaultMetricsSystem.setMiniClusterMode(true);
    NameNode.format(site);
  }

  /** On the class path; a web server does not start without its folder. */
  private static void makeFoldersOfWebServers() throws IOException {
    Path classes;
    try {
      classes =
          Path.of(HdfsServers.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
    for (var server : List.of("hdfs", "datanode")) {
      Files.createDirectories(classes.resolve("webapps").resolve(server));
    }
  }

  void startNameNode() throws IOException {
    nameNode = NameNode.createNameNode(new String[0], site);
    // The same port after a restart, where a data node finds it.
    site.set("fs.defaultFS", "hdfs://localhost:" + nameNode.getNameNodeAddress().getPort());
  }

  void stopNameNode() {
    nameNode.stop();
    nameNode.join();
  }

  void startDataNode() throws IOException {
    dataNode = DataNode.createDataNode(new String[0], site);
  }

  void stopDataNode() {
    dataNode.shutdown();
    dataNode = null;
  }

  /** What a client needs to find it, with HBase's root directory in it. */
  Configuration clientConfiguration() {
    var configuration = new Configuration();
    configuration.set("fs.defaultFS", site.get("fs.defaultFS"));
    configuration.setInt("dfs.replication", 1);
    configuration.set("hbase.rootdir", "/hbase");
    return configuration;
  }

  @Override
  public void close() {
    if (dataNode != null) {
      dataNode.shutdown();
    }
    stopNameNode();
  }
}
