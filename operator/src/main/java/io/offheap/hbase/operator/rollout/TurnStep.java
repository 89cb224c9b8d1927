package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.Turn.Cause.GONE;
import static io.offheap.hbase.operator.rollout.Turn.Cause.SCALE_DOWN;
import static io.offheap.hbase.operator.rollout.Turn.GivenUp.NOT_WANTED;
import static io.offheap.hbase.operator.rollout.Turn.GivenUp.TIMED_OUT;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import io.offheap.hbase.operator.rollout.Decision.Action.Tell;
import io.offheap.hbase.operator.rollout.Decision.TakenBack;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.Turn.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** One step of one region server's turn; {@link Roller} tells the whole. */
final class TurnStep {
  /** Regions that have not come back by then are left to the balancer. */
  private static final Duration RETURN_TIMEOUT = Duration.ofMinutes(10);

  /**
   * As long, HBase takes a server for alive that is not; one that is alive for longer is of the new
   * pod, and the turn began by an old look at the pods.
   */
  private static final Duration SESSION = Duration.ofSeconds(90);

  /** A region whose move is refused for so long may not exist any more. */
  private static final Duration REFUSAL_TIMEOUT = Duration.ofMinutes(1);

  /**
   * As many regions are remembered at a time, some 40 bytes each: status is one object, of which
   * the API server takes 1.5 MiB. The balancer sees to the others.
   */
  private static final int REGIONS = 20_000;

  private final Situation situation;
  private final Rollout rollout;
  private final Turn turn;
  private final Optional<ServerPod> pod;
  private final Instant now;

  TurnStep(Situation situation, Rollout rollout, Turn turn) {
    this.situation = situation;
    this.rollout = rollout;
    this.turn = turn;
    this.pod = situation.server(turn.pod());
    this.now = situation.now();
  }

  Progress progress() {
    if (isForAnUnprovenChange()) {
      return isBehindAnother()
          ? Progress.to(turn.givenUp(NOT_WANTED, now))
          : Progress.to(turn.asCanary());
    }
    return switch (turn.step()) {
      case DRAIN -> drain();
      case STOP -> stop();
      case START -> start();
      case RETURN -> bringBack();
    };
  }

  /**
   * What is declared has changed since its turn began, and it is not stopped yet: it would get what
   * nobody has proven.
   */
  private boolean isForAnUnprovenChange() {
    return turn.cause() != SCALE_DOWN
        && !turn.isCanary()
        && (turn.step() == Step.DRAIN || turn.step() == Step.STOP)
        && pod.filter(it -> it.uid().equals(turn.uid()) && it.isReady() && !it.isTerminating())
            .filter(it -> it.isChanged() && situation.isUnproven(it.group()))
            .filter(it -> !situation.peers(it).isEmpty())
            .isPresent();
  }

  /** Another server of its group is the first to get it, or has it already. */
  private boolean isBehindAnother() {
    var group = pod.orElseThrow().group();
    return rollout.canary().filter(it -> it.group().equals(group)).isPresent()
        || situation.peers(pod.get()).stream().anyMatch(it -> !it.isChanged())
        || rollout.turns().stream()
            .takeWhile(it -> !it.pod().equals(turn.pod()))
            .anyMatch(it -> isOfGroup(it, group))
        || rollout.turns().stream().anyMatch(it -> it.isCanary() && isOfGroup(it, group));
  }

  private boolean isOfGroup(Turn other, String group) {
    return situation.server(other.pod()).filter(it -> it.group().equals(group)).isPresent();
  }

  private Progress drain() {
    if (isPodGone()) {
      return Progress.to(turn.to(Step.START, now));
    }
    if (isWantedAgain()) {
      return Progress.to(turn.givenUp(NOT_WANTED, now));
    }
    var heard = situation.since(turn.since());
    if (heard.isEmpty()) {
      return replacedUnheard()
          .orElseGet(() -> overdueOr(Progress.waiting(turn, Predicate.HBASE_HEARD, turn.pod())));
    }
    var view = heard.get();
    if (view.server(turn.server()).isEmpty()) {
      return drainWhatCameInstead(view);
    }
    if (!view.draining().contains(turn.server())) {
      return overdueOr(
          Progress.waiting(
              turn,
              Predicate.DRAINED,
              turn.pod(),
              new Tell(new HBaseCommand.Decommission(turn.server()))));
    }
    var regions = view.regions().get(turn.server());
    if (regions == null) {
      return overdueOr(Progress.waiting(turn, Predicate.HBASE_HEARD, turn.server()));
    }
    return drain(view, regions);
  }

