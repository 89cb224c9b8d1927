package io.offheap.hbase.operator.observe;

/**
 * A role, or a group of region servers, with fewer ready pods than declared.
 *
 * @param part the part of the cluster
 * @param name name of its StatefulSet's role
 * @param ready ready pods
 * @param replicas declared pods
 */
public record UnreadyRole(Part part, String name, int ready, int replicas) {
  /** The parts of a cluster in the order of their start. */
  public enum Part {
    ZOOKEEPER,
    HDFS,
    MASTERS,
    REGION_SERVERS
  }
}
