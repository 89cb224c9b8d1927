package io.offheap.hbase.operator.it;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuotaStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.math.BigDecimal;
import java.util.Map;

/** Quotas without the controller that counts their use, and what the operator makes of them. */
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

  /** A quota of exactly the limits of a cluster's pods, without room for more memory. */
  static ResourceQuota full(KubernetesClient client, ServingCluster hb) {
    var pods = hb.pods();
    var memory =
        pods.stream()
            .flatMap(it -> it.getSpec().getContainers().stream())
            .map(it -> it.getResources().getLimits().get("memory"))
            .map(Quantity::getAmountInBytes)
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    var full =
        Map.of(
            "limits.memory",
            new Quantity(memory.toPlainString()),
            "pods",
            new Quantity(Integer.toString(pods.size())));
    return make(client, hb.resource().getMetadata().getNamespace(), full, full);
  }

  /** Waits until a region server is not restarted, since the quota has no room for its next pod. */
  static void awaitRefusal(ServingCluster hb) {
    await("held back")
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(hb.condition("Progressing"))
                    .hasValueSatisfying(
                        it ->
                            assertThat(it)
                                .contains(
                                    "WaitingToRestart: the API server refuses the pod that would"
                                        + " follow: hb-regionserver-",
                                    "exceeded quota: bound, requested: limits.memory=")));
  }
}
