package io.offheap.hbase.operator.render;

/** The ports that each role listens on: the defaults of HBase, Hadoop and ZooKeeper. */
public final class Ports {
  public static final int ZOOKEEPER_CLIENT = 2181;
  public static final int ZOOKEEPER_PEER = 2888;
  public static final int ZOOKEEPER_ELECTION = 3888;
  public static final int ZOOKEEPER_METRICS = 7000;
  public static final int NAMENODE_RPC = 8020;
  public static final int NAMENODE_HTTP = 9870;
  public static final int DATANODE_DATA = 9866;
  public static final int DATANODE_HTTP = 9864;
  public static final int DATANODE_IPC = 9867;
  public static final int MASTER_RPC = 16000;
  public static final int MASTER_HTTP = 16010;
  public static final int REGIONSERVER_RPC = 16020;
  public static final int REGIONSERVER_HTTP = 16030;

  private Ports() {}
}