  private Progress drain(HBaseView view, List<Region> regions) {
    if (turn.regions().isEmpty()) {
      return Progress.to(
          turn.withRegions(
              regions.stream()
                  .filter(it -> !it.isMeta())
                  .map(Region::encodedName)
                  .filter(it -> !isOfAnother(it))
                  .limit(room())
                  .toList()));
    }
    // A region in transition may have been on its way to it since before it was draining.
    if (regions.isEmpty() && !view.inTransition().isEmpty()) {
      return overdueOr(Progress.waiting(turn, Predicate.NO_REGION_IN_TRANSITION, turn.pod()));
    }
    if (regions.isEmpty()) {
      if (turn.emptyAt().isEmpty()) {
        return Progress.to(turn.withEmptyAt(Optional.of(view.asked())));
      }
      return view.asked().isAfter(situation.seen(turn.emptyAt().get()))
          ? Progress.to(turn.to(Step.STOP, now))
          : Progress.waiting(turn, Predicate.DRAINED, turn.pod());
    }
    if (turn.emptyAt().isPresent()) {
      return Progress.to(turn.withEmptyAt(Optional.empty()));
    }
    var moves = new Destinations(situation, view, rollout).moves(regions);
    return overdueOr(
        Progress.waiting(turn, Predicate.DRAINED, turn.pod() + " has " + regions.size())
            .with(moves.stream().<Action>map(Tell::new).toList()));
  }

  /** How many regions more can be remembered. */
  private long room() {
    return Math.max(
        0, REGIONS - rollout.turns().stream().mapToInt(it -> it.toBringBack().size()).sum());
  }

  /** It is here until the server that had it first can have it back. */
  private boolean isOfAnother(String region) {
    return rollout.turns().stream()
        .anyMatch(it -> !it.pod().equals(turn.pod()) && it.toBringBack().contains(region));
  }

  /** The process that was to be emptied is gone: it crashed, or its pod is about to be. */
  private Progress drainWhatCameInstead(HBaseView view) {
    var other = view.serverOf(turn.pod()).filter(it -> isNewer(it.name()));
    if (other.isPresent() && view.draining().contains(turn.server())) {
      return Progress.waiting(
          turn,
          Predicate.DRAINED,
          turn.pod(),
          new Tell(new HBaseCommand.Recommission(turn.server())));
    }
    if (other.isPresent()) {
      return Progress.to(turn.of(turn.uid(), other.get().name()).withEmptyAt(Optional.empty()));
    }
    return turn.cause() == GONE
        ? Progress.waiting(turn, Predicate.POD_GONE, turn.pod())
        : Progress.to(turn.to(Step.STOP, now));
  }

  /**
   * HBase has been silent for long, and the pod does not serve and is to be another: what it is to
   * be may be what makes HBase speak again.
   */
  private Optional<Progress> replacedUnheard() {
    return pod.filter(it -> it.isChanged() && !it.isReady() && !it.isTerminating())
        .filter(it -> situation.isSilent() && turn.cause() != SCALE_DOWN)
        .filter(it -> !situation.halted().contains(it.group()))
        .filter(it -> situation.areTemplatesObserved())
        .map(it -> Progress.to(turn.stopping(it.uid(), now)));
  }

  /** What a person asked for may be given up; what is going already goes anyway. */
  private Progress overdueOr(Progress other) {
    return pod.filter(ServerPod::isTerminating).isEmpty()
            && isOverdue(situation.rules().drainTimeout())
        ? Progress.to(turn.givenUp(TIMED_OUT, now))
        : other;
  }

