package io.offheap.hbase.operator.deploy;

import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependent;
import java.util.List;

/**
 * At most one pod of a role may be evicted at a time, of all groups of region servers together. A
 * pod that is not ready may always be evicted: it serves no requests, and would block its node's
 * drain.
 */
@KubernetesDependent(
    informer =
        @Informer(labelSelector = Labels.MANAGED_SELECTOR, informerListLimit = InformerLists.PAGE))
public class PodDisruptionBudgets extends ManagedResource<PodDisruptionBudget> {
  /** Made by JOSDK. */
  public PodDisruptionBudgets() {
    super(PodDisruptionBudget.class);
  }

  @Override
  List<PodDisruptionBudget> desired(ClusterModel model) {
    return model.roles().stream()
        .map(RoleModel::role)
        .distinct()
        .map(
            role -> {
              var labels = Labels.of(model.cluster(), role);
              return new PodDisruptionBudgetBuilder()
                  .withMetadata(metadata(model, model.name(role), labels))
                  .withNewSpec()
                  .withNewMaxUnavailable(1)
                  .withUnhealthyPodEvictionPolicy("AlwaysAllow")
                  .withNewSelector()
                  .withMatchLabels(labels)
                  .endSelector()
                  .endSpec()
                  .build();
            })
        .toList();
  }
}
