package io.offheap.hbase.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.api.RolloutStatus.RolledBack;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.report.Events;
import io.offheap.hbase.operator.report.RolloutMetrics;
import io.offheap.hbase.operator.report.RolloutReports;
import io.offheap.hbase.operator.report.TuningReports;
import io.prometheus.client.CollectorRegistry;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is left of a pass that failed. */
class HBaseClusterReconcilerTest {
  private final HBaseClusterReconciler reconciler =
      new HBaseClusterReconciler(
          "hbase:1",
          PodRights.NONE,
          Optional.empty(),
          Clock.systemUTC(),
          it -> null,
          null,
          null,
          null);

  /** Else it would put an older memory of a rollout in the place of a newer one. */
  @Test
  void failureIsWrittenOverTheVersionThatWasSeenAndNoOther() {
    var written =
        reconciler.updateErrorStatus(cluster(), attempt(5), new IllegalStateException("no"));

    assertThat(written.getResource())
        .hasValueSatisfying(
            it -> assertThat(it.getMetadata().getResourceVersion()).isEqualTo("41"));
  }

  @Test
  void failureThatMayBeOverWithTheNextPassIsNotWritten() {
    var written =
        reconciler.updateErrorStatus(cluster(), attempt(4), new IllegalStateException("no"));

    assertThat(written.getResource()).isEmpty();
  }

  /** A reconciliation that ends after its cluster was deleted must keep nothing of it. */
  @Test
  void passOfADeletedClusterKeepsNothing() {
    var registry = new CollectorRegistry();
    var reports =
        new RolloutReports(
            new Events(null, "test", Clock.systemUTC()),
            new RolloutMetrics(registry),
            Clock.systemUTC());
    var late =
        new HBaseClusterReconciler(
            "hbase:1",
            PodRights.NONE,
            Optional.empty(),
            Clock.systemUTC(),
            it -> null,
            reports,
            tuning(),
            null);
    var cluster = cluster();
    cluster.getMetadata().setUid("1");

    assertThatThrownBy(() -> late.reconcile(cluster, attempt(1)))
        .isInstanceOf(UnsupportedOperationException.class);

    cluster.setStatus(
        HBaseClusterStatus.empty()
            .remembering(
                null,
                null,
                null,
                List.of(new RolledBack("", "d", "r", List.of(), "t")),
                null,
                null));
    reports.written(cluster);
    assertThat(
            registry.getSampleValue(
                "hbase_offheap_rollout_servers_total",
                new String[] {"outcome"},
                new String[] {"rolled_back"}))
        .as("a rollback since a reconciliation without a record")
        .isZero();
  }

  private static TuningReports tuning() {
    return TuningReports.of(new Events(null, "test", Clock.systemUTC()), new CollectorRegistry());
  }

  private static HBaseCluster cluster() {
    var cluster = new HBaseCluster();
    cluster.setMetadata(
        new ObjectMetaBuilder()
            .withName("hb")
            .withNamespace("test")
            .withResourceVersion("41")
            .withGeneration(1L)
            .build());
    return cluster;
  }

  @SuppressWarnings("unchecked")
  private static Context<HBaseCluster> attempt(int count) {
    var retry =
        new RetryInfo() {
          @Override
          public int getAttemptCount() {
            return count;
          }

          @Override
          public boolean isLastAttempt() {
            return false;
          }
        };
    return (Context<HBaseCluster>)
        Proxy.newProxyInstance(
            Context.class.getClassLoader(),
            new Class<?>[] {Context.class},
            (context, method, arguments) -> {
              if (method.getName().equals("getRetryInfo")) {
                return Optional.of(retry);
              }
              throw new UnsupportedOperationException(method.getName());
            });
  }
}
