package io.offheap.hbase.operator.deploy;

import static io.offheap.hbase.operator.deploy.PlanMapTest.cluster;
import static io.offheap.hbase.operator.deploy.PlanMapTest.plans;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How often the text of a plan is made. */
class PlanMapsTest {
  private final AtomicInteger texts = new AtomicInteger();
  private boolean exists = true;
  private final PlanMaps maps =
      new PlanMaps(
          (cluster, plans) -> {
            texts.incrementAndGet();
            return PlanMap.of(cluster, plans);
          },
          id -> exists);

  @Test
  void rendersUnchangedPlanOnce() {
    for (int i = 0; i < 100; i++) {
      // Each reconciliation makes a new plan.
      var cluster = cluster("{memory: {heap: 8Gi, offHeap: 4Gi}}");
      assertThat(maps.digests(cluster, plans(cluster)).getData())
          .isEqualTo(ConfigMapDigests.of(map(cluster).getData()));
    }

    assertThat(texts).hasValue(1);
  }

  @Test
  void rendersNothingForAnotherReplicaCount() {
    maps.digests(cluster("{memory: {limit: 20Gi}}"), plans(cluster("{memory: {limit: 20Gi}}")));
    var scaled = cluster("{replicas: 9, memory: {limit: 20Gi}}");

    maps.digests(scaled, plans(scaled));

    assertThat(texts).hasValue(1);
  }

  /** The same values, one of which is declared now: the hash of the plan stays. */
  @Test
  void rendersPlanWithAnotherReason() {
    var derived = cluster("{memory: {heap: 8Gi, offHeap: 4Gi}}");
    var declared = cluster("{memory: {heap: 8Gi, offHeap: 4Gi}, memstoreFraction: '0.45'}");
    assertThat(plans(declared).get(0).plan().hash()).isEqualTo(plans(derived).get(0).plan().hash());

    maps.digests(derived, plans(derived));
    var next = maps.digests(declared, plans(declared));

    assertThat(texts).hasValue(2);
    assertThat(next.getData()).isEqualTo(ConfigMapDigests.of(map(declared).getData()));
  }

  @Test
  void forgetsDeletedCluster() {
    var cluster = cluster("{memory: {heap: 8Gi, offHeap: 4Gi}}");
    maps.digests(cluster, plans(cluster));
    assertThat(maps.size()).isEqualTo(1);
    maps.forget(ResourceID.fromResource(cluster));
    assertThat(maps.size()).isZero();

    exists = false;
    maps.digests(cluster, plans(cluster));

    assertThat(maps.size()).as("a reconciliation that ends after the deletion").isZero();
  }

  private static ConfigMap map(HBaseCluster cluster) {
    return PlanMap.of(cluster, plans(cluster));
  }
}
