package io.offheap.hbase.operator.status;

/** The reason of a condition. */
public enum Reason {
  /** The resource is applied as declared. */
  Planned,
  /** The resource has no plan; running pods are not changed. */
  PlanRefused,
  /** The resource contradicts itself outside its plan; running pods are not changed. */
  SpecRefused,
  /** A config map that the resource refers to does not exist. */
  ConfigurationMissing,
  /** Everything serves. */
  AllServing,
  /** There is no plan yet, so nothing was created. */
  NotPlanned,
  WaitingForZooKeeper,
  WaitingForHdfs,
  WaitingForMasters,
  WaitingForRegionServers,
  /** Pods start. */
  Starting,
  /** The API server refuses to create a pod: a quota, a policy or a webhook. */
  PodRefused,
  /** Servers are restarted one after the other. */
  Restarting,
  /** Servers must be restarted, and the restart is held back. */
  WaitingToRestart,
  /** Running servers have not reloaded the online values yet. */
  TakingOver,
  /** A change was worse, and the last good configuration is applied in its place. */
  ChangeRolledBack,
  /** The API server refuses an object; the write is repeated. */
  Failing,
  /** There is nothing to do. */
  Idle,
  /** Each read of a block takes one buffer. */
  BlocksFit,
  /** Reads of some tables' blocks take several buffers or heap. */
  BlocksOverBuffer,
  /** The mode of the block cache suits the load. */
  ModeFits,
  /** Another mode of the block cache would suit the load better. */
  OtherModeAdvised,
  /** A recommendation waits for approval. */
  Recommended,
  /** A change is being tried. */
  Trying,
  /** There is nothing to change, or not yet. */
  Watching,
  /** A rule's changes are without effect, and another cause is suspected. */
  Suspected,
  /** The declared memory has no room for the tuned values, so none is applied. */
  TunedValuesRefused,
  /**
   * A server's response exceeds a limit of size or time, cannot be parsed, or names other hosts.
   */
  ServersOutOfBounds
}
