package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.TuningSpec;
import io.offheap.hbase.operator.observe.ObservationTimes;
import java.time.Duration;
import java.util.Optional;

/** When a cluster is reconciled again without an event. */
final class NextPass {
  /** Stored state is read again before it is acted on. */
  private static final Duration AT_ONCE = Duration.ofMillis(50);

  private static final Duration ROLLOUT_PERIOD = Duration.ofSeconds(1);
  private static final Duration WAITING_PERIOD = Duration.ofSeconds(5);

  /**
   * Latest reconciliation after the first observation of a cluster if not all of its servers had
   * reported.
   */
  private static final Duration LATEST_FIRST_CHECK = Duration.ofSeconds(90);

  private NextPass() {}

  /** When the next reconciliation is due without an event. */
  static Optional<Duration> after(
      AppliedPass.Outcome pass, HBaseCluster cluster, ObservationTimes times) {
    var rollout = pass.rollout();
    if (rollout.lock().isPresent() || rollout.isStale() || pass.hasMoreToKeep()) {
      return Optional.of(AT_ONCE);
    }
    if (rollout.remembered().isPresent()) {
      return Optional.of(ROLLOUT_PERIOD);
    }
    if (rollout.isActive()
        || pass.lacksPods()
        || pass.isTakingOver()
        || pass.isHeld()
        || pass.failure().isPresent()) {
      return Optional.of(WAITING_PERIOD);
    }
    var id = ResourceID.fromResource(cluster);
    boolean isNew = times.isNew(cluster);
    if (cluster.getSpec().tuning().mode() != TuningSpec.Mode.Disabled
        || pass.status().tuning() != null) {
      var judging = TuningPass.period(cluster.getSpec().tuning());
      return Optional.of(isNew ? Stagger.between(judging.dividedBy(5), judging, id) : judging);
    }
    // Until then status may have servers that do not report, and no event follows.
    return isNew ? Optional.of(firstCheck(id)) : Optional.empty();
  }

  /** Not earlier: a region server may take until then to report for the first time. */
  private static Duration firstCheck(ResourceID id) {
    return Stagger.between(ObservationTimes.FIRST_REPORTS, LATEST_FIRST_CHECK, id);
  }
}
