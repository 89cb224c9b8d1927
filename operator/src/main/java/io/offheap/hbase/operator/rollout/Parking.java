package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Rollout.Canary;
import io.offheap.hbase.operator.rollout.Rollout.MasterRestart;
import java.time.Duration;

/**
 * Whether a rollout that is under way waits for what may take days: for a node, for an image, for a
 * spec that lets a master start, or for metrics.
 *
 * <p>Then no region is moved, so balancer and normalizer need not be off, and a cluster without
 * them degrades. A rollout is parked if all its steps have taken longer than they may. Balancer and
 * normalizer are set as they were; nothing else changes. As soon as one step continues, its time
 * begins anew, the rollout is no longer parked, and both are switched off again.
 */
final class Parking {
  private final RolloutSnapshot snapshot;
  private final Rollout rollout;

  Parking(RolloutSnapshot snapshot, Rollout rollout) {
    this.snapshot = snapshot;
    this.rollout = rollout;
  }

  /** Whether steps are under way, and each has taken longer than it may. */
  boolean isParked() {
    return rollout.isUnderWay()
        && rollout.restarts().stream().allMatch(it -> isOverdue(it))
        && rollout.master().stream().allMatch(it -> isOverdue(it))
        && rollout.canary().stream().allMatch(it -> isOverdue(it));
  }

  private boolean isOverdue(ServerRestart restart) {
    var rules = snapshot.rules();
    return snapshot.isOverdue(
        restart.since(),
        switch (restart.step()) {
          case DRAIN -> isStopping(restart) ? rules.startTimeout() : rules.drainTimeout();
          case STOP, START -> rules.startTimeout();
          case RETURN -> ReturnStep.timeout(restart);
        });
  }

  /** Its process has ended, and its pod is being deleted: on a node that is lost, for ever. */
  private boolean isStopping(ServerRestart restart) {
    return snapshot.server(restart.pod()).filter(ServerPod::isTerminating).isPresent()
        && snapshot.liveServer(restart.pod()).isEmpty();
  }

  /** No region moves for a master, whether it does not start, stop or take over. */
  private boolean isOverdue(MasterRestart restart) {
    return snapshot.isOverdue(restart.since(), snapshot.rules().startTimeout());
  }

  /** A canary that serves has its verdict within two windows, if it reports metrics. */
  private boolean isOverdue(Canary canary) {
    var timeout = snapshot.rules().startTimeout();
    var windows = snapshot.rules().canaryWindow().orElse(Duration.ZERO).multipliedBy(2);
    boolean isServing = snapshot.server(canary.pod()).filter(snapshot::serves).isPresent();
    return snapshot.isOverdue(canary.since(), isServing ? timeout.plus(windows) : timeout);
  }
}
