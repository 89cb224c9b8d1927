package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Action.SendCommand;
import io.offheap.hbase.operator.rollout.HBaseView.Region;
import io.offheap.hbase.operator.rollout.HBaseView.Server;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** {@code RETURN}: the server's regions are moved back, and it may get others again. */
final class ReturnStep extends ServerRestartStep {
  /** What a return may take at least; see {@link #timeout}. */
  static final Duration RETURN_TIMEOUT = Duration.ofMinutes(10);

  /** Three are moved at once, and a move takes up to six seconds on a busy machine. */
  private static final Duration TIME_OF_A_REGION = Duration.ofSeconds(2);

  /** A region whose move is refused for this time may not exist any more. */
  private static final Duration REFUSAL_TIMEOUT = Duration.ofMinutes(1);

  ReturnStep(RolloutSnapshot snapshot, Rollout rollout, ServerRestart restart) {
    super(snapshot, rollout, restart);
  }

  /** After this time the balancer places the regions that have not been moved back. */
  static Duration timeout(ServerRestart restart) {
    var ofRegions = TIME_OF_A_REGION.multipliedBy(restart.toBringBack().size());
    return ofRegions.compareTo(RETURN_TIMEOUT) > 0 ? ofRegions : RETURN_TIMEOUT;
  }

  @Override
  Progress advance() {
    var last = snapshot.since(restart.since());
    if (last.isEmpty()) {
      return replaceWithoutView()
          .orElseGet(() -> Progress.waiting(restart, WaitReason.HBASE_RESPONDS, restart.pod()));
    }
    var view = last.get();
    if (view.draining().contains(restart.server()) && !isRecommissionedInVain(view)) {
      return Progress.waiting(
          restart,
          WaitReason.REGIONS_BACK,
          restart.pod(),
          new SendCommand(new HBaseCommand.Recommission(restart.server())));
    }
    if (!isDeclared() && !restart.isCancelled()) {
      return Progress.over(Rollout.Outcome.SCALED_DOWN);
    }
    // A server whose restart is cancelled still runs: a drain command may take effect later.
    if (restart.isCancelled() && snapshot.settled().isEmpty()) {
      return Progress.waiting(restart, WaitReason.HBASE_RESPONDS, restart.pod());
    }
    // A pod that was deleted from outside begins another restart.
    if (isOverdue(timeout(restart)) || pod.filter(ServerPod::isTerminating).isPresent()) {
      return over();
    }
    var server = view.serverOf(restart.pod());
    if (server.isEmpty()) {
      return Progress.waiting(restart, WaitReason.SERVES_AGAIN, restart.pod());
    }
    var present = view.regions().get(server.get().name());
    return present == null
        ? Progress.waiting(restart, WaitReason.HBASE_RESPONDS, server.get().name())
        : bringBack(view, server.get(), present);
  }

  /**
   * The time is over, the process has ended, and HBase refuses for ever to recommission it; nothing
   * depends on that process. A command that ended without a response, or that the master could not
   * execute now, is sent again: else the process would stay listed as decommissioned after an
   * outage. One that runs must get regions again, however long that takes; a master that starts
   * does not list it for a while.
   */
  private boolean isRecommissionedInVain(HBaseView view) {
    var end = snapshot.seen(restart.since()).plus(RETURN_TIMEOUT);
    return now.isAfter(end)
        && snapshot.keptDraining().contains(restart.server())
        && view.server(restart.server()).isEmpty()
        && (!restart.isCancelled()
            || view.serverOf(restart.pod()).filter(it -> isNewer(it.name())).isPresent())
        && snapshot.settled().isPresent()
        && snapshot.settledAt().filter(it -> it.isAfter(end) && !it.isAfter(now)).isPresent();
  }

  private Progress bringBack(HBaseView view, Server server, List<Region> present) {
    var names = present.stream().map(Region::encodedName).collect(Collectors.toSet());
    var missing =
        restart.toBringBack().stream().filter(it -> !names.contains(it) && !isRefused(it)).toList();
    if (missing.isEmpty()) {
      return over();
    }
    return Progress.waiting(
            restart,
            WaitReason.REGIONS_BACK,
            restart.pod() + ", " + missing.size() + " of " + restart.toBringBack().size())
        .with(
            missing.stream()
                .filter(it -> !view.inTransition().contains(it))
                .<Action>map(it -> new SendCommand(new HBaseCommand.Move(it, server.name())))
                .toList());
  }

  private boolean isRefused(String region) {
    return snapshot.refused().contains(region) && isOverdue(REFUSAL_TIMEOUT);
  }

  private Progress over() {
    return Progress.over(
        restart.cancelled().map(Rollout.Outcome::of).orElse(Rollout.Outcome.RESTARTED));
  }
}
