package io.offheap.hbase.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What must hold in each second of a {@link Simulation} and at its end. */
final class Invariants {
  /**
   * Longer than each deadline of a step that waits for others, of ten minutes: it may begin anew
   * once, where a clock that was set back reaches the time at which the step began.
   */
  private static final Duration LONGEST_STEP = Duration.ofMinutes(21);

  private final Simulation world;
  private final MasterInvariants masters;
  private final Instant start;

  /** Pods of region servers that served when the operator deleted them, and do not serve again. */
  private final Set<String> deletedServers = new HashSet<>();

  private List<Boolean> switches = List.of(true, true);
  private Optional<Rollout> last = Optional.empty();
  private Instant moved;

  Invariants(Simulation world) {
    this.world = world;
    this.masters = new MasterInvariants(world, this);
    this.start = world.now();
    this.moved = start;
  }

  private SimulatedKubernetes kubernetes() {
    return world.kubernetes();
  }

  private SimulatedHBase hbase() {
    return world.hbase();
  }

  void check(boolean holds, String text) {
    if (!holds) {
      fail(text + world.story());
    }
  }

  /** Balancer and normalizer as they are now must be so at the end. */
  void expectSwitches() {
    switches = hbase().switches();
  }

  /** A step may take its time from now on. */
  void moved() {
    moved = world.now();
  }

  /** Updates which pods are unavailable by the operator's hand, and which masters are down. */
  void updateUnavailable() {
    deletedServers.removeIf(this::servesAgain);
    masters.update();
  }

  boolean servesAgain(String pod) {
    return kubernetes().pod(pod).filter(kubernetes()::serves).isPresent()
        || !kubernetes().isDeclared(pod);
  }

  void assertReason(Decision.RolledBack back) {
    check(world.disturbances().explain(back), "rolled back a good change: " + back);
  }

  /** A worse canary passes only if no peer is left to compare it with. */
  void assertVerdict(Rollout.Passed passed) {
    var group = passed.canary().group();
    var revision = kubernetes().group(group).revision;
    var peers = kubernetes().of(group).stream().filter(it -> it.revision != revision).toList();
    check(
        !world.metrics().isWorse(group, revision)
            || peers.isEmpty()
            || peers.stream().anyMatch(it -> world.metrics().isWorse(group, it.revision))
            || passed.evidence().contains("no peer to compare with")
            || passed.evidence().contains("heap share of allocated bytes: too little on its peers"),
        "passed: " + passed);
  }

  /**
   * While an operator runs, HBase responds and nothing moves, balancer and normalizer are as they
   * were.
   */
  void assertSwitchesGivenBack() {
    boolean isStill =
        world.hasAdversary() && world.memory().equals(last) && hbase().masterReport().isPresent();
    last = world.memory();
    if (!isStill) {
      moved();
    }
    check(
        Duration.between(moved, world.now()).compareTo(LONGEST_STEP) < 0
            || hbase().switches().equals(switches),
        "switches are kept since " + Duration.between(start, moved).toSeconds());
  }

  /**
   * A restart that the operator decides, not another who has deleted the pod, begins only if no
   * precondition of each restart forbids it.
   */
  void assertMayBegin(Decision decision) {
    decision.remembered().stream()
        .flatMap(it -> it.restarts().stream())
        .filter(it -> it.cause() != ServerRestart.Cause.POD_DELETED)
        .filter(it -> world.memory().flatMap(was -> was.restartOf(it.pod())).isEmpty())
        .forEach(this::assertMayBegin);
  }

  private void assertMayBegin(ServerRestart restart) {
    assertNotHeld(restart.pod());
    check(
        restart.step() != ServerRestart.Step.DRAIN || world.infrastructure().isReportedReady(),
        restart.pod() + " is drained in an outage");
    check(
        restart.cause() == ServerRestart.Cause.SCALE_DOWN
            || kubernetes()
                .pod(restart.pod())
                .filter(it -> kubernetes().group(it.group).isHalted)
                .isEmpty(),
        restart.pod() + " of a halted group is restarted");
  }

  /**
   * An eviction of the canary is a loss of its node, and no verdict. This one is of a
   * reconciliation that rolls back no change and in which the comparison has still an object.
   */
  void assertEvictionCounts(RolloutSnapshot snapshot, Decision decision) {
    world
        .memory()
        .flatMap(Rollout::canary)
        .filter(it -> decision.rolledBack().isEmpty())
        .filter(it -> snapshot.rules().canaryWindow().isPresent())
        .filter(it -> snapshot.declared().contains(it.pod()))
        .filter(it -> !snapshot.rolledBack().contains(it.group()))
        .filter(it -> snapshot.server(it.pod()).filter(pod -> isEvicted(pod, it)).isPresent())
        .ifPresent(
            it ->
                check(
                    decision.remembered().flatMap(Rollout::canary).stream()
                        .anyMatch(next -> next.isLostAfter(it)),
                    "an eviction of the canary is no loss: " + it));
  }

