package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the state of a running HBase and sends commands to it; no call blocks. */
public interface ClusterControl {
  /** The last view of the cluster; it has the time when it was requested. */
  Optional<HBaseView> view(ResourceID id);

  /**
   * Sends commands to a cluster, and requests a new view whenever a command ends. Moves of an
   * earlier call that have not started are dropped; a command that is already running is not sent
   * again.
   */
  void send(ResourceID id, List<HBaseCommand> commands);

  /**
   * HBase's messages for refused commands that have not succeeded since. A command that ended
   * without a response of HBase counts as refused.
   */
  Map<HBaseCommand, String> refusals(ResourceID id);

  /** The refused commands of which HBase responded last that another attempt is in vain. */
  Set<HBaseCommand> denied(ResourceID id);

  /** When the last command ended; empty while a command is running. */
  Optional<Instant> settledAt(ResourceID id);
}
