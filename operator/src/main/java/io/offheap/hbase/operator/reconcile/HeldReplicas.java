package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.ServerRestart;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The number of pods that StatefulSets of region servers keep if fewer are declared: a surplus pod
 * is kept until its drain is stored. A StatefulSet removes its highest ordinals first, so a drained
 * pod is kept as long as a higher ordinal.
 *
 * <p>Everybody who may create pods chooses their ordinals, so a pod never makes a StatefulSet
 * larger than it is; one that does not exist is made no larger than twice the number of pods, some
 * of which may be missing.
 */
final class HeldReplicas {
  private final Map<String, Integer> held = new HashMap<>();

  /** Without pods. */
  HeldReplicas() {
    this(List.of(), List.of(), Optional.empty());
  }

  /**
   * For one reconciliation.
   *
   * @param pods all pods of a cluster
   * @param sets its StatefulSets
   * @param rollout its rollout's stored state
   */
  HeldReplicas(Collection<Pod> pods, Collection<StatefulSet> sets, Optional<Rollout> rollout) {
    pods.stream()
        .filter(pod -> Labels.isRole(pod, Role.REGIONSERVER))
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> !isLetGo(pod, rollout))
        .forEach(
            pod -> held.merge(Labels.statefulSetOf(pod), Labels.ordinalOf(pod) + 1, Integer::max));
    var most = new HashMap<String, Integer>();
    pods.forEach(pod -> most.merge(Labels.statefulSetOf(pod), 2, Integer::sum));
    sets.forEach(set -> most.put(set.getMetadata().getName(), replicas(set)));
    held.replaceAll((set, ordinals) -> Math.min(ordinals, most.get(set)));
  }

  /** Its declared number, or that of its pods while it removes some. */
  private static int replicas(StatefulSet set) {
    int pods = Optional.ofNullable(set.getStatus()).map(StatefulSetStatus::getReplicas).orElse(0);
    return Math.max(set.getSpec().getReplicas(), pods);
  }

  private static boolean isLetGo(Pod pod, Optional<Rollout> rollout) {
    return rollout
        .flatMap(it -> it.restartOf(pod.getMetadata().getName()))
        .filter(restart -> restart.cause() == ServerRestart.Cause.SCALE_DOWN)
        .filter(restart -> restart.step() == ServerRestart.Step.STOP)
        .filter(restart -> restart.uid().equals(pod.getMetadata().getUid()))
        .isPresent();
  }

  /** The number of pods that a StatefulSet must have, at least the declared number. */
  int of(String statefulSet, int declared) {
    return Math.max(declared, held.getOrDefault(statefulSet, 0));
  }

  private boolean isTooLarge(StatefulSet set) {
    return set.getSpec().getReplicas() > of(set.getMetadata().getName(), 0);
  }

  /** Scales undeclared StatefulSets down, as far as their pods are drained. */
  void shrinkRemovedGroups(ClusterModel model, Context<HBaseCluster> context) {
    var declared = model.roles().stream().map(RoleModel::name).toList();
    context.getSecondaryResources(StatefulSet.class).stream()
        .filter(set -> !declared.contains(set.getMetadata().getName()))
        .filter(this::isTooLarge)
        .forEach(
            set ->
                StatefulSets.scale(set, of(set.getMetadata().getName(), 0), context.getClient()));
  }
}
