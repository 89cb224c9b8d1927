package io.offheap.hbase.operator.rollout;

import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A region server that must be restarted or removed, with the checks of the {@link Precondition}s.
 * A check returns empty if the precondition holds, else the subject of the message, which may be an
 * empty text.
 *
 * @param snapshot what is observed now
 * @param rollout what is under way
 * @param pod the server's pod
 */
record Candidate(RolloutSnapshot snapshot, Rollout rollout, ServerPod pod) {
  private static final Optional<String> HOLDS = Optional.empty();
  private static final Optional<String> FAILS = Optional.of("");

  /** Whether it is to be restarted, not removed. */
  boolean isRestarted() {
    return !pod.isSurplus();
  }

  boolean isServing() {
    return !snapshot.servesNothing(pod);
  }

  boolean hasOneServer() {
    return snapshot.hasOneServer();
  }

  Optional<String> pause() {
    return snapshot.rules().isPaused() ? FAILS : HOLDS;
  }

  Optional<String> unobservedTemplates() {
    return snapshot.areTemplatesObserved() ? HOLDS : FAILS;
  }

  Optional<String> closedWindow() {
    return snapshot.rules().isWindowOpen() ? HOLDS : Optional.of(pod.name());
  }

  Optional<String> nextAttempt() {
    return snapshot.heldUntil(rollout.notBefore()).map(Object::toString);
  }

  Optional<String> unreadyInfrastructure() {
    return snapshot.isInfrastructureReady() ? HOLDS : FAILS;
  }

  Optional<String> disturbedServers() {
    var others =
        snapshot.servers().stream()
            .filter(it -> rollout.restartOf(it.name()).isEmpty())
            .filter(it -> !it.name().equals(pod.name()))
            .filter(it -> !it.isReady())
            .filter(it -> !((it.isOutdated() || it.isSurplus()) && snapshot.servesNothing(it)))
            .map(ServerPod::name);
    var missing =
        snapshot.declared().stream()
            .filter(it -> snapshot.server(it).isEmpty() && rollout.restartOf(it).isEmpty());
    var restarting =
        rollout.restarts().stream().filter(it -> !isKeptByHigher(it)).map(ServerRestart::pod);
    var disturbed =
        Stream.of(restarting, others, missing).flatMap(Function.identity()).sorted().toList();
    return disturbed.size() < snapshot.rules().maxUnavailable()
        ? HOLDS
        : Optional.of(String.join(", ", disturbed));
  }

  /**
   * A StatefulSet removes its highest ordinal first, so a lower one that is to be removed stays
   * until those above are deleted. It serves nothing and will not be back; if others waited for it,
   * those above could wait too, and none would ever go.
   */
  private boolean isKeptByHigher(ServerRestart restart) {
    return isLetGo(restart)
        && snapshot.servers().stream()
            .filter(ServerPod::isSurplus)
            .filter(it -> set(it.name()).equals(set(restart.pod())))
            .filter(it -> it.ordinal() > ordinal(restart.pod()))
            .anyMatch(it -> rollout.restartOf(it.name()).filter(Candidate::isLetGo).isEmpty());
  }

  private static boolean isLetGo(ServerRestart restart) {
    return restart.cause() == ServerRestart.Cause.SCALE_DOWN
        && restart.step() == ServerRestart.Step.STOP;
  }

  /**
   * A server that serves nothing gets the change at once, which may be what mends it. Not while the
   * canary is lost: its node may have failed because of the change.
   */
  Optional<String> unprovenCanary() {
    // One canary is watched at a time.
    boolean isOne = snapshot.isCanary(pod);
    var watched =
        rollout
            .canary()
            .filter(it -> isOne || it.group().equals(pod.group()))
            .filter(it -> isServing() || it.nodeLosses() > 0);
    if (watched.isPresent()) {
      return Optional.of(watched.get().pod());
    }
    if (!isServing()) {
      return HOLDS;
    }
    var restarting =
        rollout.restarts().stream()
            .filter(ServerRestart::isCanary)
            .filter(it -> isOne || set(it.pod()).equals(set(pod.name())))
            .map(ServerRestart::pod);
    // A server whose pod was replaced from outside has the change too; it is compared first.
    var found =
        Stream.of(pod)
            .filter(ServerPod::isChanged)
            .flatMap(it -> snapshot.peers(it).stream())
            .filter(snapshot::hasUnproven)
            .map(ServerPod::name);
    return Stream.concat(restarting, found).findFirst();
  }

  Optional<String> unknownServer() {
    return snapshot.liveServer(pod.name()).isPresent() ? HOLDS : Optional.of(pod.name());
  }

  Optional<String> missingActiveMaster() {
    return view(it -> it.activeMaster().isPresent() ? HOLDS : FAILS);
  }

  Optional<String> crashedServers() {
    return view(
        it -> it.crashed().isEmpty() ? HOLDS : Optional.of(String.join(", ", it.crashed())));
  }

  Optional<String> regionsInTransition() {
    var returning = rollout.restarts().stream().flatMap(it -> it.toBringBack().stream()).toList();
    return view(
        view -> {
          var moving =
              view.inTransition().stream().filter(it -> !returning.contains(it)).sorted().toList();
          return moving.isEmpty() ? HOLDS : Optional.of(moving.get(0) + " of " + moving.size());
        });
  }

  /**
   * By an older list of draining servers too, which is less than 70 s old. Where it has too many,
   * the rollout is held until the next one: a rollout that began to get a newer list would end with
   * it, and begin again with the next older one, for as long as too few servers are left. Where it
   * has too few, no server is restarted by it ({@link #switchesThatAreOn}).
   */
  Optional<String> tooFewDestinations() {
    return view(
        view -> {
          long left = new Destinations(snapshot, view, rollout).countWithout(pod.name());
          int all = snapshot.declared().size();
          return left < Math.max(1, all / 2) ? Optional.of(left + " of " + all) : HOLDS;
        });
  }

  Optional<String> refusedPod() {
    return snapshot.refusalOf(pod.name());
  }

  /** Checked last: by a view with older parts, no other check is to be relied on either. */
  Optional<String> switchesThatAreOn() {
    return view(
        it ->
            rollout.before().isEmpty()
                    || it.isBalancerOn()
                    || it.isNormalizerOn()
                    || snapshot.whole().isEmpty()
                ? FAILS
                : HOLDS);
  }

  /** Checks HBase's view. If HBase does not respond, only {@code HBASE_RESPONDS} fails. */
  private Optional<String> view(Function<HBaseView, Optional<String>> check) {
    return snapshot.fresh().flatMap(check);
  }

  private static int ordinal(String pod) {
    return Integer.parseInt(pod.substring(pod.lastIndexOf('-') + 1));
  }

  /** The StatefulSet of a pod, which need not exist at the moment. */
  private static String set(String pod) {
    return pod.substring(0, pod.lastIndexOf('-'));
  }
}
