package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.ServerRestart.Cancellation.NOT_WANTED;
import static io.offheap.hbase.operator.rollout.ServerRestart.Cause.SCALE_DOWN;

import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.util.List;

/** {@code STOP}: the pod of a drained server is deleted. */
final class StopStep extends ServerRestartStep {
  StopStep(RolloutSnapshot snapshot, Rollout rollout, ServerRestart restart) {
    super(snapshot, rollout, restart);
  }

  @Override
  Progress advance() {
    if (isPodDeleted()) {
      return Progress.to(restart.to(restart.cause() == SCALE_DOWN ? Step.RETURN : Step.START, now));
    }
    if (isWantedAgain()) {
      return Progress.to(restart.cancel(NOT_WANTED, now));
    }
    if (isRefusedSince()) {
      return Progress.to(restart.cancel(NOT_WANTED, now));
    }
    if (!snapshot.hasOneServer() && isServedAgain()) {
      return Progress.to(restart.to(Step.DRAIN, now));
    }
    // An older view does not show the regions of a newly started process.
    if (!snapshot.hasOneServer()
        && snapshot.since(restart.since()).isEmpty()
        && (snapshot.fresh().isPresent() || pod.filter(ServerPod::isReady).isPresent())) {
      return Progress.waiting(restart, WaitReason.HBASE_RESPONDS, restart.pod());
    }
    var waiting = Progress.waiting(restart, WaitReason.POD_DELETED, restart.pod());
    // The last pods of a StatefulSet are deleted when it is scaled down.
    return restart.cause() != SCALE_DOWN && !pod.orElseThrow().isTerminating()
        ? waiting.with(List.of(new DeletePod(restart.pod(), restart.uid())))
        : waiting;
  }

  /**
   * The API server refuses the pod that would follow: a drain may take long, and a quota may be
   * exhausted meanwhile. A server that serves nothing is replaced in any case.
   */
  private boolean isRefusedSince() {
    return restart.cause() != SCALE_DOWN
        && pod.filter(it -> snapshot.serves(it) || runsOnSilentNode(it)).isPresent()
        && snapshot.refusalOf(restart.pod()).isPresent();
  }

  private boolean runsOnSilentNode(ServerPod it) {
    return it.isSilent() && !it.isTerminating() && snapshot.liveServer(it.name()).isPresent();
  }

  /** A newer process runs in the pod, or the drained process has regions again. */
  private boolean isServedAgain() {
    return snapshot
        .since(restart.since())
        .filter(
            view ->
                view.serverOf(restart.pod()).filter(it -> isNewer(it.name())).isPresent()
                    || !view.regions().getOrDefault(restart.server(), List.of()).isEmpty())
        .isPresent();
  }
}
