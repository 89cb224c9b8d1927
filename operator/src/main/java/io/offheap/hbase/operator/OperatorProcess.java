package io.offheap.hbase.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.offheap.hbase.operator.reconcile.HBaseClusterReconciler;
import io.offheap.hbase.operator.web.OperatorServer;
import io.offheap.hbase.operator.web.ReconcileMetrics;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.hotspot.DefaultExports;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Set;

/** The operator with everything that it runs: the controller, and the server for its probes. */
public final class OperatorProcess implements AutoCloseable {
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

  private final Operator operator;
  private final OperatorServer server;

  private OperatorProcess(Operator operator, OperatorServer server) {
    this.operator = operator;
    this.server = server;
  }

  /**
   * Starts to reconcile.
   *
   * @throws IOException if the HTTP port cannot be had
   */
  public static OperatorProcess start(OperatorSettings settings, KubernetesClient client)
      throws IOException {
    var registry = new CollectorRegistry();
    DefaultExports.register(registry);
    var metrics = new ReconcileMetrics(registry);
    var operator =
        new Operator(
            overrider ->
                overrider
                    .withKubernetesClient(client)
                    .withMetrics(metrics)
                    .withReconciliationTerminationTimeout(Duration.ofSeconds(10))
                    // One way to write for all kinds, and none for what has not changed.
                    .withDefaultNonSSAResource(Set.of())
                    .withPreviousAnnotationForDependentResources(false));
    var namespaces =
        settings.watchNamespaces().isEmpty()
            ? Set.of(Constants.WATCH_ALL_NAMESPACES)
            : settings.watchNamespaces();
    operator.register(
        new HBaseClusterReconciler(settings.hbaseImage(), Clock.systemUTC()),
        overrider ->
            overrider
                .settingNamespaces(namespaces)
                // Without an end: nothing else wakes a pass that a quota or an outage has failed.
                .withRetry(
                    GenericRetry.defaultLimitedExponentialRetry()
                        .withoutMaxAttempts()
                        .setMaxInterval(LONGEST_RETRY.toMillis())));
    var server =
        new OperatorServer(
            settings.httpPort(),
            registry,
            () ->
                !operator.getRuntimeInfo().isStarted()
                    || operator.getRuntimeInfo().allEventSourcesAreHealthy(),
            () -> operator.getRuntimeInfo().isStarted());
    operator.start();
    return new OperatorProcess(operator, server);
  }

  /** Starts with the cluster and the settings that the environment names; returns at once. */
  public static OperatorProcess start() throws IOException {
    var settings = OperatorSettings.of(System.getenv());
    var process = start(settings, new KubernetesClientBuilder().build());
    Runtime.getRuntime().addShutdownHook(new Thread(process::close, "shutdown"));
    return process;
  }

  /** Port of metrics and probes. */
  public int httpPort() {
    return server.port();
  }

  @Override
  public void close() {
    operator.stop();
    server.close();
  }
}
