package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.ServerRestart.Cause.POD_DELETED;

import io.offheap.hbase.operator.rollout.Decision.RolledBack;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code START}: the new pod starts, until HBase lists a newer process in it as live. */
final class StartStep extends ServerRestartStep {
  /**
   * HBase may list a stopped server as live for this time. A server that is listed for longer runs
   * in the new pod, and the restart began from an old view of the pods.
   */
  private static final Duration SESSION = Duration.ofSeconds(90);

  StartStep(RolloutSnapshot snapshot, Rollout rollout, ServerRestart restart) {
    super(snapshot, rollout, restart);
  }

  @Override
  Progress advance() {
    var present = pod.filter(it -> !it.isTerminating());
    if (!isDeclared()) {
      return Progress.to(restart.to(Step.RETURN, now));
    }
    if (present.isEmpty()) {
      return overdueStart();
    }
    if (restart.cause() == ServerRestart.Cause.RESTART && !isReplacedOnce()) {
      // A view that was older than the pod had shown it deleted.
      return Progress.to(restart.to(Step.STOP, now));
    }
    if (present.get().isChanged() && isReplacedOnce() && hasFailedToStart()) {
      // Its template was changed meanwhile, or rolled back, or was old when the pod was created.
      return replaced(present.get());
    }
    return present.get().isReady() && serves().isPresent()
        ? Progress.to(restart.to(Step.RETURN, now))
        : overdueStart();
  }

  private Progress replaced(ServerPod present) {
    if (!snapshot.areTemplatesObserved()) {
      return Progress.waiting(restart, WaitReason.TEMPLATES_OBSERVED, restart.pod());
    }
    return snapshot
        .refusalOf(present.name())
        .map(it -> Progress.waiting(restart, WaitReason.SERVES_AGAIN, it))
        .orElseGet(() -> Progress.to(restart.stopping(present.uid(), now)));
  }

  private Optional<Server> serves() {
    return snapshot
        .since(restart.since())
        .flatMap(it -> it.serverOf(restart.pod()))
        .filter(it -> isNewer(it.name()) || isOverdue(SESSION));
  }

  /** Not ready, or not live for longer than a start takes. A silent node may run its server. */
  private boolean hasFailedToStart() {
    return pod.filter(it -> it.isReady() || it.isSilent()).isEmpty()
        || (serves().isEmpty() && isStartOverdue(pod.get()) && !isWithoutView());
  }

  private boolean isStartOverdue(ServerPod it) {
    return snapshot.isStartOverdue(it, restart.since(), snapshot.rules().startTimeout());
  }

  private boolean isReplacedOnce() {
    return pod.filter(it -> !it.uid().equals(restart.uid())).isPresent();
  }

  private Progress overdueStart() {
    var waiting =
        Progress.waiting(
            restart,
            WaitReason.SERVES_AGAIN,
            pod.isEmpty()
                ? snapshot.refusalOf(restart.pod()).orElse(restart.pod())
                : restart.pod()
                    + pod.flatMap(ServerPod::trouble).map(it -> ", which " + it.text()).orElse(""));
    var changed = pod.filter(this::isOfChange);
    if (changed.isEmpty() || snapshot.rolledBack().contains(changed.get().group())) {
      return waiting;
    }
    var cannot = snapshot.cannotStart(changed.get(), restart.since());
    if (cannot.isPresent()) {
      return waiting.with(
          new RolledBack(changed.get().group(), "CannotStart", List.of(cannot.get())));
    }
    return isStartOverdue(changed.get()) && !isWithoutView()
        ? waiting.with(notServing(changed.get().group()))
        : waiting;
  }

  private RolledBack notServing(String group) {
    return new RolledBack(
        group,
        "NotServing",
        List.of(
            restart.pod()
                + " did not serve within "
                + snapshot.rules().startTimeout()
                + " of its start"));
  }

  /**
   * Whether the change may keep a pod from serving. It does not if the pod terminates, has no node
   * or one that is silent, or has an older template, or if it was deleted from outside and is not
   * the first with a change.
   */
  private boolean isOfChange(ServerPod it) {
    return !it.isChanged()
        && !it.isTerminating()
        && !it.isWithoutNode()
        && (restart.cause() == ServerRestart.Cause.RESTART
            || (restart.cause() == POD_DELETED
                && snapshot.isNew(it.group())
                && snapshot.goodBefore().contains(it.group())));
  }

  /**
   * The pod is ready, or was so when its node last reported, and HBase, which could report that it
   * does not serve, does not respond.
   */
  private boolean isWithoutView() {
    return pod.filter(it -> it.isReady() || it.isSilent()).isPresent()
        && snapshot.since(restart.since()).isEmpty();
  }
}
