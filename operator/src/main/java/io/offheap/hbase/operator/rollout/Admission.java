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
 * Which region server has its turn next, and what holds it back; {@link Roller} tells the whole.
 */
final class Admission {
  private final RolloutSnapshot snapshot;
  private final Rollout rollout;

  Admission(RolloutSnapshot snapshot, Rollout rollout) {
    this.snapshot = snapshot;
    this.rollout = rollout;
  }

  /** Either a turn that begins, or what it waits for; neither where there is nothing to do. */
  record Admitted(Optional<ServerRestart> restart, Optional<Wait> waitsFor) {
    static final Admitted NONE = new Admitted(Optional.empty(), Optional.empty());

    static Admitted of(ServerRestart restart) {
      return new Admitted(Optional.of(restart), Optional.empty());
    }
  }

  /** Servers whose pods others have deleted: they are emptied while they are going. */
  List<ServerRestart> gone() {
    return untouched()
        .filter(ServerPod::isTerminating)
        .flatMap(
            pod ->
                snapshot.living(pod.name()).stream()
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
      var held = held(pod);
      if (held.isEmpty()) {
        return Admitted.of(restart(pod));
      }
      refusals.add(held.get());
    }
    return new Admitted(Optional.empty(), Optional.of(refusals.get(0)));
  }

  /** Servers that should have a turn, those first that lose nothing by it. */
  List<ServerPod> candidates() {
    return untouched()
        .filter(it -> !it.isTerminating())
        .filter(it -> it.isSurplus() ? isLast(it) : it.isOutdated() && !isHalted(it))
        .sorted(
            Comparator.comparing((ServerPod it) -> !servesNothing(it))
                .thenComparing(it -> !it.isSurplus())
                .thenComparing(ServerPod::group)
                .thenComparing(Comparator.comparing(ServerPod::ordinal).reversed()))
        .toList();
  }

  private Stream<ServerPod> untouched() {
    return snapshot.servers().stream().filter(it -> rollout.restartOf(it.name()).isEmpty());
  }

  /** Of those more than are declared, only the last one can go. */
  private boolean isLast(ServerPod pod) {
    return untouched().noneMatch(it -> isOfGroup(it, pod) && it.ordinal() > pod.ordinal());
  }

  /**
   * Not ready, and HBase does not count it among the living either. Where HBase says nothing, no
   * server must be ready: from one that is, it would be heard of.
   */
  private boolean servesNothing(ServerPod pod) {
    return !pod.isReady()
        && (snapshot.fresh().isPresent()
            ? snapshot.living(pod.name()).isEmpty()
            : snapshot.servers().stream().noneMatch(ServerPod::isReady));
  }

  private boolean isHalted(ServerPod pod) {
    return snapshot.halted().contains(pod.group());
  }

  private Optional<Wait> held(ServerPod pod) {
    var rules = snapshot.rules();
    if (rules.isPaused()) {
      return holdBack(Predicate.NOT_PAUSED, "");
    }
    if (!snapshot.areTemplatesObserved()) {
      return holdBack(Predicate.TEMPLATES_OBSERVED, "");
    }
    if (servesNothing(pod)) {
      return pod.isSurplus() ? Optional.empty() : disturbance(pod);
    }
    if (!pod.isSurplus() && !rules.isWindowOpen()) {
      return holdBack(Predicate.INSIDE_WINDOW, pod.name());
    }
    var until = snapshot.heldUntil(rollout.notBefore());
    if (until.isPresent()) {
      return holdBack(Predicate.NOT_TOO_SOON, until.get().toString());
    }
    if (!snapshot.isInfrastructureReady()) {
      return holdBack(Predicate.INFRASTRUCTURE_READY, "");
    }
    return disturbance(pod)
        .or(() -> canary(pod))
        .or(() -> snapshot.isAlone() ? Optional.empty() : hbase(pod));
  }

  private Optional<Wait> disturbance(ServerPod candidate) {
    var others =
        snapshot.servers().stream()
            .filter(it -> rollout.restartOf(it.name()).isEmpty())
            .filter(it -> !it.name().equals(candidate.name()))
            .filter(it -> !it.isReady())
            .filter(it -> !((it.isOutdated() || it.isSurplus()) && servesNothing(it)))
            .map(ServerPod::name);
    var missing =
        snapshot.declared().stream()
            .filter(it -> snapshot.server(it).isEmpty() && rollout.restartOf(it).isEmpty());
    var restarting = rollout.restarts().stream().map(ServerRestart::pod);
    var disturbed = Stream.of(restarting, others, missing).flatMap(it -> it).sorted().toList();
    return disturbed.size() < snapshot.rules().maxUnavailable()
        ? Optional.empty()
        : holdBack(Predicate.NO_OTHER_DISTURBANCE, String.join(", ", disturbed));
  }