  private Progress stop() {
    if (isPodGone()) {
      return Progress.to(turn.to(turn.cause() == SCALE_DOWN ? Step.RETURN : Step.START, now));
    }
    if (isWantedAgain()) {
      return Progress.to(turn.givenUp(NOT_WANTED, now));
    }
    if (!situation.isAlone() && isServedAgain()) {
      return Progress.to(turn.to(Step.DRAIN, now));
    }
    // A look that is older does not show what a process was given that has just begun.
    if (!situation.isAlone()
        && situation.since(turn.since()).isEmpty()
        && (situation.fresh().isPresent() || pod.filter(ServerPod::isReady).isPresent())) {
      return Progress.waiting(turn, Predicate.HBASE_HEARD, turn.pod());
    }
    var waiting = Progress.waiting(turn, Predicate.POD_GONE, turn.pod());
    // The last pods of a StatefulSet go when it is made smaller.
    return turn.cause() != SCALE_DOWN && !pod.orElseThrow().isTerminating()
        ? waiting.with(List.of(new DeletePod(turn.pod(), turn.uid())))
        : waiting;
  }

  /** It was more than are declared, and is not any more. */
  private boolean isWantedAgain() {
    return turn.cause() == SCALE_DOWN
        && pod.filter(it -> !it.isSurplus() && !it.isTerminating()).isPresent();
  }

  /** A newer process runs in the pod that is to go, or the one that was emptied has regions. */
  private boolean isServedAgain() {
    return situation
        .since(turn.since())
        .filter(
            view ->
                view.serverOf(turn.pod()).filter(it -> isNewer(it.name())).isPresent()
                    || !view.regions().getOrDefault(turn.server(), List.of()).isEmpty())
        .isPresent();
  }

  private Progress start() {
    var present = pod.filter(it -> !it.isTerminating());
    if (!isDeclared()) {
      return Progress.to(turn.to(Step.RETURN, now));
    }
    if (present.isEmpty()) {
      return overdueStart();
    }
    if (turn.cause() == Turn.Cause.RESTART && !isReplacedOnce()) {
      // A look that was older than its pod had shown it gone.
      return Progress.to(turn.to(Step.STOP, now));
    }
    if (present.get().isChanged() && isReplacedOnce() && isWaitedForInVain()) {
      // What it starts with was withdrawn meanwhile, or taken back, or was old when it was made.
      return situation.areTemplatesObserved()
          ? Progress.to(turn.stopping(present.get().uid(), now))
          : Progress.waiting(turn, Predicate.TEMPLATES_OBSERVED, turn.pod());
    }
    return present.get().isReady() && serves().isPresent()
        ? Progress.to(turn.to(Step.RETURN, now))
        : overdueStart();
  }

  private Optional<Server> serves() {
    return situation
        .since(turn.since())
        .flatMap(it -> it.serverOf(turn.pod()))
        .filter(it -> isNewer(it.name()) || isOverdue(SESSION));
  }

  /** Not ready, or ready and not alive for longer than a start takes. */
  private boolean isWaitedForInVain() {
    return pod.filter(ServerPod::isReady).isEmpty()
        || (serves().isEmpty() && isOverdue(situation.rules().startTimeout()) && !isUnheard());
  }

  private boolean isReplacedOnce() {
    return pod.filter(it -> !it.uid().equals(turn.uid())).isPresent();
  }

  private boolean isDeclared() {
    return turn.cause() != SCALE_DOWN && situation.declared().contains(turn.pod());
  }

  private Progress overdueStart() {
    var waiting =
        Progress.waiting(
            turn,
            Predicate.SERVES_AGAIN,
            turn.pod()
                + pod.flatMap(ServerPod::trouble).map(it -> ", which " + it.text()).orElse(""));
    var changed = pod.filter(this::isOfChange);
    if (changed.isEmpty() || situation.rolledBack().contains(changed.get().group())) {
      return waiting;
    }
    var cannot = situation.cannotStart(changed.get(), turn.since());
    if (cannot.isPresent()) {
      return waiting.with(
          new TakenBack(changed.get().group(), "CannotStart", List.of(cannot.get())));
    }
    return isOverdue(situation.rules().startTimeout()) && !isUnheard()
        ? waiting.with(notServing(changed.get().group()))
        : waiting;
  }

