package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.RolledBack;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.Rollout.Canary;
import java.util.List;
import java.util.Optional;

/**
 * Evaluates the server that is compared with its peers. {@link Roller} has the whole algorithm.
 *
 * <p>A verdict is about a pod that runs with the change. If that pod is deleted from outside, there
 * is no verdict on the change: the next pod is compared anew, as soon as it serves; until then, the
 * rules of a start apply. The same holds if the pod is lost for the first time: with its node,
 * evicted by its kubelet, or in an outage of ZooKeeper or HDFS. Both may also end with another pod
 * in its place whose predecessor was not seen to be deleted. If it is lost again, the change is
 * rolled back, since the node may fail because of it. The comparison ends without a verdict only if
 * it has no object any more: the pod must get another change, it is not declared, or the change was
 * rolled back.
 */
final class CanaryStep {
  /** A node may fail by chance while its server is compared; a second one hardly does. */
  private static final int NODE_LOSSES = 2;

  private final RolloutSnapshot snapshot;
  private final Rollout rollout;
  private final Canary canary;

  CanaryStep(RolloutSnapshot snapshot, Rollout rollout, Canary canary) {
    this.snapshot = snapshot;
    this.rollout = rollout;
    this.canary = canary;
  }

  /**
   * The result.
   *
   * @param rollout the state to store
   * @param waitsFor what the rollout waits for
   * @param rolledBack the change, if it must be rolled back
   */
  record Step(Rollout rollout, Optional<Wait> waitsFor, Optional<RolledBack> rolledBack) {}

  Step step() {
    var current = snapshot.server(canary.pod());
    if (isWithoutObject(current)) {
      return to(rollout.withCanary(Optional.empty()));
    }
    if (current.filter(this::isTakenByItsNode).isPresent()) {
      return lost("its node ceased to report it or evicted it, and its pod is deleted");
    }
    if (current.filter(it -> !it.isTerminating()).isEmpty()
        || rollout.restartOf(canary.pod()).isPresent()) {
      return current.filter(this::isDeletionSeen).isPresent()
          ? to(canary.replaced(snapshot.now()))
          : waiting();
    }
    var pod = current.get();
    if (pod.uid().equals(canary.uid())) {
      return compared();
    }
    if (canary.hasServed()) {
      // While no operator ran, its deletion could not be seen.
      return snapshot.seen(canary.since()).equals(canary.since())
          ? lost("another pod is in its place, and its deletion was not seen")
          : to(canary.replaced(snapshot.now()));
    }
    return snapshot.serves(pod) ? to(canary.serves(pod, snapshot.now())) : starting(pod);
  }

  /** Its server may still run, but a change may end or silence one node after the other. */
  private boolean isTakenByItsNode(ServerPod pod) {
    return pod.uid().equals(canary.uid())
        && (pod.isEvicted() || (pod.isTerminating() && pod.isSilent()));
  }

  /** It is deleted now, or its restart is under way and has a new pod already. */
  private boolean isDeletionSeen(ServerPod pod) {
    return canary.hasServed() && (pod.isTerminating() || !pod.uid().equals(canary.uid()));
  }

  private boolean isWithoutObject(Optional<ServerPod> pod) {
    return snapshot.rules().canaryWindow().isEmpty()
        || !snapshot.declared().contains(canary.pod())
        || snapshot.rolledBack().contains(canary.group())
        || pod.filter(ServerPod::isChanged).isPresent();
  }

  private Step starting(ServerPod pod) {
    var timeout = snapshot.rules().startTimeout();
    var cannot = snapshot.cannotStart(pod, canary.since());
    if (cannot.isPresent()) {
      return rolledBack("CannotStart", List.of(cannot.get()));
    }
    boolean isWithoutView = pod.isReady() && snapshot.fresh().isEmpty();
    return isWithoutView
            || pod.isWithoutNode()
            || !snapshot.isStartOverdue(pod, canary.since(), timeout)
        ? waiting()
        : rolledBack("NotServing", List.of(pod.name() + " did not serve within " + timeout));
  }

  private Step compared() {
    if (snapshot.canaryVerdict() instanceof CanaryVerdict.Passed passed) {
      return to(rollout.withPassed(new Rollout.Passed(canary, passed.evidence())));
    }
    if (snapshot.canaryVerdict() instanceof CanaryVerdict.NodeLost lost) {
      return lost(lost.evidence());
    }
    if (snapshot.canaryVerdict() instanceof CanaryVerdict.Noted noted) {
      return to(noted.canary());
    }
    return snapshot.canaryVerdict() instanceof CanaryVerdict.Worse worse
        ? rolledBack("CanaryWorse", worse.evidence())
        : waiting();
  }

  private Step lost(String evidence) {
    int losses = canary.nodeLosses() + 1;
    return losses < NODE_LOSSES
        ? to(canary.lost(snapshot.now()))
        : rolledBack(
            "NodeLost", List.of(canary.pod() + " was lost " + losses + " times: " + evidence));
  }

  private Step rolledBack(String reason, List<String> evidence) {
    return new Step(
        rollout.withCanary(Optional.empty()),
        Optional.empty(),
        Optional.of(new RolledBack(canary.group(), reason, evidence)));
  }

  private Step waiting() {
    return new Step(
        rollout, Optional.of(new Wait(Precondition.CANARY_PROVEN, canary.pod())), Optional.empty());
  }

  private Step to(Canary next) {
    return to(rollout.withCanary(Optional.of(next)));
  }

  private static Step to(Rollout next) {
    return new Step(next, Optional.empty(), Optional.empty());
  }
}