  private Optional<Wait> canary(ServerPod pod) {
    if (pod.isSurplus()) {
      return Optional.empty();
    }
    // One canary is watched at a time.
    boolean isOne = isCanary(pod);
    var watched = rollout.canary().filter(it -> isOne || it.group().equals(pod.group()));
    if (watched.isPresent()) {
      return holdBack(Predicate.CANARY_PROVEN, watched.get().pod());
    }
    var restarting =
        rollout.restarts().stream()
            .filter(ServerRestart::isCanary)
            .filter(it -> isOne || set(it.pod()).equals(set(pod.name())))
            .map(ServerRestart::pod);
    // One that has the change by other hands is watched when it serves.
    var found =
        Stream.of(pod)
            .filter(ServerPod::isChanged)
            .flatMap(it -> snapshot.peers(it).stream())
            .filter(snapshot::hasUnproven)
            .map(ServerPod::name);
    return Stream.concat(restarting, found)
        .findFirst()
        .flatMap(it -> holdBack(Predicate.CANARY_PROVEN, it));
  }

  /**
   * A server that has a change by other hands, and would have others follow unproven, or does not
   * serve with it: one that serves, if there is any. It is compared first.
   */
  Optional<ServerPod> unproven() {
    if (rollout.canary().isPresent()
        || rollout.restarts().stream().anyMatch(ServerRestart::isCanary)
        || snapshot.rules().isPaused()
        || !snapshot.rules().isWindowOpen()
        || !snapshot.areTemplatesObserved()) {
      return Optional.empty();
    }
    return untouched()
        .filter(it -> !it.isTerminating() && !it.isChanged() && !it.isSurplus())
        .filter(it -> snapshot.isUnproven(it.group()))
        .filter(it -> snapshot.peers(it).stream().anyMatch(this::isToFollow) || isBroken(it))
        .min(Comparator.comparing(it -> !snapshot.serves(it)));
  }

  /** Others were without it: what it served with is gone with its pod, and may be missed. */
  private boolean isBroken(ServerPod pod) {
    return !pod.isReady() && !pod.isUnschedulable() && snapshot.goodBefore().contains(pod.group());
  }

  private boolean isToFollow(ServerPod peer) {
    return peer.isChanged() && !servesNothing(peer);
  }

  private static boolean isOfGroup(ServerPod one, ServerPod other) {
    return one.group().equals(other.group());
  }

  /** The StatefulSet of a pod, which need not exist at the moment. */
  private static String set(String pod) {
    return pod.substring(0, pod.lastIndexOf('-'));
  }

  private Optional<Wait> hbase(ServerPod pod) {
    var heard = snapshot.fresh();
    if (heard.isEmpty() || heard.get().serverOf(pod.name()).isEmpty()) {
      return holdBack(Predicate.HBASE_HEARD, pod.name());
    }
    var view = heard.get();
    if (view.activeMaster().isEmpty()) {
      return holdBack(Predicate.MASTER_ACTIVE, "");
    }
    if (!view.crashed().isEmpty()) {
      return holdBack(Predicate.NO_SERVER_CRASHED, String.join(", ", view.crashed()));
    }
    var ours = rollout.restarts().stream().flatMap(it -> it.toBringBack().stream()).toList();
    var moving = view.inTransition().stream().filter(it -> !ours.contains(it)).sorted().toList();
    if (!moving.isEmpty()) {
      return holdBack(Predicate.NO_REGION_IN_TRANSITION, moving.get(0) + " of " + moving.size());
    }
    long left = new Destinations(snapshot, view, rollout).countWithout(pod.name());
    int all = snapshot.declared().size();
    if (left < Math.max(1, all / 2)) {
      return holdBack(Predicate.ENOUGH_SERVERS, left + " of " + all);
    }
    // Asked last: nothing is switched off for a turn that cannot begin.
    return rollout.before().isEmpty() || view.isBalancerOn() || view.isNormalizerOn()
        ? holdBack(Predicate.BALANCER_OFF, "")
        : Optional.empty();
  }

  private ServerRestart restart(ServerPod pod) {
    var cause = pod.isSurplus() ? SCALE_DOWN : RESTART;
    var living = snapshot.living(pod.name());
    return ServerRestart.begin(
        pod,
        living.map(HBaseView.Server::name).orElse(""),
        cause,
        living.isEmpty() || snapshot.isAlone() ? Step.STOP : Step.DRAIN,
        cause == RESTART && isCanary(pod),
        snapshot.now());
  }

  /** The first of its group with a change, where others follow that it can be compared with. */
  private boolean isCanary(ServerPod pod) {
    var peers = snapshot.peers(pod);
    return snapshot.rules().canaryWindow().isPresent()
        && pod.isChanged()
        && !snapshot.halted().contains(pod.group())
        && !peers.isEmpty()
        && peers.stream().allMatch(ServerPod::isChanged);
  }

  private static Optional<Wait> holdBack(Predicate predicate, String subject) {
    return Optional.of(new Wait(predicate, subject));
  }
}
