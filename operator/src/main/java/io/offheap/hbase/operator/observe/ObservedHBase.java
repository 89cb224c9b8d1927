package io.offheap.hbase.operator.observe;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.HBaseView;
import io.offheap.hbase.operator.rollout.ServerSample;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The reports of a running HBase at the begin of a reconciliation's decisions.
 *
 * @param view the last view
 * @param settledAt when the last command ended; empty while one is under way
 * @param refused commands that HBase refused and that have not succeeded since, or to which it has
 *     not responded
 * @param denied those of them of which it responded that another attempt is in vain
 * @param samples the last samples of the region servers
 * @param readings metrics of the region servers' observers, oldest first
 * @param problems its servers' refused responses
 * @param now no earlier than any of these, unless a clock was set back
 */
public record ObservedHBase(
    Optional<HBaseView> view,
    Optional<Instant> settledAt,
    Set<HBaseCommand> refused,
    Set<HBaseCommand> denied,
    List<ServerSample> samples,
    List<Reading> readings,
    List<String> problems,
    Instant now) {
  public static ObservedHBase of(HBaseAccess access, ResourceID id, Clock clock) {
    var hbase = access.control();
    // Views are read concurrently. A view that is later than this time would count as one from
    // before the clock was set back. So the clock is read last.
    var view = hbase.view(id);
    var settledAt = hbase.settledAt(id);
    var refused = Set.copyOf(hbase.refusals(id).keySet());
    var denied = hbase.denied(id);
    var samples = access.samples().apply(id);
    var readings = access.readings().apply(id);
    var problems = access.problems().apply(id);
    return new ObservedHBase(
        view, settledAt, refused, denied, samples, readings, problems, clock.instant());
  }
}
