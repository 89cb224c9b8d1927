package io.offheap.hbase.operator.rollout;

import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.Decision.Action.SendCommand;
import io.offheap.hbase.operator.rollout.Decision.RolledBack;
import io.offheap.hbase.operator.rollout.Decision.Wait;
import io.offheap.hbase.operator.rollout.Rollout.Canary;
import io.offheap.hbase.operator.rollout.Rollout.Finished;
import io.offheap.hbase.operator.rollout.Rollout.Switches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Restarts region servers and masters without failed requests.
 *
 * <p>A rollout begins when a pod is outdated, exceeds the declared number, or was deleted from
 * outside. Its steps:
 *
 * <ol>
 *   <li>The states of balancer and normalizer are stored, and both are switched off: they would
 *       revert or delay the moves.
 *   <li>A server that may be restarted now ({@link Admission}) is. Its restart:
 *       <ol>
 *         <li><b>Drain.</b> The server is decommissioned without offloading, with which the master
 *             would move all regions at once, to any server, and report no result. The operator
 *             stores the names of its regions and moves them, {@code hbase:meta} first and alone
 *             ({@link Destinations}). The server itself reports its regions; it is drained when two
 *             views show no region.
 *         <li><b>Stop.</b> The pod with this uid is deleted; a surplus pod is removed by scaling
 *             its StatefulSet down.
 *         <li><b>Start.</b> Ends when the new pod is ready and the master lists a newer process in
 *             it as live.
 *         <li><b>Return.</b> The old process is recommissioned if the master still lists it as
 *             decommissioned, and the regions are moved back, except {@code hbase:meta}.
 *       </ol>
 *       A server that cannot be drained in time gets its regions back and is tried again later. If
 *       a server does not serve in time or cannot start, its group's change is rolled back, and its
 *       pod is replaced once more with the older template. Time in which its pod waits for a node,
 *       or in which ZooKeeper or HDFS does not serve, is no part of its start ({@link PodStarts}).
 *       The first server of a group with a change is the canary: the other servers wait until it
 *       was compared with them ({@link CanaryStep}). If it is worse, the change is rolled back. The
 *       same holds for a server that has the change because its pod was replaced from outside.
 *   <li>When no region server waits for a restart, masters are restarted one at a time, the active
 *       one last; its restart ends when another master is active. A master that does not serve
 *       waits for no region server: without a master none can be drained. When no step is running
 *       and none may begin, balancer and normalizer are restored. They are restored as well while a
 *       pause or a closed window holds a rollout back, and while every running step has taken
 *       longer than it may ({@link Parking}).
 * </ol>
 *
 * <p>A decision depends only on the {@link RolloutSnapshot} and the stored state. If a decision
 * changes the state, the state is stored and no action is taken; the next decision acts on it.
 * Every action may be done twice. So an operator may be stopped at any point, and the next one
 * continues from the stored state.
 */
public final class Roller {
  /**
   * Commands that another operator sent before it observed this rollout have taken effect by then.
   */
  static final Duration OTHERS_COMMANDS = Duration.ofSeconds(20);

  private final RolloutSnapshot snapshot;
  private final Optional<Rollout> remembered;
  private final List<Action> actions = new ArrayList<>();
  private final List<Wait> waits = new ArrayList<>();
  private Optional<RolledBack> rolledBack = Optional.empty();

  private Roller(RolloutSnapshot snapshot, Optional<Rollout> remembered) {
    this.snapshot = snapshot;
    this.remembered = remembered;
  }

  /**
   * Decides.
   *
   * @param snapshot the observed state
   * @param remembered the state that this operator or another one stored
   */
  public static Decision decide(RolloutSnapshot snapshot, Optional<Rollout> remembered) {
    return new Roller(snapshot, remembered).decide();
  }

