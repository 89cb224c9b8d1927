package io.offheap.hbase.operator.observe;

/**
 * A role, or a group of region servers, of which fewer pods are ready than there should be.
 *
 * @param part what of the cluster it belongs to
 * @param name name of its StatefulSet's role
 * @param ready pods that are ready
 * @param replicas pods that there should be
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
