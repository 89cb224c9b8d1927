package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.Rollout.MasterRestart;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The masters' part of a rollout. {@link Roller} has the whole algorithm. */
final class MasterRoll {
  private final RolloutSnapshot snapshot;

  MasterRoll(RolloutSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  /**
   * The result of one reconciliation for the masters.
   *
   * @param restart the restart to store
   * @param actions what to do for it
   * @param waitsFor what it waits for
   */
  record Step(Optional<MasterRestart> restart, List<Action> actions, Optional<Wait> waitsFor) {}

  /** Whether a master must be restarted. */
  boolean isNeeded() {
    return snapshot.masters().stream().anyMatch(ServerPod::isOutdated);
  }

  /** Whether an outdated master does not serve. */
  boolean isBroken() {
    return snapshot.masters().stream().anyMatch(it -> it.isOutdated() && !it.isReady());
  }

  /** The restart of the next master, or what it waits for. */
  Step next() {
    var outdated =
        snapshot.masters().stream()
            .filter(ServerPod::isOutdated)
            .min(
                Comparator.comparing(ServerPod::isReady)
                    .thenComparing(this::isActive)
                    .thenComparing(Comparator.comparing(ServerPod::ordinal).reversed()));
    if (outdated.isEmpty()) {
      return new Step(Optional.empty(), List.of(), Optional.empty());
    }
    var pod = outdated.get();
    var held = held(pod);
    return held.isPresent()
        ? new Step(Optional.empty(), List.of(), held)
        : new Step(
            Optional.of(new MasterRestart(pod.name(), pod.uid(), active(pod), snapshot.now())),
            List.of(),
            Optional.empty());
  }

  private Optional<Wait> held(ServerPod pod) {
    if (snapshot.rules().isPaused()) {
      return holdBack(Precondition.NOT_PAUSED, "");
    }
    if (!snapshot.areTemplatesObserved()) {
      return holdBack(Precondition.TEMPLATES_OBSERVED, "");
    }
    boolean servesNothing = !pod.isReady();
    if (servesNothing) {
      // It may serve again by itself, once the name node does; a pod that is missing does not.
      return refused(pod);
    }
    if (!snapshot.rules().isWindowOpen()) {
      return holdBack(Precondition.INSIDE_WINDOW, pod.name());
    }
    if (!snapshot.doesInfrastructureServe()) {
      // Its next process would wait for them, and a backup that could take over would be missing. A
      // pod of them that is lost must not hold a restart back for as long as others serve.
      return holdBack(Precondition.INFRASTRUCTURE_READY, "");
    }
    var other =
        snapshot.masters().stream()
            .filter(it -> !it.name().equals(pod.name()) && !it.isReady())
            .findFirst();
    if (other.isPresent()) {
      return holdBack(Precondition.NO_OTHER_DISTURBANCE, other.get().name());
    }
    if (snapshot.masters().size() < snapshot.declaredMasters()) {
      return holdBack(Precondition.NO_OTHER_DISTURBANCE, "a master is missing");
    }
    if (snapshot.fresh().isEmpty()) {
      return holdBack(Precondition.HBASE_RESPONDS, "");
    }
    var refusal = refused(pod);
    if (refusal.isPresent()) {
      return refusal;
    }
    boolean hasBackup = !snapshot.fresh().get().backupMasters().isEmpty();
    return isActive(pod) && snapshot.declaredMasters() > 1 && !hasBackup
        ? holdBack(WaitReason.FAILED_OVER, "there is no backup master")
        : Optional.empty();
  }

  private Optional<Wait> refused(ServerPod pod) {
    return snapshot
        .refusalOf(pod.name())
        .flatMap(refusal -> holdBack(Precondition.POD_ADMITTED, refusal));
  }

  /** The next step of the restart that is under way. */
  Step progress(MasterRestart restart) {
    if (restart.isCancelled()) {
      return new Step(Optional.empty(), List.of(), Optional.empty());
    }
    var pod = snapshot.master(restart.pod());
    if (pod.filter(it -> it.uid().equals(restart.uid())).isPresent()) {
      return stop(restart, pod.get());
    }
    if (pod.filter(it -> it.isOutdated() && !it.isReady()).isPresent()
        && snapshot.areTemplatesObserved()) {
      // The spec was changed or rolled back since this pod was created.
      return new Step(
          Optional.of(
              new MasterRestart(restart.pod(), pod.get().uid(), restart.server(), restart.since())),
          List.of(),
          holdBack(WaitReason.POD_DELETED, restart.pod()));
    }
    if (pod.filter(ServerPod::isReady).isEmpty() && isDeclared(restart)) {
      return new Step(
          Optional.of(restart),
          List.of(),
          holdBack(
              WaitReason.SERVES_AGAIN,
              pod.isEmpty()
                  ? snapshot.refusalOf(restart.pod()).orElse(restart.pod())
                  : restart.pod()));
    }
    if (pod.isEmpty() && !isDeclared(restart)) {
      // It was removed. The others may not serve with their spec, and must not wait for it.
      return new Step(Optional.empty(), List.of(), Optional.empty());
    }
    boolean isFailedOver =
        snapshot
            .since(restart.since())
            .flatMap(HBaseView::activeMaster)
            .filter(it -> !Optional.of(it).equals(restart.server()))
            .isPresent();
    return isFailedOver
        ? new Step(Optional.empty(), List.of(), Optional.empty())
        : new Step(
            Optional.of(restart), List.of(), holdBack(WaitReason.FAILED_OVER, restart.pod()));
  }

  /**
   * The pod is deleted, if that may still begin: no operator may have run for hours since the
   * restart was stored. Else the restart is cancelled, since nothing was done for it: it would hold
   * others back, such as that of a master which serves no more.
   */
  private Step stop(MasterRestart restart, ServerPod pod) {
    var waiting = holdBack(WaitReason.POD_DELETED, restart.pod());
    if (pod.isTerminating()) {
      return new Step(Optional.of(restart), List.of(), waiting);
    }
    // The change may have been reverted, and the master may have become the active one.
    boolean isSameCase =
        pod.isOutdated()
            && active(pod).filter(it -> !restart.server().equals(Optional.of(it))).isEmpty();
    var held = held(pod);
    return held.isPresent() || !isSameCase
        ? new Step(Optional.of(restart.cancel()), List.of(), held)
        : new Step(
            Optional.of(restart),
            List.of(new Action.DeletePod(restart.pod(), restart.uid())),
            waiting);
  }

  private boolean isDeclared(MasterRestart restart) {
    var pod = restart.pod();
    return Integer.parseInt(pod.substring(pod.lastIndexOf('-') + 1)) < snapshot.declaredMasters();
  }

  private boolean isActive(ServerPod pod) {
    return active(pod).isPresent();
  }

  private Optional<String> active(ServerPod pod) {
    return snapshot
        .fresh()
        .flatMap(HBaseView::activeMaster)
        .filter(it -> HBaseView.podOf(it).equals(pod.name()));
  }

  private static Optional<Wait> holdBack(Blocker blocker, String subject) {
    return Optional.of(new Wait(blocker, subject));
  }
}