  private Decision decide() {
    var rollout = remembered.orElseGet(() -> Rollout.begin(snapshot.now()));
    rollout = advance(rollout);
    rollout = watch(rollout);
    rollout = admitDeleted(rollout);
    rollout = admit(rollout);
    rollout = masters(rollout);
    var next = switches(rollout);
    boolean isWritten = next.equals(remembered);
    return new Decision(
        next, isWritten ? List.copyOf(actions) : List.of(), waits.stream().findFirst(), rolledBack);
  }

  private Rollout advance(Rollout before) {
    var rollout = before;
    for (ServerRestart restart : before.restarts()) {
      var progress = ServerRestartSteps.progress(snapshot, before, restart);
      actions.addAll(progress.actions());
      progress.waitsFor().ifPresent(waits::add);
      rolledBack = rolledBack.or(progress::rolledBack);
      rollout =
          progress.restart().isPresent()
              ? replace(rollout, restart, progress.restart().get())
              : finish(rollout, restart, progress.outcome());
    }
    return rollout;
  }

  private static Rollout replace(Rollout rollout, ServerRestart restart, ServerRestart next) {
    return rollout.withRestarts(
        rollout.restarts().stream().map(it -> it.equals(restart) ? next : it).toList());
  }

  private Rollout finish(Rollout rollout, ServerRestart restart, Rollout.Outcome outcome) {
    var next =
        rollout
            .withRestarts(rollout.restarts().stream().filter(it -> !it.equals(restart)).toList())
            .plus(
                new Finished(
                    restart.pod(),
                    restart.cause(),
                    outcome,
                    restart.toBringBack().size(),
                    restart.timesUntil(snapshot.now()),
                    Optional.of(snapshot.now())));
    if (restart.cancelled().equals(Optional.of(ServerRestart.Cancellation.DRAIN_TIMED_OUT))) {
      return next.withNotBefore(Optional.of(snapshot.now().plus(snapshot.rules().drainTimeout())));
    }
    if (!restart.isCanary() || outcome != Rollout.Outcome.RESTARTED || next.canary().isPresent()) {
      // One canary is compared at a time. The other server is found later, as one that has the
      // change without a comparison (Admission.unproven); until then its group waits.
      return next;
    }
    return snapshot
        .server(restart.pod())
        .filter(it -> !it.isChanged() && isFollowed(it))
        .map(it -> next.withCanary(Optional.of(canary(it))))
        .orElse(next);
  }

  /** Its pod may have been replaced while its regions returned, and wait for a node. */
  private Canary canary(ServerPod pod) {
    var now = snapshot.now();
    return snapshot.serves(pod) ? Canary.serving(pod, now) : Canary.found(pod, now);
  }

  /** Other servers of the group must get the change; none after a rollback. */
  private boolean isFollowed(ServerPod canary) {
    return snapshot.servers().stream()
        .anyMatch(it -> it.group().equals(canary.group()) && it.isChanged());
  }

  /** One change is rolled back in a reconciliation: a verdict on another one must wait. */
  private Rollout watch(Rollout rollout) {
    if (rollout.canary().isEmpty() || rolledBack.isPresent()) {
      return rollout;
    }
    var step = new CanaryStep(snapshot, rollout, rollout.canary().get()).step();
    step.waitsFor().ifPresent(waits::add);
    rolledBack = rolledBack.or(step::rolledBack);
    return step.rollout();
  }

  private Rollout admitDeleted(Rollout before) {
    var rollout = before;
    for (ServerRestart restart : new Admission(snapshot, before).ofDeletedPods()) {
      rollout = rollout.plus(restart);
    }
    return rollout;
  }

  /** At most one server in a reconciliation: the next decision needs its restart stored. */
  private Rollout admit(Rollout rollout) {
    if (rollout.master().isPresent() || rolledBack.isPresent()) {
      return rollout;
    }
    var admission = new Admission(snapshot, rollout);
    // A canary that has passed in this reconciliation counts when that is stored.
    boolean hasPassed = !rollout.passed().equals(remembered.map(Rollout::passed).orElse(List.of()));
    var unproven = admission.unproven();
    if (unproven.isPresent() && !hasPassed) {
      return rollout.withCanary(Optional.of(Canary.found(unproven.get(), snapshot.now())));
    }
    var admitted = admission.next();
    admitted.waitsFor().ifPresent(waits::add);
    return admitted.restart().map(rollout::plus).orElse(rollout);
  }

