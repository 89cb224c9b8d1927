package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a pass asks of a running HBase and tells it; nothing here waits. */
public interface ClusterControl {
  /** The last look that was answered; how old it is, it says itself. */
  Optional<HBaseView> view(ResourceID id);

  /**
   * Tells a cluster all this, and looks again whenever a part is done. Moves of an earlier call
   * that have not begun do not any more; neither does what is being told already.
   */
  void send(ResourceID id, List<HBaseCommand> commands);

  /** Why HBase refused commands, of those that have not succeeded since; for people. */
  Map<HBaseCommand, String> refusals(ResourceID id);

  /** When the last command ended; empty while one is under way. */
  Optional<Instant> settledAt(ResourceID id);
}
