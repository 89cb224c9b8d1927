package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Turn.Cause.RESTART;
import static io.offheap.hbase.operator.rollout.Turn.Cause.SCALE_DOWN;

import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.Turn.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which region server has its turn next, and what holds it back; {@link Roller} tells the whole.
 */
final class Admission {
  private final Situation situation;
  private final Rollout rollout;

  Admission(Situation situation, Rollout rollout) {
    this.situation = situation;
    this.rollout = rollout;
  }

  /** Either a turn that begins, or what it waits for; neither where there is nothing to do. */
  record Admitted(Optional<Turn> turn, Optional<Wait> waitsFor) {
    static final Admitted NONE = new Admitted(Optional.empty(), Optional.empty());

    static Admitted of(Turn turn) {
      return new Admitted(Optional.of(turn), Optional.empty());
    }
  }

  /** Servers whose pods others have deleted: they are emptied while they are going. */
  List<Turn> gone() {
    return untouched()
        .filter(ServerPod::isTerminating)
        .flatMap(
            pod ->
                situation.living(pod.name()).stream()
                    .map(
                        it ->
                            Turn.begin(
                                pod,
                                it.name(),
                                Turn.Cause.GONE,
                                Step.DRAIN,
                                false,
                                situation.now())))
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
        return Admitted.of(turn(pod));
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
    return situation.servers().stream().filter(it -> rollout.turnOf(it.name()).isEmpty());
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
        && (situation.fresh().isPresent()
            ? situation.living(pod.name()).isEmpty()
            : situation.servers().stream().noneMatch(ServerPod::isReady));
  }

  private boolean isHalted(ServerPod pod) {
    return situation.halted().contains(pod.group());
  }

  private Optional<Wait> held(ServerPod pod) {
    var rules = situation.rules();
    if (rules.isPaused()) {
      return holdBack(Predicate.NOT_PAUSED, "");
    }
    if (!situation.areTemplatesObserved()) {
      return holdBack(Predicate.TEMPLATES_OBSERVED, "");
    }
    if (servesNothing(pod)) {
      return pod.isSurplus() ? Optional.empty() : disturbance(pod);
    }
    if (!pod.isSurplus() && !rules.isWindowOpen()) {
      return holdBack(Predicate.INSIDE_WINDOW, pod.name());
    }
    var until = situation.heldUntil(rollout.notBefore());
    if (until.isPresent()) {
      return holdBack(Predicate.NOT_TOO_SOON, until.get().toString());
    }
    if (!situation.isInfrastructureReady()) {
      return holdBack(Predicate.INFRASTRUCTURE_READY, "");
    }
    return disturbance(pod)
        .or(() -> canary(pod))
        .or(() -> situation.isAlone() ? Optional.empty() : hbase(pod));
  }

  private Optional<Wait> disturbance(ServerPod candidate) {
    var others =
        situation.servers().stream()
            .filter(it -> rollout.turnOf(it.name()).isEmpty())
            .filter(it -> !it.name().equals(candidate.name()))
            .filter(it -> !it.isReady())
            .filter(it -> !((it.isOutdated() || it.isSurplus()) && servesNothing(it)))
            .map(ServerPod::name);
    var missing =
        situation.declared().stream()
            .filter(it -> situation.server(it).isEmpty() && rollout.turnOf(it).isEmpty());
    var inTurn = rollout.turns().stream().map(Turn::pod);
    var disturbed = Stream.of(inTurn, others, missing).flatMap(it -> it).sorted().toList();
    return disturbed.size() < situation.rules().maxUnavailable()
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
    var inTurn =
        rollout.turns().stream()
            .filter(Turn::isCanary)
            .filter(it -> isOne || set(it.pod()).equals(set(pod.name())))
            .map(Turn::pod);
    // One that has the change by other hands is watched when it serves.
    var found =
        Stream.of(pod)
            .filter(ServerPod::isChanged)
            .flatMap(it -> situation.peers(it).stream())
            .filter(situation::hasUnproven)
            .map(ServerPod::name);
    return Stream.concat(inTurn, found)
        .findFirst()
        .flatMap(it -> holdBack(Predicate.CANARY_PROVEN, it));
  }

  /**
   * A server that has a change by other hands, and would have others follow unproven, or does not
   * serve with it: one that serves, if there is any. It is compared first.
   */
  Optional<ServerPod> unproven() {
    if (rollout.canary().isPresent()
        || rollout.turns().stream().anyMatch(Turn::isCanary)
        || situation.rules().isPaused()
        || !situation.rules().isWindowOpen()
        || !situation.areTemplatesObserved()) {
      return Optional.empty();
    }
    return untouched()
        .filter(it -> !it.isTerminating() && !it.isChanged() && !it.isSurplus())
        .filter(it -> situation.isUnproven(it.group()))
        .filter(it -> situation.peers(it).stream().anyMatch(this::isToFollow) || isBroken(it))
        .min(Comparator.comparing(it -> !situation.serves(it)));
  }

  /** Others were without it: what it served with is gone with its pod, and may be missed. */
  private boolean isBroken(ServerPod pod) {
    return !pod.isReady() && !pod.isUnschedulable() && situation.goodBefore().contains(pod.group());
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
    var heard = situation.fresh();
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
    var ours = rollout.turns().stream().flatMap(it -> it.toBringBack().stream()).toList();
    var moving = view.inTransition().stream().filter(it -> !ours.contains(it)).sorted().toList();
    if (!moving.isEmpty()) {
      return holdBack(Predicate.NO_REGION_IN_TRANSITION, moving.get(0) + " of " + moving.size());
    }
    long left = new Destinations(situation, view, rollout).countWithout(pod.name());
    int all = situation.declared().size();
    if (left < Math.max(1, all / 2)) {
      return holdBack(Predicate.ENOUGH_SERVERS, left + " of " + all);
    }
    // Asked last: nothing is switched off for a turn that cannot begin.
    return rollout.before().isEmpty() || view.isBalancerOn() || view.isNormalizerOn()
        ? holdBack(Predicate.BALANCER_OFF, "")
        : Optional.empty();
  }

  private Turn turn(ServerPod pod) {
    var cause = pod.isSurplus() ? SCALE_DOWN : RESTART;
    var living = situation.living(pod.name());
    return Turn.begin(
        pod,
        living.map(HBaseView.Server::name).orElse(""),
        cause,
        living.isEmpty() || situation.isAlone() ? Step.STOP : Step.DRAIN,
        cause == RESTART && isCanary(pod),
        situation.now());
  }

  /** The first of its group with a change, where others follow that it can be compared with. */
  private boolean isCanary(ServerPod pod) {
    var peers = situation.peers(pod);
    return situation.rules().canaryWindow().isPresent()
        && pod.isChanged()
        && !situation.halted().contains(pod.group())
        && !peers.isEmpty()
        && peers.stream().allMatch(ServerPod::isChanged);
  }

  private static Optional<Wait> holdBack(Predicate predicate, String subject) {
    return Optional.of(new Wait(predicate, subject));
  }
}
