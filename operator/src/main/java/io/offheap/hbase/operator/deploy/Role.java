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
import static io.offheap.hbase.operator.render.Ports.ZOOKEEPER_PEER;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What a pod of a cluster does; the image's entry point knows the same names. */
public enum Role {
  ZOOKEEPER(30, "client", ZOOKEEPER_CLIENT, "peer", ZOOKEEPER_PEER, "election", ZOOKEEPER_ELECTION),
  NAMENODE(60, "rpc", NAMENODE_RPC, "http", NAMENODE_HTTP),
  DATANODE(60, "data", DATANODE_DATA, "http", DATANODE_HTTP, "ipc", DATANODE_IPC),
  MASTER(60, "rpc", MASTER_RPC, "http", MASTER_HTTP),
  /** Flushes and closes its regions before it ends, so it gets the longest time. */
  REGIONSERVER(300, "rpc", REGIONSERVER_RPC, "http", REGIONSERVER_HTTP);

  private final long gracePeriodSeconds;
  private final Map<String, Integer> ports = new LinkedHashMap<>();

  Role(long gracePeriodSeconds, Object... namesAndPorts) {
    this.gracePeriodSeconds = gracePeriodSeconds;
    for (int i = 0; i < namesAndPorts.length; i += 2) {
      ports.put((String) namesAndPorts[i], (Integer) namesAndPorts[i + 1]);
    }
  }

  /** The name in pods, services and the image's entry point. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How long a pod may take to end, in seconds. */
  long gracePeriodSeconds() {
    return gracePeriodSeconds;
  }

  /** Port names and numbers; the first takes connections when the role is up. */
  Map<String, Integer> ports() {
    return ports;
  }
}
