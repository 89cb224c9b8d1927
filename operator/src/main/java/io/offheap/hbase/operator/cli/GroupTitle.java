package io.offheap.hbase.operator.cli;

import io.offheap.hbase.operator.declare.ServerGroup;

/** Names of region server groups in output and in options. */
final class GroupTitle {
  /** Name of the default group; no other group may have it. */
  static final String DEFAULT = "default";

  private GroupTitle() {}

  /** The name of a group in output. */
  static String of(ServerGroup group) {
    return group.isDefault() ? DEFAULT : group.name();
  }

  /** The name in output of a group that status names; empty or null is the default group. */
  static String of(String nameInStatus) {
    return nameInStatus == null || nameInStatus.isEmpty() ? DEFAULT : nameInStatus;
  }
}
