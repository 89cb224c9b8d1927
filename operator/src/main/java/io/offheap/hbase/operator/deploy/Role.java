package io.offheap.hbase.operator.deploy;

import static io.offheap.hbase.operator.render.Ports.DATANODE_DATA;
import static io.offheap.hbase.operator.render.Ports.DATANODE_HTTP;
import static io.offheap.hbase.operator.render.Ports.DATANODE_IPC;
import static io.offheap.hbase.operator.render.Ports.MASTER_HTTP;
import static io.offheap.hbase.operator.render.Ports.MASTER_RPC;
import static io.offheap.hbase.operator.render.Ports.NAMENODE_HTTP;
import static io.offheap.hbase.operator.render.Ports.NAMENODE_RPC;
import static io.offheap.hbase.operator.render.Ports.REGIONSERVER_HTTP;
import static io.offheap.hbase.operator.render.Ports.REGIONSERVER_RPC;
import static io.offheap.hbase.operator.render.Ports.ZOOKEEPER_CLIENT;
import static io.offheap.hbase.operator.render.Ports.ZOOKEEPER_ELECTION;
import static io.offheap.hbase.operator.render.Ports.ZOOKEEPER_METRICS;
import static io.offheap.hbase.operator.render.Ports.ZOOKEEPER_PEER;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The role of a pod; the image's entry point has the same names. */
public enum Role {
  ZOOKEEPER(30),
  NAMENODE(60),
  DATANODE(60),
  MASTER(60),
  /** Flushes and closes its regions before it ends, so its grace period is the longest. */
  REGIONSERVER(300);

  private final long gracePeriodSeconds;

  Role(long gracePeriodSeconds) {
    this.gracePeriodSeconds = gracePeriodSeconds;
  }

  /** A port that a role listens on. */
  record Port(String name, int number) {}

  /** The name in pods, services and the image's entry point. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether a text is the name of a role. */
  static boolean isName(String text) {
    return Arrays.stream(values()).anyMatch(it -> it.text().equals(text));
  }

  /** Whether it is a part of HBase, not of ZooKeeper or HDFS. */
  public boolean isHBase() {
    return this == MASTER || this == REGIONSERVER;
  }

  /** How long a pod may take to end, in seconds. */
  long gracePeriodSeconds() {
    return gracePeriodSeconds;
  }

  List<Port> ports() {
    return switch (this) {
      case ZOOKEEPER ->
          List.of(
              new Port("client", ZOOKEEPER_CLIENT),
              new Port("peer", ZOOKEEPER_PEER),
              new Port("election", ZOOKEEPER_ELECTION),
              new Port("metrics", ZOOKEEPER_METRICS));
      case NAMENODE -> List.of(new Port("rpc", NAMENODE_RPC), new Port("http", NAMENODE_HTTP));
      case DATANODE ->
          List.of(
              new Port("data", DATANODE_DATA),
              new Port("http", DATANODE_HTTP),
              new Port("ipc", DATANODE_IPC));
      case MASTER -> List.of(new Port("rpc", MASTER_RPC), new Port("http", MASTER_HTTP));
      case REGIONSERVER ->
          List.of(new Port("rpc", REGIONSERVER_RPC), new Port("http", REGIONSERVER_HTTP));
    };
  }
}
