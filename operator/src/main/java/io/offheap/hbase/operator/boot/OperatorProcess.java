package io.offheap.hbase.operator.boot;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.InformerLists;
import io.offheap.hbase.operator.deploy.KeptFields;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.hbase.ServerHistory;
import io.offheap.hbase.operator.http.OperatorServer;
import io.offheap.hbase.operator.page.PageServer;
import io.offheap.hbase.operator.page.PageSource;
import io.offheap.hbase.operator.reconcile.HBaseClusterReconciler;
import io.offheap.hbase.operator.reconcile.PlanPreview;
import io.offheap.hbase.operator.reconcile.RememberedMaps;
import io.offheap.hbase.operator.reconcile.SharedStatus;
import io.offheap.hbase.operator.report.ClusterMetrics;
import io.offheap.hbase.operator.report.Events;
import io.offheap.hbase.operator.report.ReconcileMetrics;
import io.offheap.hbase.operator.report.RolloutMetrics;
import io.offheap.hbase.operator.report.RolloutReports;
import io.offheap.hbase.operator.report.TuningReports;
import io.offheap.hbase.operator.webhook.AlertServer;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.hotspot.DefaultExports;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The operator with all its parts: the controller, the servers for metrics, probes and alerts, and
 * the leader election.
 */
public final class OperatorProcess implements AutoCloseable {
  /** A retry after a conflict of a status write succeeds at once. */
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);

  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

  /** Time of the first lists: a second for 10 MiB, of objects of others too. */
  private static final Duration FIRST_LISTS = Duration.ofMinutes(10);

  /** Concurrent reconciliations. */
  private static final int PASSES = 10;

  private final Operator operator;
  private final RegisteredController<HBaseCluster> controller;
  private final OperatorServer server;
  private final Optional<AlertServer> alerts;
  private final Optional<PageServer> page;
  private final Optional<LeaderElection> election;

  private OperatorProcess(
      OperatorSettings settings,
      KubernetesClient client,
      Function<EventSourceContext<HBaseCluster>, HBaseAccess> hbase,
      ServerHistory history,
      Optional<LeaderElection> election)
      throws IOException {
    this.election = election;
    var registry = new CollectorRegistry();
    DefaultExports.register(registry);
    var metrics = new ReconcileMetrics(registry);
    operator =
        new Operator(
            overrider ->
                overrider
                    .withKubernetesClient(client)
                    .withMetrics(metrics)
                    // A reconciliation computes more than it waits: more threads would only take
                    // memory.
                    .withConcurrentReconciliationThreads(PASSES)
                    .withConcurrentWorkflowExecutorThreads(PASSES)
                    .withReconciliationTerminationTimeout(Duration.ofSeconds(10))
                    // Others may make the lists long, and the process ends after this time.
                    .withCacheSyncTimeout(FIRST_LISTS)
                    // One way to write for all kinds, and no write without a change.
                    .withDefaultNonSSAResource(Set.of())
                    .withPreviousAnnotationForDependentResources(false));
    var namespaces =
        settings.watchNamespaces().isEmpty()
            ? Set.of(Constants.WATCH_ALL_NAMESPACES)
            : settings.watchNamespaces();
    var events = new Events(client, "hbase-offheap-operator", Clock.systemUTC());
    var reconciler = reconciler(settings, hbase, events, registry);
    controller =
        operator.register(
            reconciler,
            overrider ->
                overrider
                    .settingNamespaces(namespaces)
                    .withInformerListLimit(InformerLists.PAGE)
                    // Annotations request actions too, and change no generation.
                    .withGenerationAware(false)
                    .withOnUpdateFilter(OperatorProcess::isUserChange)
                    // Unlimited: after a quota or an outage has failed a reconciliation, nothing
                    // else triggers the next.
                    .withRetry(
                        GenericRetry.defaultLimitedExponentialRetry()
                            .withoutMaxAttempts()
                            .setInitialInterval(FIRST_RETRY.toMillis())
                            .setIntervalMultiplier(2)
                            .setMaxInterval(LONGEST_RETRY.toMillis())));
    Gauge.build("hbase_offheap_leader", "1 where this process acts, 0 where it stands by.")
        .register(registry)
        .setChild(
            new Gauge.Child() {
              @Override
              public double get() {
                return isLeader() ? 1 : 0;
              }
            });
    server =
        new OperatorServer(
            settings.httpPort(), settings.probePort(), registry, this::isHealthy, this::isReady);
    alerts =
        settings.alerts().isPresent()
            ? Optional.of(
                new AlertServer(
                    settings.alerts().get(),
                    registry,
                    Clock.systemUTC(),
                    () -> isLeader() && operator.getRuntimeInfo().isStarted(),
                    new InformedClusters(reconciler, settings.watchNamespaces()),
                    (it, alert) ->
                        reconciler.reconcileSoon(new ResourceID(it.name(), it.namespace()), alert)))
            : Optional.empty();
    page =
        settings.pagePort().isPresent()
            ? Optional.of(
                new PageServer(
                    settings.pagePort().get(), page(settings, reconciler, events, history)))
            : Optional.empty();
  }

  /**
   * The content of the page; a standby process has no cached clusters, and would fail to list them.
   */
  private PageSource page(
      OperatorSettings settings,
      HBaseClusterReconciler reconciler,
      Events events,
      ServerHistory history) {
    BooleanSupplier acting = () -> isLeader() && operator.getRuntimeInfo().isStarted();
    return new PageSource(
        acting,
        () -> election.flatMap(LeaderElection::leader),
        () -> acting.getAsBoolean() ? reconciler.clusters() : Stream.empty(),
        id -> acting.getAsBoolean() ? reconciler.cluster(id) : Optional.empty(),
        history,
        events.recent(),
        (now, changed) -> PlanPreview.of(now, changed, settings.hbaseImage(), settings.podRights()),
        Clock.systemUTC());
  }

  /**
   * Starts to reconcile, without leader election.
   *
   * @throws IOException if the HTTP port cannot be bound
   */
  public static OperatorProcess start(
      OperatorSettings settings,
      KubernetesClient client,
      Function<EventSourceContext<HBaseCluster>, HBaseAccess> hbase)
      throws IOException {
    return start(settings, client, hbase, new ServerHistory());
  }

  /**
   * The same, with what the page shows of region servers.
   *
   * @param history kept by the access to HBase
   */
  public static OperatorProcess start(
      OperatorSettings settings,
      KubernetesClient client,
      Function<EventSourceContext<HBaseCluster>, HBaseAccess> hbase,
      ServerHistory history)
      throws IOException {
    var process = new OperatorProcess(settings, client, hbase, history, Optional.empty());
    process.reconcile();
    return process;
  }

  /**
   * Starts with the cluster and the settings of the environment; returns when it reconciles, so
   * with leader election only when this process leads.
   */
  public static OperatorProcess start() throws IOException, InterruptedException {
    var settings = OperatorSettings.of(System.getenv());
    var election = settings.election().map(LeaderElection::join);
    var client =
        new KubernetesClientBuilder().withKubernetesSerialization(KeptFields.serialization());
    election.ifPresent(it -> client.withHttpClientBuilderConsumer(it::guard));
    Runnable assertLeading = election.<Runnable>map(it -> it::assertLeading).orElse(() -> {});
    var history = new ServerHistory();
    var process =
        new OperatorProcess(
            settings,
            client.build(),
            context -> HBaseAccess.of(context, assertLeading, history),
            history,
            election);
    Runtime.getRuntime().addShutdownHook(new Thread(process::close, "shutdown"));
    if (election.isPresent()) {
      election.get().awaitLeadership();
    }
    process.reconcile();
    return process;
  }

  /** Returns once all objects are listed. */
  private void reconcile() {
    var lists =
        FirstLists.begin(
            FirstLists.LATE, () -> FirstLists.missing(controller.getControllerHealthInfo()));
    try {
      operator.start();
    } finally {
      lists.close();
    }
  }

  private HBaseClusterReconciler reconciler(
      OperatorSettings settings,
      Function<EventSourceContext<HBaseCluster>, HBaseAccess> hbase,
      Events events,
      CollectorRegistry registry) {
    var clock = Clock.systemUTC();
    var rollouts = new RolloutReports(events, new RolloutMetrics(registry), clock);
    var reconciler =
        new HBaseClusterReconciler(
            settings.hbaseImage(),
            settings.podRights(),
            settings.pods(),
            clock,
            hbase,
            rollouts,
            TuningReports.of(events, registry),
            RememberedMaps.of(
                settings.hbaseImage(),
                settings.allowedImages(),
                settings.podRights(),
                events,
                clock));
    // A standby process has no cached clusters, and would fail to list them.
    registry.register(
        new ClusterMetrics(
            () -> operator.getRuntimeInfo().isStarted() ? reconciler.clusters() : Stream.empty(),
            rollouts,
            clock));
    return reconciler;
  }

  /**
   * Whether an update is a user's change, and not the operator's own status. A status that was
   * deleted or changed must be restored.
   */
  private static boolean isUserChange(HBaseCluster now, HBaseCluster before) {
    return (RememberedMaps.isBlank(now.getStatus()) && !RememberedMaps.isBlank(before.getStatus()))
        || !Objects.equals(now.getMetadata().getGeneration(), before.getMetadata().getGeneration())
        || !Objects.equals(
            now.getMetadata().getAnnotations(), before.getMetadata().getAnnotations())
        || SharedStatus.isChangedByOthers(now, before);
  }

  private boolean isLeader() {
    return election.map(LeaderElection::isLeader).orElse(true);
  }

  private boolean isHealthy() {
    return !operator.getRuntimeInfo().isStarted()
        || operator.getRuntimeInfo().allEventSourcesAreHealthy();
  }

  /** A standby process is ready too: the next step of a rolling update waits for it. */
  private boolean isReady() {
    return isLeader()
        ? operator.getRuntimeInfo().isStarted()
        : election.map(LeaderElection::isAbleToLead).orElse(false);
  }

  /** Port of the metrics. */
  public int httpPort() {
    return server.port();
  }

  /** Port of the probes. */
  public int probePort() {
    return server.probePort();
  }

  @Override
  public void close() {
    operator.stop();
    election.ifPresent(LeaderElection::close);
    alerts.ifPresent(AlertServer::close);
    page.ifPresent(PageServer::close);
    server.close();
  }

  /** Port of the page, where there is one. */
  public Optional<Integer> pagePort() {
    return page.map(PageServer::port);
  }

  /** Port of the webhook; empty without one. */
  public Optional<Integer> alertPort() {
    return alerts.map(AlertServer::port);
  }
}
