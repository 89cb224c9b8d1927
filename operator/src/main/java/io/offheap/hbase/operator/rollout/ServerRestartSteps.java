package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.ServerRestart.Cancellation.NOT_WANTED;

/** Which step a restart of a region server is in, and its next state. */
final class ServerRestartSteps {
  private ServerRestartSteps() {}

  /** The next state of a restart. */
  static Progress progress(RolloutSnapshot snapshot, Rollout rollout, ServerRestart restart) {
    var step = of(snapshot, rollout, restart);
    if (!step.isForAnUnprovenChange()) {
      return step.advance();
    }
    return step.isBehindAnother()
        ? Progress.to(restart.cancel(NOT_WANTED, snapshot.now()))
        : Progress.to(restart.asCanary());
  }

  private static ServerRestartStep of(
      RolloutSnapshot snapshot, Rollout rollout, ServerRestart restart) {
    return switch (restart.step()) {
      case DRAIN -> new DrainStep(snapshot, rollout, restart);
      case STOP -> new StopStep(snapshot, rollout, restart);
      case START -> new StartStep(snapshot, rollout, restart);
      case RETURN -> new ReturnStep(snapshot, rollout, restart);
    };
  }
}