  private Rollout masters(Rollout rollout) {
    var masters = new MasterRoll(snapshot);
    if (rollout.master().isPresent()) {
      var step = masters.progress(rollout.master().get());
      actions.addAll(step.actions());
      step.waitsFor().ifPresent(waits::add);
      return rollout.withMaster(step.restart());
    }
    boolean mayRestart =
        masters.isNeeded()
            && (masters.isBroken()
                || (!rollout.isUnderWay()
                    && new Admission(snapshot, rollout).candidates().isEmpty()));
    if (!mayRestart) {
      return rollout;
    }
    var step = masters.next();
    step.waitsFor().ifPresent(waits::add);
    return rollout.withMaster(step.restart());
  }

  /** Balancer and normalizer, and with them the beginning and the end of the rollout. */
  private Optional<Rollout> switches(Rollout rollout) {
    boolean isMoving = rollout.isUnderWay() && !new Parking(snapshot, rollout).isParked();
    return isMoving || isAboutToBegin() ? Optional.of(off(rollout)) : restored(rollout);
  }

  /** A server waits for nothing but that both are off. */
  private boolean isAboutToBegin() {
    return waits.stream().anyMatch(it -> it.blocker() == Precondition.BALANCER_OFF);
  }

  private Rollout off(Rollout rollout) {
    var whole = snapshot.whole();
    if (whole.isEmpty()) {
      return rollout;
    }
    var view = whole.get();
    if (rollout.before().isEmpty()) {
      // An older view may show the switches during an earlier rollout, or before this one restored
      // them.
      return Stream.concat(
                  Stream.of(rollout.started()),
                  rollout.restarts().stream().map(ServerRestart::since))
              .map(snapshot::seen)
              .allMatch(view.requestedAt()::isAfter)
          ? rollout.withBefore(
              Optional.of(new Switches(view.isBalancerOn(), view.isNormalizerOn())))
          : rollout;
    }
    setSwitches(view, new Switches(false, false));
    return rollout;
  }

  private Optional<Rollout> restored(Rollout rollout) {
    if (rollout.before().isEmpty()) {
      return rollout.isUnderWay()
              || snapshot.heldUntil(rollout.notBefore()).isPresent()
              || hasNewResult(rollout)
          ? Optional.of(rollout)
          : Optional.empty();
    }
    var wanted = rollout.before().get();
    // A recent command may take effect after the view was read.
    boolean isAsBefore =
        snapshot
            .settled()
            .filter(
                it ->
                    it.requestedAt()
                        .isAfter(snapshot.seen(rollout.started()).plus(OTHERS_COMMANDS)))
            .map(it -> new Switches(it.isBalancerOn(), it.isNormalizerOn()))
            .equals(rollout.before());
    if (isAsBefore) {
      return restored(rollout.withBefore(Optional.empty()));
    }
    snapshot.whole().ifPresent(it -> setSwitches(it, wanted));
    waits.add(new Wait(WaitReason.RESTORED, ""));
    return Optional.of(rollout);
  }

  /**
   * A restart has ended or a canary has passed, which is not stored yet. If the rollout ended at
   * once, both would be lost, and the canary would be compared anew.
   */
  private boolean hasNewResult(Rollout rollout) {
    var stored = remembered.orElseGet(() -> Rollout.begin(snapshot.now()));
    return !rollout.passed().equals(stored.passed())
        || !rollout.finished().equals(stored.finished());
  }

  private void setSwitches(HBaseView view, Switches wanted) {
    if (view.isBalancerOn() != wanted.balancer()) {
      actions.add(new SendCommand(new HBaseCommand.SwitchBalancer(wanted.balancer())));
    }
    if (view.isNormalizerOn() != wanted.normalizer()) {
      actions.add(new SendCommand(new HBaseCommand.SwitchNormalizer(wanted.normalizer())));
    }
  }
}
