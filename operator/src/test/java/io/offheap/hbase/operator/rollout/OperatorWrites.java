package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What simulated operators write with the API server: the resource's status, the templates and
 * numbers of StatefulSets, and deletions of pods. Writes of a kind may be refused for a time; the
 * operator repeats them in later reconciliations.
 */
final class OperatorWrites {
  private final SimulatedKubernetes kubernetes;
  private final Invariants invariants;
  private final Map<Kind, Instant> refusedUntil = new EnumMap<>(Kind.class);
  private Optional<Rollout> memory = Optional.empty();
  private List<ServerSample> samples = List.of();

  /** A kind of write; a command is one to HBase. */
  enum Kind {
    STATUS,
    TEMPLATE,
    SCALE,
    DELETION,
    COMMAND
  }

  OperatorWrites(SimulatedKubernetes kubernetes, Invariants invariants) {
    this.kubernetes = kubernetes;
    this.invariants = invariants;
  }

  /** The stored state of the rollout. */
  Optional<Rollout> memory() {
    return memory;
  }

  /** The stored samples of the comparison's begin. */
  List<ServerSample> samples() {
    return samples;
  }

  /** Refuses all writes of a kind for a time. */
  void refuse(Kind kind, Duration time) {
    refusedUntil.put(kind, kubernetes.now().plus(time));
  }

  boolean isRefused(Kind kind) {
    return Optional.ofNullable(refusedUntil.get(kind))
        .filter(kubernetes.now()::isBefore)
        .isPresent();
  }

  /** Refuses nothing any more. */
  void heal() {
    refusedUntil.clear();
  }

  /** Stores the samples in the resource's status, unless the write is refused. */
  void rememberSamples(List<ServerSample> first) {
    if (!isRefused(Kind.STATUS)) {
      samples = first;
    }
  }

  /**
   * Stores in the resource's status that all pods serve with this revision, or that a canary has
   * passed with it, unless the write is refused.
   */
  void prove(String group, boolean byAll) {
    if (isRefused(Kind.STATUS)) {
      return;
    }
    var set = kubernetes.group(group);
    var proven = byAll ? new HashSet<Integer>() : new HashSet<>(set.proven);
    proven.add(set.revision);
    set.proven = Set.copyOf(proven);
  }

  /** Stores the state, unless the write is refused. */
  void remember(Optional<Rollout> next, Optional<Decision.RolledBack> rolledBack) {
    if (isRefused(Kind.STATUS)) {
      return;
    }
    var before = memory.map(Rollout::passed).orElse(List.of());
    memory = next;
    rolledBack.ifPresent(invariants::assertReason);
    rolledBack.ifPresent(it -> kubernetes.rollBack(it.group()));
    next.map(Rollout::passed).orElse(List.of()).stream()
        .filter(it -> !before.contains(it))
        .forEach(
            it -> {
              invariants.assertVerdict(it);
              prove(it.canary().group(), false);
            });
  }

  /**
   * Writes into StatefulSets what is declared; a smaller number as far as the surplus pods are
   * drained, or deleted.
   */
  void apply() {
    kubernetes
        .groups()
        .forEach(
            (name, group) -> {
              if (!group.isApplied() && !isRefused(Kind.TEMPLATE)) {
                kubernetes.apply(group);
              }
              int replicas = replicas(name, group);
              if (replicas != group.replicas && !isRefused(Kind.SCALE)) {
                group.replicas = replicas;
              }
            });
  }

  private int replicas(String name, SimulatedStatefulSet group) {
    var pods = kubernetes.of(name).stream().filter(it -> it.deleted.isEmpty()).toList();
    int held =
        pods.stream()
            .filter(it -> !isLetGo(it))
            .mapToInt(it -> it.ordinal + 1)
            .reduce(group.declared, Math::max);
    pods.stream().filter(it -> it.ordinal >= held).forEach(invariants::assertEmpty);
    return Math.max(group.declared, Math.min(group.replicas, held));
  }

  private boolean isLetGo(SimulatedPod pod) {
    return pod.group.equals(SimulatedKubernetes.MASTERS)
        || memory
            .flatMap(it -> it.restartOf(pod.name))
            .filter(it -> it.cause() == ServerRestart.Cause.SCALE_DOWN)
            .filter(it -> it.step() == ServerRestart.Step.STOP)
            .filter(it -> it.uid().equals(pod.uid))
            .isPresent();
  }

  void delete(String name, String uid) {
    kubernetes
        .pod(name)
        .filter(it -> it.uid.equals(uid) && it.deleted.isEmpty())
        .ifPresent(invariants::assertMayDelete);
    if (!isRefused(Kind.DELETION)) {
      kubernetes.delete(name, uid);
    }
  }
}
