package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold of the masters in each second of a {@link Simulation}. */
final class MasterInvariants {
  /** A list of pods is younger where there is one operator. */
  private static final Duration OLDEST_LIST = Duration.ofSeconds(5);

  private final Simulation world;
  private final Invariants invariants;

  /** Masters that served when the operator deleted them, and do not serve again. */
  private final Set<String> deleted = new HashSet<>();

  /** Since when a declared master is missing, being deleted or not reported as ready. */
  private final Map<String, Instant> down = new HashMap<>();

  MasterInvariants(Simulation world, Invariants invariants) {
    this.world = world;
    this.invariants = invariants;
  }

  private SimulatedKubernetes kubernetes() {
    return world.kubernetes();
  }

  /**
   * Removes masters that serve again or are not declared any more, and adds those that are down.
   */
  void update() {
    deleted.removeIf(invariants::servesAgain);
    down.keySet().removeIf(it -> !kubernetes().isDeclared(it));
    int declared = kubernetes().group(SimulatedKubernetes.MASTERS).declared;
    for (int ordinal = 0; ordinal < declared; ordinal++) {
      var name = SimulatedKubernetes.podName(SimulatedKubernetes.MASTERS, ordinal);
      if (kubernetes().pod(name).filter(this::isReported).isPresent()) {
        down.remove(name);
      } else {
        down.putIfAbsent(name, world.now());
      }
    }
  }

  private boolean isReported(SimulatedPod pod) {
    return pod.deleted.isEmpty() && pod.isReady(world.now());
  }

  /** Of two operators, one may have old views, and delete another one. */
  void assertMayBeDeleted(SimulatedPod pod) {
    invariants.assertNotHeld(pod.name);
    invariants.check(
        !pod.isReady(world.now()) || world.infrastructure().isReportedServing(),
        pod.name + " is deleted in an outage");
    invariants.check(
        !world.hasOneOperator() || !kubernetes().serves(pod) || othersDown(pod).isEmpty(),
        pod.name + " is deleted while others do not serve: " + othersDown(pod));
    if (kubernetes().serves(pod)) {
      invariants.assertAdmitted(pod);
      deleted.add(pod.name);
    }
    invariants.check(
        deleted.size() <= 1 || !world.hasOneOperator(),
        "masters unavailable at a time: " + deleted);
  }

  private List<String> othersDown(SimulatedPod pod) {
    return down.entrySet().stream()
        .filter(it -> !it.getKey().equals(pod.name))
        .filter(it -> it.getValue().isBefore(world.now().minus(OLDEST_LIST)))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
