package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.ServerSample;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a running HBase had said when a pass began to decide.
 *
 * @param view the last look that was answered
 * @param settledAt when the last command ended; empty while one is under way
 * @param refused commands that HBase refused and that have not succeeded since
 * @param samples what the region servers last said of themselves
 * @param now a time that none of this is later than, unless a clock was set back
 */
record Heard(
    Optional<HBaseView> view,
    Optional<Instant> settledAt,
    Set<HBaseCommand> refused,
    List<ServerSample> samples,
    Instant now) {
  static Heard of(HBaseAccess access, ResourceID id, Clock clock) {
    var hbase = access.control();
    // Looks come meanwhile: one that is later than the time of the pass would be taken for one of
    // before the clock was set back, and count as none. So the clock is asked last.
    var view = hbase.view(id);
    var settledAt = hbase.settledAt(id);
    var refused = Set.copyOf(hbase.refusals(id).keySet());
    var samples = access.samples().apply(id);
    return new Heard(view, settledAt, refused, samples, clock.instant());
  }
}
