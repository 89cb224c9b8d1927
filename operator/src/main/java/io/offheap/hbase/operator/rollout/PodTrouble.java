package io.offheap.hbase.operator.rollout;

/**
 * What keeps a pod from serving, as Kubernetes reports it.
 *
 * @param kind what kind of thing
 * @param text for people
 */
public record PodTrouble(Kind kind, String text) {
  /** What kind of thing. */
  public enum Kind {
    /** No node has room for it: nothing follows for how it would serve. */
    NO_NODE,
    /** Its image cannot be pulled. */
    NO_IMAGE,
    /** Its container cannot be created. */
    NO_CONTAINER,
    /** Its container has ended twice or more, and never served. */
    EXITS
  }
}
