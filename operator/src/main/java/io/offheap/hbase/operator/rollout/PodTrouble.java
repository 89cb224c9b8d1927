package io.offheap.hbase.operator.rollout;

/**
 * What keeps a pod from serving, as Kubernetes reports it.
 *
 * @param kind the kind of problem
 * @param text a clause for messages, whose subject is the pod
 */
public record PodTrouble(Kind kind, String text) {
  /** The kind of problem. */
  public enum Kind {
    /** No node has room for the pod, which is no evidence about its configuration. */
    NO_NODE,
    /** Its node has ceased to report it; its containers were ready then, and may be. */
    SILENT_NODE,
    /** Its node has ended it for its own sake: before a shutdown, or for lack of memory. */
    EVICTED,
    /** Its image cannot be pulled. */
    NO_IMAGE,
    /** Its container cannot be created. */
    NO_CONTAINER,
    /** Its container has ended twice or more, and never served. */
    EXITS
  }
}
