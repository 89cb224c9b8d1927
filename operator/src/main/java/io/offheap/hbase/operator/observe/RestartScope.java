package io.offheap.hbase.operator.observe;

/** Which outdated pods of a role the declared rules permit to restart now. */
public enum RestartScope {
  /** None: the cluster is paused. */
  NONE,
  /** Those that are not ready: no window is open, and they may serve nothing. */
  NOT_READY,
  ALL
}
