package io.offheap.hbase.operator.rollout;

import static io.offheap.hbase.operator.rollout.ServerRestart.Cause.SCALE_DOWN;

import io.offheap.hbase.operator.rollout.ServerRestart.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One step of the restart of a region server; {@link Roller} has the whole algorithm. */
abstract class ServerRestartStep {
  final RolloutSnapshot snapshot;
  final Rollout rollout;
  final ServerRestart restart;
  final Optional<ServerPod> pod;
  final Instant now;

  ServerRestartStep(RolloutSnapshot snapshot, Rollout rollout, ServerRestart restart) {
    this.snapshot = snapshot;
    this.rollout = rollout;
    this.restart = restart;
    this.pod = snapshot.server(restart.pod());
    this.now = snapshot.now();
  }

  /** The next state of a restart in this step. */
  abstract Progress advance();

  /**
   * The spec has changed since the restart began, and the server is not stopped yet: it would get
   * an unproven change.
   */
  final boolean isForAnUnprovenChange() {
    return restart.cause() != SCALE_DOWN
        && !restart.isCanary()
        && (restart.step() == Step.DRAIN || restart.step() == Step.STOP)
        && pod.filter(it -> it.uid().equals(restart.uid()) && it.isReady() && !it.isTerminating())
            .filter(it -> it.isChanged() && snapshot.isUnproven(it.group()))
            .filter(it -> !snapshot.peers(it).isEmpty())
            .isPresent();
  }

  /** Another server of its group is the first to get the change, or has it already. */
  final boolean isBehindAnother() {
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

  /**
   * HBase has not responded for two minutes, and the pod does not serve and is outdated: with the
   * declared spec HBase may respond again. Not where the API server refuses that pod, nor where its
   * node is silent: its server may run, with regions.
   */
  final Optional<Progress> replaceWithoutView() {
    return pod.filter(
            it -> it.isChanged() && !it.isReady() && !it.isTerminating() && !it.isSilent())
        .filter(it -> snapshot.isUnresponsive() && restart.cause() != SCALE_DOWN)
        .filter(it -> !snapshot.halted().contains(it.group()))
        .filter(it -> snapshot.areTemplatesObserved())
        .filter(it -> snapshot.refusalOf(it.name()).isEmpty())
        .map(it -> Progress.to(restart.stopping(it.uid(), now)));
  }

  /** The server was surplus, and is declared again. */
  final boolean isWantedAgain() {
    return restart.cause() == SCALE_DOWN
        && pod.filter(it -> !it.isSurplus() && !it.isTerminating()).isPresent();
  }

  final boolean isDeclared() {
    return restart.cause() != SCALE_DOWN && snapshot.declared().contains(restart.pod());
  }

  final boolean isOverdue(Duration deadline) {
    return snapshot.isOverdue(restart.since(), deadline);
  }

  final boolean isPodDeleted() {
    return pod.filter(it -> it.uid().equals(restart.uid())).isEmpty();
  }

  final boolean isNewer(String server) {
    return restart.server().isEmpty()
        || HBaseView.startCode(server) > HBaseView.startCode(restart.server());
  }
}
