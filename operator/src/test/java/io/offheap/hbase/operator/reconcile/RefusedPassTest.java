package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.status.Conditions;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A refused resource of which nothing is applied. */
class RefusedPassTest {
  private static final RolloutCopy COPY =
      new RolloutCopy(List.of("zookeeper://zk.ns.svc:2181/hbase"), true, false, Map.of());

  /** The rollout that took it may be one of that cluster. */
  @Test
  void touchesNoHBaseThatAnotherClusterHas() {
    var cluster = new HBaseCluster();
    cluster.setMetadata(
        new ObjectMetaBuilder().withName("hb").withNamespace("ns").withGeneration(1L).build());
    var rollout =
        new RolloutStatus(
            "2025-11-01T02:00:00Z", true, false, null, null, null, null, null, null, null);
    cluster.setStatus(HBaseClusterStatus.empty().toBuilder().rollout(rollout).build());
    var start =
        new RememberedMaps.Start(
            cluster, cluster, Optional.of(COPY), List.of(), true, Optional.empty());
    var pass =
        new RefusedPass(
            untouched(ClusterControl.class),
            new Restorer(null, Clock.systemUTC()),
            null,
            Clock.systemUTC());

    var control =
        pass.run(
            start,
            true,
            false,
            new Conditions(cluster, Clock.systemUTC()),
            untouched(Context.class));

    assertThat(control.getScheduleDelay()).isPresent();
    assertThat(control.getResource())
        .hasValueSatisfying(
            it -> {
              assertThat(it.getStatus().regionServers()).isNull();
              assertThat(it.getStatus().rollout())
                  .as("what is restored when the other cluster is deleted")
                  .isEqualTo(rollout);
            });
  }

  @SuppressWarnings("unchecked")
  private static <T> T untouched(Class<? super T> type) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              throw new AssertionError(method.getName());
            });
  }
}
