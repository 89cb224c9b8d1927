package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.deploy.RoleModel;
import io.offheap.hbase.operator.rollout.Rollout;
import io.offheap.hbase.operator.rollout.ServerRestart;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The number of pods that StatefulSets of region servers keep if fewer are declared: a surplus pod
 * is kept until its drain is stored. A StatefulSet removes its highest ordinals first, so a drained
 * pod is kept as long as a higher ordinal.
 */
final class HeldReplicas {
  private final Map<String, Integer> held = new HashMap<>();

  /**
   * For one reconciliation.
   *
   * @param pods all pods of a cluster
   * @param rollout its rollout's stored state
   */
  HeldReplicas(Collection<Pod> pods, Optional<Rollout> rollout) {
    pods.stream()
        .filter(pod -> Labels.isRole(pod, Role.REGIONSERVER))
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .filter(pod -> !isLetGo(pod, rollout))
        .forEach(
            pod -> held.merge(Labels.statefulSetOf(pod), Labels.ordinalOf(pod) + 1, Integer::max));
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
                context
                    .getClient()
                    .resource(set)
                    .edit(
                        it -> {
                          it.getSpec().setReplicas(of(it.getMetadata().getName(), 0));
                          return it;
                        }));
  }
}
