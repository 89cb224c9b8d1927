package io.offheap.hbase.operator.it;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Map;

/** Quotas without the controller that counts their use. */
final class Quotas {
  private Quotas() {}

  /** The quota {@code bound}; the API server counts creations from now on, but no deletions. */
  static ResourceQuota make(
      KubernetesClient client,
      String namespace,
      Map<String, Quantity> hard,
      Map<String, Quantity> used) {
    var quota =
        client
            .resource(
                new ResourceQuotaBuilder()
                    .withNewMetadata()
                    .withName("bound")
                    .withNamespace(namespace)
                    .endMetadata()
                    .withNewSpec()
                    .withHard(hard)
                    .endSpec()
                    .build())
            .create();
    quota.setStatus(new ResourceQuotaStatusBuilder().withHard(hard).withUsed(used).build());
    return client.resource(quota).updateStatus();
  }
}
