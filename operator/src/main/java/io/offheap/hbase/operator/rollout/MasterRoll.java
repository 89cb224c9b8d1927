package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.Rollout.MasterTurn;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The masters' part of a rollout; {@link Roller} tells the whole. */
final class MasterRoll {
  private final Situation situation;

  MasterRoll(Situation situation) {
    this.situation = situation;
  }

  /**
   * What a pass makes of the masters.
   *
   * @param turn the master in its turn, as it is to be remembered
   * @param actions what to do for it
   * @param waitsFor what it waits for
   */
  record Step(Optional<MasterTurn> turn, List<Action> actions, Optional<Wait> waitsFor) {}

  /** Whether a master is to be restarted. */
  boolean isNeeded() {
    return situation.masters().stream().anyMatch(ServerPod::isOutdated);
  }

  /** Whether one of these does not serve. */
  boolean isBroken() {
    return situation.masters().stream().anyMatch(it -> it.isOutdated() && !it.isReady());
  }

  /** The next master begins its turn, or what it waits for. */
  Step next() {
    var outdated =
        situation.masters().stream()
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
            Optional.of(new MasterTurn(pod.name(), pod.uid(), active(pod), situation.now())),
            List.of(),
            Optional.empty());
  }

  private Optional<Wait> held(ServerPod pod) {
    if (situation.rules().isPaused()) {
      return holdBack(Predicate.NOT_PAUSED, "");
    }
    if (!situation.areTemplatesObserved()) {
      return holdBack(Predicate.TEMPLATES_OBSERVED, "");
    }
    boolean servesNothing = !pod.isReady();
    if (servesNothing) {
      return Optional.empty();
    }
    if (!situation.rules().isWindowOpen()) {
      return holdBack(Predicate.INSIDE_WINDOW, pod.name());
    }
    var other =
        situation.masters().stream()
            .filter(it -> !it.name().equals(pod.name()) && !it.isReady())
            .findFirst();
    if (other.isPresent()) {
      return holdBack(Predicate.NO_OTHER_DISTURBANCE, other.get().name());
    }
    if (situation.masters().size() < situation.declaredMasters()) {
      return holdBack(Predicate.NO_OTHER_DISTURBANCE, "a master is missing");
    }
    if (situation.fresh().isEmpty()) {
      return holdBack(Predicate.HBASE_HEARD, "");
    }
    boolean hasHeir = !situation.fresh().get().backupMasters().isEmpty();
    return isActive(pod) && situation.declaredMasters() > 1 && !hasHeir
        ? holdBack(Predicate.FAILED_OVER, "no other master is waiting")
        : Optional.empty();
  }

  /** The master in its turn. */
  Step progress(MasterTurn turn) {
    var pod = situation.master(turn.pod());
    if (pod.filter(it -> it.uid().equals(turn.uid())).isPresent()) {
      return new Step(
          Optional.of(turn),
          pod.get().isTerminating()
              ? List.of()
              : List.of(new Action.DeletePod(turn.pod(), turn.uid())),
          holdBack(Predicate.POD_GONE, turn.pod()));
    }
    if (pod.filter(it -> it.isOutdated() && !it.isReady()).isPresent()
        && situation.areTemplatesObserved()) {
      // What it starts with was withdrawn meanwhile.
      return new Step(
          Optional.of(new MasterTurn(turn.pod(), pod.get().uid(), turn.server(), turn.since())),
          List.of(),
          holdBack(Predicate.POD_GONE, turn.pod()));
    }
    if (pod.filter(ServerPod::isReady).isEmpty() && isDeclared(turn)) {
      return new Step(Optional.of(turn), List.of(), holdBack(Predicate.SERVES_AGAIN, turn.pod()));
    }
    boolean isFailedOver =
        situation
            .since(turn.since())
            .flatMap(HBaseView::activeMaster)
            .filter(it -> !Optional.of(it).equals(turn.server()))
            .isPresent();
    return isFailedOver
        ? new Step(Optional.empty(), List.of(), Optional.empty())
        : new Step(Optional.of(turn), List.of(), holdBack(Predicate.FAILED_OVER, turn.pod()));
  }

  private boolean isDeclared(MasterTurn turn) {
    var pod = turn.pod();
    return Integer.parseInt(pod.substring(pod.lastIndexOf('-') + 1)) < situation.declaredMasters();
  }

  private boolean isActive(ServerPod pod) {
    return active(pod).isPresent();
  }

  private Optional<String> active(ServerPod pod) {
    return situation
        .fresh()
        .flatMap(HBaseView::activeMaster)
        .filter(it -> HBaseView.podOf(it).equals(pod.name()));
  }

  private static Optional<Wait> holdBack(Predicate predicate, String subject) {
    return Optional.of(new Wait(predicate, subject));
  }
}
