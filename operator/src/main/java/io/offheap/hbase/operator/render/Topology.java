package io.offheap.hbase.operator.render;

import java.util.List;
import java.util.Optional;

/**
 * Addresses of the parts of a cluster.
 *
 * @param zookeeper the ensemble
 * @param rootDir {@code hbase.rootdir}
 * @param hdfs the HDFS that the operator runs, if any
 */
public record Topology(ZooKeeper zookeeper, String rootDir, Optional<ManagedHdfs> hdfs) {
  /**
   * A ZooKeeper ensemble.
   *
   * @param quorum comma-separated {@code host:port} list
   * @param znodeParent the cluster's znode
   * @param managedServers host names of the servers that the operator runs, in the order of their
   *     ordinals; empty where others run them
   */
  public record ZooKeeper(String quorum, String znodeParent, List<String> managedServers) {
    public ZooKeeper {
      managedServers = List.copyOf(managedServers);
    }
  }

  /**
   * An HDFS run by the operator.
   *
   * @param nameNode host name of the name node
   * @param replication copies of each block
   */
  public record ManagedHdfs(String nameNode, int replication) {
    /** {@code fs.defaultFS}. */
    public String defaultFs() {
      return "hdfs://" + nameNode + ":" + Ports.NAMENODE_RPC;
    }
  }
}
