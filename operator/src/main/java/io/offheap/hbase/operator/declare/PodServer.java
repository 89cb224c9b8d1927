package io.offheap.hbase.operator.declare;

import io.offheap.hbase.operator.render.Ports;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A server whose pods may have a template, with the names and ports that the operator reserves in
 * them. {@code DeclaredPodsTest} compares them with the pods.
 */
enum PodServer {
  ZOOKEEPER,
  NAMENODE,
  DATANODE,
  MASTER,
  REGIONSERVER;

  /** Names of the operator's volumes in all pods. */
  static final Set<String> VOLUMES = Set.of("config", "tmp", "checkpoint", "data", "cache");

  /** The container beside the name node that saves checkpoints. */
  static final String CHECKPOINT = "checkpoint";

  /** Name of the server's container, which the plan is made for. */
  String container() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Ports that the container listens on; all containers of a pod share them. */
  List<Integer> ports() {
    return switch (this) {
      case ZOOKEEPER ->
          List.of(
              Ports.ZOOKEEPER_CLIENT,
              Ports.ZOOKEEPER_PEER,
              Ports.ZOOKEEPER_ELECTION,
              Ports.ZOOKEEPER_METRICS);
      case NAMENODE -> List.of(Ports.NAMENODE_RPC, Ports.NAMENODE_HTTP);
      case DATANODE -> List.of(Ports.DATANODE_DATA, Ports.DATANODE_HTTP, Ports.DATANODE_IPC);
      case MASTER -> List.of(Ports.MASTER_RPC, Ports.MASTER_HTTP);
      case REGIONSERVER -> List.of(Ports.REGIONSERVER_RPC, Ports.REGIONSERVER_HTTP);
    };
  }

  /** Names of these ports: services and collectors of metrics select by them. */
  Set<String> portNames() {
    return switch (this) {
      case ZOOKEEPER -> Set.of("client", "peer", "election", "metrics");
      case NAMENODE, MASTER, REGIONSERVER -> Set.of("rpc", "http");
      case DATANODE -> Set.of("data", "http", "ipc");
    };
  }
}
