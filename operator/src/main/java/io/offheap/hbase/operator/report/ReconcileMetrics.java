package io.offheap.hbase.operator.report;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import java.util.Map;
import java.util.stream.Stream;

/** Metrics of reconciliations. No label has a value that a cluster's name determines. */
public final class ReconcileMetrics implements Metrics {
  private final Histogram duration;
  private final Counter outcomes;

  /** Registers the metrics. */
  public ReconcileMetrics(CollectorRegistry registry) {
    duration =
        Histogram.build("hbase_offheap_reconcile_duration_seconds", "Duration of a reconciliation.")
            .buckets(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
            .register(registry);
    outcomes =
        Counter.build(
                "hbase_offheap_reconciles_total",
                "Reconciliations by outcome; after a conflict with another write they are repeated.")
            .labelNames("outcome")
            .register(registry);
    outcomes.labels("success");
    outcomes.labels("failure");
    outcomes.labels("conflict");
  }

  @Override
  public <T> T timeControllerExecution(ControllerExecution<T> execution) throws Exception {
    try (var timer = duration.startTimer()) {
      return execution.execute();
    }
  }

  @Override
  public void finishedReconciliation(HasMetadata resource, Map<String, Object> metadata) {
    outcomes.labels("success").inc();
  }

  @Override
  public void failedReconciliation(
      HasMetadata resource, Exception exception, Map<String, Object> metadata) {
    outcomes.labels(isConflict(exception) ? "conflict" : "failure").inc();
  }

  /** Another write came first: the reconciliation is repeated with the newer object. */
  private static boolean isConflict(Exception exception) {
    return Stream.of(exception, exception.getCause())
        .anyMatch(it -> it instanceof KubernetesClientException failed && failed.getCode() == 409);
  }
}
