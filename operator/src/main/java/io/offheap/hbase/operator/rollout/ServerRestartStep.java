package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.ServerRestart.Cancellation.DRAIN_TIMED_OUT;
import static io.offheap.hbase.operator.rollout.ServerRestart.Cancellation.NOT_WANTED;
import static io.offheap.hbase.operator.rollout.ServerRestart.Cause.POD_DELETED;
import static io.offheap.hbase.operator.rollout.ServerRestart.Cause.SCALE_DOWN;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Action.DeletePod;
import io.offheap.hbase.operator.rollout.Decision.Action.Tell;
import io.offheap.hbase.operator.rollout.Decision.RolledBack;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** One step of one region server's turn; {@link Roller} tells the whole. */
final class ServerRestartStep {
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

  private final RolloutSnapshot snapshot;
  private final Rollout rollout;
  private final ServerRestart restart;
  private final Optional<ServerPod> pod;
  private final Instant now;

  ServerRestartStep(RolloutSnapshot snapshot, Rollout rollout, ServerRestart restart) {
    this.snapshot = snapshot;
    this.rollout = rollout;
    this.restart = restart;
    this.pod = snapshot.server(restart.pod());
    this.now = snapshot.now();
  }

  Progress progress() {
    if (isForAnUnprovenChange()) {
      return isBehindAnother()
          ? Progress.to(restart.cancel(NOT_WANTED, now))
          : Progress.to(restart.asCanary());
    }
    return switch (restart.step()) {
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
    return restart.cause() != SCALE_DOWN
        && !restart.isCanary()
        && (restart.step() == Step.DRAIN || restart.step() == Step.STOP)
        && pod.filter(it -> it.uid().equals(restart.uid()) && it.isReady() && !it.isTerminating())
            .filter(it -> it.isChanged() && snapshot.isUnproven(it.group()))
            .filter(it -> !snapshot.peers(it).isEmpty())
            .isPresent();
  }

  /** Another server of its group is the first to get it, or has it already. */
  private boolean isBehindAnother() {
    var group = pod.orElseThrow().group();
    return rollout.canary().filter(it -> it.group().equals(group)).isPresent()
        || snapshot.peers(pod.get()).stream().anyMatch(it -> !it.isChanged())
        || rollout.restarts().stream()
            .takeWhile(it -> !it.pod().equals(restart.pod()))
            .anyMatch(it -> isOfGroup(it, group))
        || rollout.restarts().stream().anyMatch(it -> it.isCanary() && isOfGroup(it, group));
  }

  private boolean isOfGroup(ServerRestart other, String group) {
    return snapshot.server(other.pod()).filter(it -> it.group().equals(group)).isPresent();
  }

  private Progress drain() {
    if (isPodGone()) {
      return Progress.to(restart.to(Step.START, now));
    }
    if (isWantedAgain()) {
      return Progress.to(restart.cancel(NOT_WANTED, now));
    }
    var heard = snapshot.since(restart.since());
    if (heard.isEmpty()) {
      return replacedUnheard()
          .orElseGet(
              () -> overdueOr(Progress.waiting(restart, Predicate.HBASE_HEARD, restart.pod())));
    }
    var view = heard.get();
    if (view.server(restart.server()).isEmpty()) {
      return drainWhatCameInstead(view);
    }
    if (!view.draining().contains(restart.server())) {
      return overdueOr(
          Progress.waiting(
              restart,
              Predicate.DRAINED,
              restart.pod(),
              new Tell(new HBaseCommand.Decommission(restart.server()))));
    }
    var regions = view.regions().get(restart.server());
    if (regions == null) {
      return overdueOr(Progress.waiting(restart, Predicate.HBASE_HEARD, restart.server()));
    }
    return drain(view, regions);
  }

  private Progress drain(HBaseView view, List<Region> regions) {
    if (restart.regions().isEmpty()) {
      return Progress.to(
          restart.withRegions(
              regions.stream()
                  .filter(it -> !it.isMeta())
                  .map(Region::encodedName)
                  .filter(it -> !isOfAnother(it))
                  .limit(room())
                  .toList()));
    }
    // A region in transition may have been on its way to it since before it was draining.
    if (regions.isEmpty() && !view.inTransition().isEmpty()) {
      return overdueOr(Progress.waiting(restart, Predicate.NO_REGION_IN_TRANSITION, restart.pod()));
    }
    if (regions.isEmpty()) {
      if (restart.emptyAt().isEmpty()) {
        return Progress.to(restart.withEmptyAt(Optional.of(view.asked())));
      }
      return view.asked().isAfter(snapshot.seen(restart.emptyAt().get()))
          ? Progress.to(restart.to(Step.STOP, now))
          : Progress.waiting(restart, Predicate.DRAINED, restart.pod());
    }
    if (restart.emptyAt().isPresent()) {
      return Progress.to(restart.withEmptyAt(Optional.empty()));
    }
    var moves = new Destinations(snapshot, view, rollout).moves(regions);
    return overdueOr(
        Progress.waiting(restart, Predicate.DRAINED, restart.pod() + " has " + regions.size())
            .with(moves.stream().<Action>map(Tell::new).toList()));
  }

  /** How many regions more can be remembered. */
  private long room() {
    return Math.max(
        0, REGIONS - rollout.restarts().stream().mapToInt(it -> it.toBringBack().size()).sum());
  }

  /** It is here until the server that had it first can have it back. */
  private boolean isOfAnother(String region) {
    return rollout.restarts().stream()
        .anyMatch(it -> !it.pod().equals(restart.pod()) && it.toBringBack().contains(region));
  }

  /** The process that was to be emptied is gone: it crashed, or its pod is about to be. */
  private Progress drainWhatCameInstead(HBaseView view) {
    var other = view.serverOf(restart.pod()).filter(it -> isNewer(it.name()));
    if (other.isPresent() && view.draining().contains(restart.server())) {
      return Progress.waiting(
          restart,
          Predicate.DRAINED,
          restart.pod(),
          new Tell(new HBaseCommand.Recommission(restart.server())));
    }
    if (other.isPresent()) {
      return Progress.to(
          restart.of(restart.uid(), other.get().name()).withEmptyAt(Optional.empty()));
    }
    return restart.cause() == POD_DELETED
        ? Progress.waiting(restart, Predicate.POD_GONE, restart.pod())
        : Progress.to(restart.to(Step.STOP, now));
  }

  /**
   * HBase has been silent for long, and the pod does not serve and is to be another: what it is to
   * be may be what makes HBase speak again.
   */
  private Optional<Progress> replacedUnheard() {
    return pod.filter(it -> it.isChanged() && !it.isReady() && !it.isTerminating())
        .filter(it -> snapshot.isSilent() && restart.cause() != SCALE_DOWN)
        .filter(it -> !snapshot.halted().contains(it.group()))
        .filter(it -> snapshot.areTemplatesObserved())
        .map(it -> Progress.to(restart.stopping(it.uid(), now)));
  }

  /** What a person asked for may be given up; what is going already goes anyway. */
  private Progress overdueOr(Progress other) {
    return pod.filter(ServerPod::isTerminating).isEmpty()
            && isOverdue(snapshot.rules().drainTimeout())
        ? Progress.to(restart.cancel(DRAIN_TIMED_OUT, now))
        : other;
  }

  private Progress stop() {
    if (isPodGone()) {
      return Progress.to(restart.to(restart.cause() == SCALE_DOWN ? Step.RETURN : Step.START, now));
    }
    if (isWantedAgain()) {
      return Progress.to(restart.cancel(NOT_WANTED, now));
    }
    if (!snapshot.isAlone() && isServedAgain()) {
      return Progress.to(restart.to(Step.DRAIN, now));
    }
    // A look that is older does not show what a process was given that has just begun.
    if (!snapshot.isAlone()
        && snapshot.since(restart.since()).isEmpty()
        && (snapshot.fresh().isPresent() || pod.filter(ServerPod::isReady).isPresent())) {
      return Progress.waiting(restart, Predicate.HBASE_HEARD, restart.pod());
    }
    var waiting = Progress.waiting(restart, Predicate.POD_GONE, restart.pod());
    // The last pods of a StatefulSet go when it is made smaller.
    return restart.cause() != SCALE_DOWN && !pod.orElseThrow().isTerminating()
        ? waiting.with(List.of(new DeletePod(restart.pod(), restart.uid())))
        : waiting;
  }

  /** It was more than are declared, and is not any more. */
  private boolean isWantedAgain() {
    return restart.cause() == SCALE_DOWN
        && pod.filter(it -> !it.isSurplus() && !it.isTerminating()).isPresent();
  }

  /** A newer process runs in the pod that is to go, or the one that was emptied has regions. */
  private boolean isServedAgain() {
    return snapshot
        .since(restart.since())
        .filter(
            view ->
                view.serverOf(restart.pod()).filter(it -> isNewer(it.name())).isPresent()
                    || !view.regions().getOrDefault(restart.server(), List.of()).isEmpty())
        .isPresent();
  }

  private Progress start() {
    var present = pod.filter(it -> !it.isTerminating());
    if (!isDeclared()) {
      return Progress.to(restart.to(Step.RETURN, now));
    }
    if (present.isEmpty()) {
      return overdueStart();
    }
    if (restart.cause() == ServerRestart.Cause.RESTART && !isReplacedOnce()) {
      // A look that was older than its pod had shown it gone.
      return Progress.to(restart.to(Step.STOP, now));
    }
    if (present.get().isChanged() && isReplacedOnce() && isWaitedForInVain()) {
      // What it starts with was withdrawn meanwhile, or rolled back, or was old when it was made.
      return snapshot.areTemplatesObserved()
          ? Progress.to(restart.stopping(present.get().uid(), now))
          : Progress.waiting(restart, Predicate.TEMPLATES_OBSERVED, restart.pod());
    }
    return present.get().isReady() && serves().isPresent()
        ? Progress.to(restart.to(Step.RETURN, now))
        : overdueStart();
  }

  private Optional<Server> serves() {
    return snapshot
        .since(restart.since())
        .flatMap(it -> it.serverOf(restart.pod()))
        .filter(it -> isNewer(it.name()) || isOverdue(SESSION));
  }

  /** Not ready, or ready and not alive for longer than a start takes. */
  private boolean isWaitedForInVain() {
    return pod.filter(ServerPod::isReady).isEmpty()
        || (serves().isEmpty() && isOverdue(snapshot.rules().startTimeout()) && !isUnheard());
  }

  private boolean isReplacedOnce() {
    return pod.filter(it -> !it.uid().equals(restart.uid())).isPresent();
  }

  private boolean isDeclared() {
    return restart.cause() != SCALE_DOWN && snapshot.declared().contains(restart.pod());
  }

  private Progress overdueStart() {
    var waiting =
        Progress.waiting(
            restart,
            Predicate.SERVES_AGAIN,
            restart.pod()
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
    return isOverdue(snapshot.rules().startTimeout()) && !isUnheard()
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
   * Whether it is the change that keeps a pod from serving. Who is going, has no node, or was made
   * from an older template is kept by something else; so is who was deleted by others, and is not
   * the first with a change.
   */
  private boolean isOfChange(ServerPod it) {
    return !it.isChanged()
        && !it.isTerminating()
        && !it.isUnschedulable()
        && (restart.cause() == ServerRestart.Cause.RESTART
            || (restart.cause() == POD_DELETED
                && snapshot.isNew(it.group())
                && snapshot.goodBefore().contains(it.group())));
  }

  /** It is ready, and HBase, which alone can say that it is not served, says nothing. */
  private boolean isUnheard() {
    return pod.filter(ServerPod::isReady).isPresent() && snapshot.since(restart.since()).isEmpty();
  }

  private Progress bringBack() {
    var heard = snapshot.since(restart.since());
    if (heard.isEmpty()) {
      return replacedUnheard()
          .orElseGet(() -> Progress.waiting(restart, Predicate.HBASE_HEARD, restart.pod()));
    }
    var view = heard.get();
    if (view.draining().contains(restart.server())) {
      return Progress.waiting(
          restart,
          Predicate.REGIONS_BACK,
          restart.pod(),
          new Tell(new HBaseCommand.Recommission(restart.server())));
    }
    if (!isDeclared() && !restart.isCancelled()) {
      return Progress.over(Rollout.Outcome.SCALED_DOWN);
    }
    // A server that was given up lives on: it may have been told to drain a moment ago.
    if (restart.isCancelled() && snapshot.settled().isEmpty()) {
      return Progress.waiting(restart, Predicate.HBASE_HEARD, restart.pod());
    }
    // Whoever deleted its pod begins another turn.
    if (isOverdue(RETURN_TIMEOUT) || pod.filter(ServerPod::isTerminating).isPresent()) {
      return over();
    }
    var server = view.serverOf(restart.pod());
    if (server.isEmpty()) {
      return Progress.waiting(restart, Predicate.SERVES_AGAIN, restart.pod());
    }
    var there = view.regions().get(server.get().name());
    return there == null
        ? Progress.waiting(restart, Predicate.HBASE_HEARD, server.get().name())
        : bringBack(view, server.get(), there);
  }

  private Progress bringBack(HBaseView view, Server server, List<Region> there) {
    var names = there.stream().map(Region::encodedName).collect(Collectors.toSet());
    var missing =
        restart.toBringBack().stream().filter(it -> !names.contains(it) && !isRefused(it)).toList();
    if (missing.isEmpty()) {
      return over();
    }
    return Progress.waiting(
            restart,
            Predicate.REGIONS_BACK,
            restart.pod() + ", " + missing.size() + " of " + restart.toBringBack().size())
        .with(
            missing.stream()
                .filter(it -> !view.inTransition().contains(it))
                .<Action>map(it -> new Tell(new HBaseCommand.Move(it, server.name())))
                .toList());
  }

  private boolean isRefused(String region) {
    return snapshot.refused().contains(region) && isOverdue(REFUSAL_TIMEOUT);
  }

  private Progress over() {
    return Progress.over(
        restart.cancelled().map(Rollout.Outcome::of).orElse(Rollout.Outcome.RESTARTED));
  }

  private boolean isOverdue(Duration deadline) {
    return snapshot.isOverdue(restart.since(), deadline);
  }

  private boolean isPodGone() {
    return pod.filter(it -> it.uid().equals(restart.uid())).isEmpty();
  }

  private boolean isNewer(String server) {
    return restart.server().isEmpty()
        || HBaseView.startCode(server) > HBaseView.startCode(restart.server());
  }
}