  private TakenBack notServing(String group) {
    return new TakenBack(
        group,
        "NotServing",
        List.of(
            turn.pod()
                + " did not serve within "
                + situation.rules().startTimeout()
                + " of its start"));
  }

  /**
   * Whether it is the change that keeps a pod from serving. Who is going, has no node, or was made
   * from an older template is kept by something else; so is who was deleted by others, and is not
   * the first with a change.
   */
  private boolean isOfChange(ServerPod it) {
    return !it.isChanged()
        && !it.isTerminating()
        && !it.isUnschedulable()
        && (turn.cause() == Turn.Cause.RESTART
            || (turn.cause() == GONE
                && situation.isNew(it.group())
                && situation.goodBefore().contains(it.group())));
  }

  /** It is ready, and HBase, which alone can say that it is not served, says nothing. */
  private boolean isUnheard() {
    return pod.filter(ServerPod::isReady).isPresent() && situation.since(turn.since()).isEmpty();
  }

  private Progress bringBack() {
    var heard = situation.since(turn.since());
    if (heard.isEmpty()) {
      return replacedUnheard()
          .orElseGet(() -> Progress.waiting(turn, Predicate.HBASE_HEARD, turn.pod()));
    }
    var view = heard.get();
    if (view.draining().contains(turn.server())) {
      return Progress.waiting(
          turn,
          Predicate.REGIONS_BACK,
          turn.pod(),
          new Tell(new HBaseCommand.Recommission(turn.server())));
    }
    if (!isDeclared() && !turn.gaveUp()) {
      return Progress.over(Rollout.Outcome.SCALED_DOWN);
    }
    // A server that was given up lives on: it may have been told to drain a moment ago.
    if (turn.gaveUp() && situation.settled().isEmpty()) {
      return Progress.waiting(turn, Predicate.HBASE_HEARD, turn.pod());
    }
    // Whoever deleted its pod begins another turn.
    if (isOverdue(RETURN_TIMEOUT) || pod.filter(ServerPod::isTerminating).isPresent()) {
      return over();
    }
    var server = view.serverOf(turn.pod());
    if (server.isEmpty()) {
      return Progress.waiting(turn, Predicate.SERVES_AGAIN, turn.pod());
    }
    var there = view.regions().get(server.get().name());
    return there == null
        ? Progress.waiting(turn, Predicate.HBASE_HEARD, server.get().name())
        : bringBack(view, server.get(), there);
  }

  private Progress bringBack(HBaseView view, Server server, List<Region> there) {
    var names = there.stream().map(Region::encodedName).collect(Collectors.toSet());
    var missing =
        turn.toBringBack().stream().filter(it -> !names.contains(it) && !isRefused(it)).toList();
    if (missing.isEmpty()) {
      return over();
    }
    return Progress.waiting(
            turn,
            Predicate.REGIONS_BACK,
            turn.pod() + ", " + missing.size() + " of " + turn.toBringBack().size())
        .with(
            missing.stream()
                .filter(it -> !view.inTransition().contains(it))
                .<Action>map(it -> new Tell(new HBaseCommand.Move(it, server.name())))
                .toList());
  }

  private boolean isRefused(String region) {
    return situation.refused().contains(region) && isOverdue(REFUSAL_TIMEOUT);
  }

  private Progress over() {
    return Progress.over(turn.gaveUp() ? Rollout.Outcome.GAVE_UP : Rollout.Outcome.RESTARTED);
  }

  private boolean isOverdue(Duration deadline) {
    return situation.isOverdue(turn.since(), deadline);
  }

  private boolean isPodGone() {
    return pod.filter(it -> it.uid().equals(turn.uid())).isEmpty();
  }

  private boolean isNewer(String server) {
    return turn.server().isEmpty()
        || HBaseView.startCode(server) > HBaseView.startCode(turn.server());
  }
}
