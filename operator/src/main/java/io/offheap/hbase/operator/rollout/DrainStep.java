package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.ServerRestart.Cancellation.DRAIN_TIMED_OUT;
import static io.offheap.hbase.operator.rollout.ServerRestart.Cancellation.NOT_WANTED;
import static io.offheap.hbase.operator.rollout.ServerRestart.Cause.POD_DELETED;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Action.SendCommand;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.util.List;
import java.util.Optional;

/** {@code DRAIN}: the server gets no more regions, and those that it has are moved away. */
final class DrainStep extends ServerRestartStep {
  /**
   * So many regions are stored in status at a time, 33 bytes each: the API server limits an object
   * to 1.5 MiB. The balancer distributes the others.
   */
  private static final int REGIONS = 20_000;

  DrainStep(RolloutSnapshot snapshot, Rollout rollout, ServerRestart restart) {
    super(snapshot, rollout, restart);
  }

  @Override
  Progress advance() {
    if (isPodDeleted()) {
      return Progress.to(restart.to(Step.START, now));
    }
    if (isWantedAgain()) {
      return Progress.to(restart.cancel(NOT_WANTED, now));
    }
    var last = snapshot.since(restart.since());
    if (last.isEmpty()) {
      return replaceWithoutView()
          .orElseGet(
              () ->
                  unlessOverdue(
                      Progress.waiting(restart, WaitReason.HBASE_RESPONDS, restart.pod())));
    }
    var view = last.get();
    if (view.server(restart.server()).isEmpty()) {
      return drainNewerProcess(view);
    }
    if (!view.draining().contains(restart.server())) {
      return unlessOverdue(
          Progress.waiting(
              restart,
              WaitReason.DRAINED,
              restart.pod(),
              new SendCommand(new HBaseCommand.Decommission(restart.server()))));
    }
    var regions = view.regions().get(restart.server());
    if (regions == null) {
      return unlessOverdue(Progress.waiting(restart, WaitReason.HBASE_RESPONDS, restart.server()));
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
                  .limit(room(view))
                  .toList()));
    }
    // A region in transition may have been assigned to it before the drain began.
    if (regions.isEmpty() && !view.inTransition().isEmpty()) {
      return unlessOverdue(
          Progress.waiting(restart, WaitReason.NO_REGION_IN_TRANSITION, restart.pod()));
    }
    if (regions.isEmpty()) {
      if (restart.emptyAt().isEmpty()) {
        return Progress.to(restart.withEmptyAt(Optional.of(view.requestedAt())));
      }
      return view.requestedAt().isAfter(snapshot.seen(restart.emptyAt().get()))
          ? Progress.to(restart.to(Step.STOP, now))
          : Progress.waiting(restart, WaitReason.DRAINED, restart.pod());
    }
    if (restart.emptyAt().isPresent()) {
      return Progress.to(restart.withEmptyAt(Optional.empty()));
    }
    var moves = new Destinations(snapshot, view, rollout).moves(regions);
    return unlessOverdue(
        Progress.waiting(restart, WaitReason.DRAINED, restart.pod() + " has " + regions.size())
            .with(moves.stream().<Action>map(SendCommand::new).toList()));
  }

  /**
   * How many more regions can be stored. An earlier restart may store its regions in the same
   * reconciliation, which the rollout does not have yet: all that its server has are left to it.
   */
  private long room(HBaseView view) {
    int stored = rollout.restarts().stream().mapToInt(it -> it.toBringBack().size()).sum();
    int earlier =
        rollout.restarts().stream()
            .takeWhile(it -> !it.pod().equals(restart.pod()))
            .filter(it -> it.step() == Step.DRAIN && it.regions().isEmpty())
            .mapToInt(it -> view.regions().getOrDefault(it.server(), List.of()).size())
            .sum();
    return Math.max(0L, (long) REGIONS - stored - earlier);
  }

  /** The region returns to another server as soon as that server has restarted. */
  private boolean isOfAnother(String region) {
    return rollout.restarts().stream()
        .anyMatch(it -> !it.pod().equals(restart.pod()) && it.toBringBack().contains(region));
  }

  /**
   * The process that was being drained has stopped: it crashed, or its pod is about to be deleted.
   */
  private Progress drainNewerProcess(HBaseView view) {
    var other = view.serverOf(restart.pod()).filter(it -> isNewer(it.name()));
    if (other.isPresent() && view.draining().contains(restart.server())) {
      // HBase may refuse that for ever. The next restart is of the newer process alone.
      return unlessOverdue(
          Progress.waiting(
              restart,
              WaitReason.DRAINED,
              restart.pod(),
              new SendCommand(new HBaseCommand.Recommission(restart.server()))));
    }
    if (other.isPresent()) {
      return Progress.to(restart.withServer(other.get().name()).withEmptyAt(Optional.empty()));
    }
    return restart.cause() == POD_DELETED
        ? Progress.waiting(restart, WaitReason.POD_DELETED, restart.pod())
        : Progress.to(restart.to(Step.STOP, now));
  }

  /** A requested restart may be cancelled; a pod that terminates already stops anyway. */
  private Progress unlessOverdue(Progress other) {
    return pod.filter(ServerPod::isTerminating).isEmpty()
            && isOverdue(snapshot.rules().drainTimeout())
        ? Progress.to(restart.cancel(DRAIN_TIMED_OUT, now))
        : other;
  }
}