  private static boolean isEvicted(ServerPod pod, Rollout.Canary canary) {
    return pod.uid().equals(canary.uid())
        && !pod.isChanged()
        && pod.trouble().filter(it -> it.kind() == PodTrouble.Kind.EVICTED).isPresent();
  }

  void assertNotHeld(String pod) {
    check(!world.rules().isPaused(), pod + " is restarted in a pause");
    check(kubernetes().areTemplatesObserved(), pod + " is restarted with an unobserved template");
  }

  /**
   * The operator deletes a pod. Pods that were deleted from outside or do not serve do not count as
   * unavailable by its hand.
   */
  void assertMayDelete(SimulatedPod pod) {
    if (pod.group.equals(SimulatedKubernetes.MASTERS)) {
      masters.assertMayBeDeleted(pod);
      return;
    }
    if (kubernetes().declaredServers() > 1) {
      assertEmpty(pod);
    }
    assertProven(pod);
    boolean isOurs =
        world
            .memory()
            .flatMap(it -> it.restartOf(pod.name))
            .filter(it -> it.cause() == ServerRestart.Cause.RESTART)
            .isPresent();
    if (isOurs && kubernetes().serves(pod)) {
      assertAdmitted(pod);
      deletedServers.add(pod.name);
    }
    check(
        deletedServers.size() <= world.rules().maxUnavailable(),
        "unavailable at a time: " + deletedServers);
  }

  void assertAdmitted(SimulatedPod pod) {
    check(kubernetes().isAdmitting, pod.name + " is deleted, and its next pod would be refused");
  }

  /** A serving pod gets a change only as the canary, or after the canary was compared. */
  private void assertProven(SimulatedPod pod) {
    var set = kubernetes().group(pod.group);
    boolean isFollowing =
        kubernetes().of(pod.group).stream()
            .filter(it -> it != pod && it.ordinal < set.declared)
            .anyMatch(it -> it.revision == set.revision);
    check(
        world.rules().canaryWindow().isEmpty()
            || pod.revision == set.revision
            || !kubernetes().serves(pod)
            || !isFollowing
            || world
                .memory()
                .flatMap(it -> it.restartOf(pod.name))
                .filter(ServerRestart::isCanary)
                .isPresent()
            || set.isRolledBack
            || set.proven.contains(set.revision),
        pod.name + " gets the unproven revision " + set.revision);
  }

  void assertEmpty(SimulatedPod pod) {
    pod.server
        .filter(hbase()::isAlive)
        .ifPresent(it -> check(hbase().on(it).isEmpty(), it + " stops with " + hbase().on(it)));
  }

  /** All groups are up to date. */
  void assertRolled() {
    kubernetes()
        .groups()
        .forEach(
            (name, group) -> {
              assertServing(name, group);
              assertUpToDate(name, group);
            });
    // Of two operators, one may have old views and see nothing to do.
    if (world.hasOneOperator()) {
      assertSwitches();
    }
    assertRegionsServed();
  }

  /** Each group is as declared or rolled back, and no state of the rollout is left. */
  void assertSettled() {
    assertThat(world.memory()).as(world::story).isEmpty();
    kubernetes()
        .groups()
        .forEach(
            (name, group) -> {
              assertServing(name, group);
              if (!group.isHalted) {
                assertUpToDate(name, group);
              }
            });
    assertSwitches();
    assertRegionsServed();
  }

  private void assertServing(String name, SimulatedStatefulSet group) {
    assertThat(kubernetes().of(name))
        .as(() -> name + " serves with all its pods " + world.story())
        .hasSize(group.declared)
        .allMatch(kubernetes()::serves);
  }

  private void assertUpToDate(String name, SimulatedStatefulSet group) {
    assertThat(kubernetes().of(name))
        .as(() -> name + " is as declared " + world.story())
        .allMatch(it -> it.revision == group.revision);
  }

  private void assertSwitches() {
    assertThat(hbase().switches()).as(() -> "switches " + world.story()).isEqualTo(switches);
  }

  private void assertRegionsServed() {
    assertThat(hbase().draining()).as(world::story).containsExactly(Simulation.DRAINED_BY_OTHERS);
    assertThat(hbase().podsOfRegions()).as(world::story).doesNotContainValue("");
  }
}
