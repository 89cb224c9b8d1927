package io.offheap.hbase.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.prometheus.client.CollectorRegistry;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReconcileMetricsTest {
  private final CollectorRegistry registry = new CollectorRegistry();
  private final ReconcileMetrics metrics = new ReconcileMetrics(registry);

  @Test
  void conflictIsNoFailure() {
    fail(new KubernetesClientException("modified", 409, null));
    fail(new IllegalStateException(new KubernetesClientException("modified", 409, null)));

    assertThat(count("conflict")).isEqualTo(2);
    assertThat(count("failure")).isZero();
  }

  @Test
  void everyOtherExceptionIsFailure() {
    fail(new KubernetesClientException("forbidden", 403, null));
    fail(new IllegalStateException());

    assertThat(count("failure")).isEqualTo(2);
    assertThat(count("conflict")).isZero();
  }

  private void fail(Exception exception) {
    metrics.failedReconciliation(new HBaseCluster(), exception, Map.of());
  }

  private double count(String outcome) {
    return registry.getSampleValue(
        "hbase_offheap_reconciles_total", new String[] {"outcome"}, new String[] {outcome});
  }
}
