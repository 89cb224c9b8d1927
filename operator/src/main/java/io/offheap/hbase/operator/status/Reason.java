package io.offheap.hbase.operator.status;

/** Why a condition is what it is. */
public enum Reason {
  /** The resource is applied as declared. */
  Planned,
  /** The resource gives no plan; what runs is left as it is. */
  PlanRefused,
  /** The resource contradicts itself outside its plan; what runs is left as it is. */
  SpecRefused,
  /** A config map that the resource refers to does not exist. */
  ConfigurationMissing,
  /** Everything serves. */
  AllServing,
  /** There is no plan yet, so nothing was made. */
  NotPlanned,
  WaitingForZooKeeper,
  WaitingForHdfs,
  WaitingForMasters,
  WaitingForRegionServers,
  /** Pods are started for the first time, or come back. */
  Starting,
  /** The API server refuses to create a pod: a quota, a policy or a webhook. */
  PodRefused,
  /** Servers are restarted one after the other. */
  Restarting,
  /** Servers are to be restarted, and something holds it back. */
  WaitingToRestart,
  /** Running servers have not taken over yet what they take over without a restart. */
  TakingOver,
  /** A change made things worse, and what last served is applied in its place. */
  ChangeRolledBack,
  /** The API server refuses what is to be made; it is tried again and again. */
  Failing,
  /** Nothing is to be done. */
  Idle,
  /** Each read of a block takes one buffer. */
  BlocksFit,
  /** Reads of some tables' blocks take several buffers or heap. */
  BlocksOverBuffer,
  /** A recommendation waits for approval. */
  Recommended,
  /** A change is being tried. */
  Trying,
  /** Nothing is to be changed, or not yet. */
  Watching,
  /** A rule's changes do not help, and something else is suspected. */
  Suspected,
  /** What is declared leaves no room for the tuned values, so none is applied. */
  TunedValuesRefused,
  /** A server's answer is over a bound of size or time, or cannot be read, or names other hosts. */
  ServersOutOfBounds
}
