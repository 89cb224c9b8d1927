package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.ServerRestart.Cause.RESTART;
import static io.offheap.hbase.operator.rollout.ServerRestart.Cause.SCALE_DOWN;

import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Decides which region server is restarted or removed next, or what holds the rollout back. {@link
 * Roller} has the whole algorithm.
 */
final class Admission {
  private final RolloutSnapshot snapshot;
  private final Rollout rollout;

  Admission(RolloutSnapshot snapshot, Rollout rollout) {
    this.snapshot = snapshot;
    this.rollout = rollout;
  }

  /** Either a restart that begins, or what it waits for; neither if there is nothing to do. */
  record Admitted(Optional<ServerRestart> restart, Optional<Wait> waitsFor) {
    static final Admitted NONE = new Admitted(Optional.empty(), Optional.empty());

    static Admitted of(ServerRestart restart) {
      return new Admitted(Optional.of(restart), Optional.empty());
    }
  }

  /** Servers whose pods others have deleted: they are drained while they terminate. */
  List<ServerRestart> ofDeletedPods() {
    return untouched()
        .filter(ServerPod::isTerminating)
        .flatMap(
            pod ->
                snapshot.liveServer(pod.name()).stream()
                    .map(
                        it ->
                            ServerRestart.begin(
                                pod,
                                it.name(),
                                ServerRestart.Cause.POD_DELETED,
                                Step.DRAIN,
                                false,
                                snapshot.now())))
        .toList();
  }

  Admitted next() {
    var candidates = candidates();
    if (candidates.isEmpty()) {
      return Admitted.NONE;
    }
    var refusals = new ArrayList<Wait>();
    for (ServerPod pod : candidates) {
      var held = Precondition.firstUnmet(new Candidate(snapshot, rollout, pod));
      if (held.isEmpty()) {
        return Admitted.of(restart(pod));
      }
      refusals.add(held.get());
    }
    // A server that waits for the switches alone must not wait behind one that waits for more.
    var next =
        refusals.stream().filter(it -> it.blocker() == Precondition.BALANCER_OFF).findFirst();
    return new Admitted(Optional.empty(), next.or(() -> Optional.of(refusals.get(0))));
  }

  /** Servers that must be restarted or removed; those that serve no region come first. */
  List<ServerPod> candidates() {
    return untouched()
        .filter(it -> !it.isTerminating())
        .filter(it -> it.isSurplus() ? isLast(it) : it.isOutdated() && !isHalted(it))
        .sorted(
            Comparator.comparing((ServerPod it) -> !snapshot.servesNothing(it))
                .thenComparing(it -> !it.isSurplus())
                .thenComparing(ServerPod::group)
                .thenComparing(Comparator.comparing(ServerPod::ordinal).reversed()))
        .toList();
  }

  private Stream<ServerPod> untouched() {
    return snapshot.servers().stream().filter(it -> rollout.restartOf(it.name()).isEmpty());
  }

  /** A StatefulSet that is scaled down removes its highest ordinal first. */
  private boolean isLast(ServerPod pod) {
    return untouched().noneMatch(it -> isOfGroup(it, pod) && it.ordinal() > pod.ordinal());
  }

  private boolean isHalted(ServerPod pod) {
    return snapshot.halted().contains(pod.group());
  }

  /**
   * A server that got an unproven change because its pod was deleted from outside. It must be
   * compared first if other servers are to get the change, or if it does not serve. A server that
   * serves is preferred. While a rollout is held, only a canary that the rollout itself restarted
   * is compared, which had to wait for another group's.
   */
  Optional<ServerPod> unproven() {
    if (rollout.canary().isPresent()
        || rollout.restarts().stream().anyMatch(ServerRestart::isCanary)
        || !snapshot.areTemplatesObserved()) {
      return Optional.empty();
    }
    boolean isHeld = snapshot.rules().isPaused() || !snapshot.rules().isWindowOpen();
    return untouched()
        .filter(it -> !it.isTerminating() && !it.isChanged() && !it.isSurplus())
        .filter(it -> !isHeld || isRestartedHere(it))
        .filter(it -> snapshot.isUnproven(it.group()))
        .filter(it -> isFollowed(it) || isBroken(it))
        .min(Comparator.comparing(it -> !snapshot.serves(it)));
  }

  /** The group served before the change, so its failure is evidence against the change. */
  private boolean isBroken(ServerPod pod) {
    return !pod.isReady() && !pod.isWithoutNode() && snapshot.goodBefore().contains(pod.group());
  }

  private boolean isRestartedHere(ServerPod pod) {
    return rollout.finished().stream()
        .anyMatch(
            it ->
                it.pod().equals(pod.name())
                    && it.cause() == RESTART
                    && it.outcome() == Rollout.Outcome.RESTARTED);
  }

  /** Peers that serve nothing get the change at once, and are no reason to compare it first. */
  private boolean isFollowed(ServerPod pod) {
    boolean isCanary = isRestartedHere(pod);
    return snapshot.peers(pod).stream()
        .anyMatch(it -> isCanary ? it.isChanged() : isToGetChange(it));
  }

  private boolean isToGetChange(ServerPod peer) {
    return peer.isChanged() && !snapshot.servesNothing(peer);
  }

  private static boolean isOfGroup(ServerPod one, ServerPod other) {
    return one.group().equals(other.group());
  }

  private ServerRestart restart(ServerPod pod) {
    var cause = pod.isSurplus() ? SCALE_DOWN : RESTART;
    var liveServer = snapshot.liveServer(pod.name());
    return ServerRestart.begin(
        pod,
        liveServer.map(HBaseView.Server::name).orElse(""),
        cause,
        liveServer.isEmpty() || snapshot.hasOneServer() ? Step.STOP : Step.DRAIN,
        cause == RESTART && snapshot.isCanary(pod),
        snapshot.now());
  }
}
