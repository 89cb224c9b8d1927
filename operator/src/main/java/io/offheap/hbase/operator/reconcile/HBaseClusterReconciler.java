package io.offheap.hbase.operator.reconcile;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.declare.Identity;
import io.offheap.hbase.operator.declare.Plans;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.deploy.ConfigMaps;
import io.offheap.hbase.operator.deploy.NameIndex;
import io.offheap.hbase.operator.deploy.NetworkPolicies;
import io.offheap.hbase.operator.deploy.OperatorPods;
import io.offheap.hbase.operator.deploy.PlanMaps;
import io.offheap.hbase.operator.deploy.PodDisruptionBudgets;
import io.offheap.hbase.operator.deploy.PodSource;
import io.offheap.hbase.operator.deploy.Services;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.observe.ObservationTimes;
import io.offheap.hbase.operator.observe.ObservedImages;
import io.offheap.hbase.operator.observe.ObservedTables;
import io.offheap.hbase.operator.observe.PodAdmissions;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.report.RolloutReports;
import io.offheap.hbase.operator.report.TuningReports;
import io.offheap.hbase.operator.status.Conditions;
import io.offheap.hbase.operator.tune.AlertCause;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reconciles a cluster with its resource. The steps:
 *
 * <ol>
 *   <li>Recall. Without a status, the remembered state of an earlier resource of the same spec
 *       takes its place, or of another spec its images ({@link RememberedMaps}).
 *   <li>Plan, for the spec and the live tables ({@link ObservedTables}). A resource without a
 *       possible plan, or with a reference to a missing config map, is refused: the condition
 *       {@code Planned} has its problems.
 *   <li>Select. The resource with its plan, or if it is refused the last good ones from status: the
 *       running cluster is still reconciled, and the refused spec does not reach it. Without
 *       either, nothing is created.
 *   <li>Keep. The state that must outlive the resource is stored if it has changed.
 *   <li>Apply. The dependent resources get the model and write only differences.
 *   <li>Roll out. What {@link io.offheap.hbase.operator.rollout.Roller} decides is either stored or
 *       done, never both in one reconciliation.
 *   <li>Tune. What {@link io.offheap.hbase.operator.tune.Tuner} decides is stored, and is an input
 *       of the next reconciliation's plan.
 *   <li>Report. Status is written only if it has changed; a failure is reported after all writes.
 * </ol>
 *
 * <p>If the API server refuses an object, or a step fails, the other steps are still done ({@link
 * IsolatedSteps}). The reconciliation is repeated, and the condition {@code Progressing} reports
 * the failure.
 *
 * <p>A reconciliation has no state of its own: if it is killed between any two steps, the next one
 * observes the cluster and continues.
 */
@ControllerConfiguration(name = SharedStatus.OPERATOR)
@Workflow(
    explicitInvocation = true,
    dependents = {
      @Dependent(name = "config-maps", type = ConfigMaps.class),
      @Dependent(name = "services", type = Services.class),
      @Dependent(name = "network-policies", type = NetworkPolicies.class),
      @Dependent(name = "pod-disruption-budgets", type = PodDisruptionBudgets.class),
      @Dependent(
          name = "stateful-sets",
          type = StatefulSets.class,
          dependsOn = {"config-maps", "services"})
    })
public final class HBaseClusterReconciler implements Reconciler<HBaseCluster> {
  private final SpecAdmission admission;
  private final Optional<OperatorPods> operatorPods;
  private final Clock clock;
  private final Function<EventSourceContext<HBaseCluster>, HBaseAccess> hbase;
  private final RolloutReports reports;
  private final TuningReports tuningReports;
  private final RememberedMaps remembered;
  private final AlertedSource alerted;

  private final ObservationTimes times;
  private final PodAdmissions admissions;
  private final PlanMaps planMaps;
  private final Restorer restorer;

  /** Made once, before the first pass. */
  private AppliedPass appliedPass;

  /** The same. */
  private RefusedPass refusedPass;

  /** Reads a cluster's metrics again; called by the threads of the webhook. */
  private volatile Consumer<ResourceID> readSoon = id -> {};

  /** Made once, before the first pass. */
  private ReferencedConfigMaps configMaps;

  /** The resources by their identities, which must be unique; set once, before the first use. */
  private NameIndex<String, HBaseCluster> byIdentity;

  /** Also read by threads that do not reconcile. */
  private volatile IndexerResourceCache<HBaseCluster> clusters;

  /**
   * Makes a reconciler.
   *
   * @param defaultImage image of clusters that declare none, with a tag
   * @param rights what the operator's settings permit to pod templates
   * @param operatorPods the operator's own pods; empty if it runs outside of the cluster
   * @param clock the time
   * @param hbase access to the running clusters
   * @param reports events and metrics of rollouts
   * @param tuningReports events and metrics of tuning
   * @param remembered the state that outlives a resource
   */
  public HBaseClusterReconciler(
      String defaultImage,
      PodRights rights,
      Optional<OperatorPods> operatorPods,
      Clock clock,
      Function<EventSourceContext<HBaseCluster>, HBaseAccess> hbase,
      RolloutReports reports,
      TuningReports tuningReports,
      RememberedMaps remembered) {
    this.reports = reports;
    this.tuningReports = tuningReports;
    this.remembered = remembered;
    alerted = new AlertedSource(clock);
    admission = new SpecAdmission(defaultImage, rights);
    times = new ObservationTimes(clock, System::nanoTime, this::exists);
    admissions = new PodAdmissions(System::nanoTime, this::exists);
    planMaps = new PlanMaps(this::exists);
    restorer = new Restorer(times, clock);
    this.operatorPods = operatorPods;
    this.clock = clock;
    this.hbase = hbase;
  }

  @Override
  public List<EventSource<?, HBaseCluster>> prepareEventSources(
      EventSourceContext<HBaseCluster> context) {
    clusters = context.getPrimaryCache();
    var named = new NameIndex<String, HBaseCluster>(Identity::of, clusters::get);
    byIdentity = named;
    // Called with each resource that enters the cache; the cache's own index stays empty.
    clusters.addIndexer(
        "identity",
        cluster -> {
          named.add(cluster);
          return List.of();
        });
    var access = hbase.apply(context);
    appliedPass =
        new AppliedPass(
            operatorPods,
            access,
            reports,
            tuningReports,
            remembered,
            planMaps,
            times,
            alerted,
            admissions,
            clock);
    refusedPass = new RefusedPass(access.control(), restorer, remembered, clock);
    readSoon = access.readSoon();
    configMaps =
        new ReferencedConfigMaps(
            context.getClient(),
            context.getControllerConfiguration().getInformerConfig().getNamespaces(),
            this::clusters);
    return Stream.concat(
            Stream.of(
                new PodSource(context),
                alerted,
                configMaps,
                new ClusterDeletionSource(this::deleted)),
            access.sources().stream())
        .toList();
  }

  private void deleted(HBaseCluster cluster) {
    byIdentity.remove(cluster);
    forget(ResourceID.fromResource(cluster));
  }

  private void forget(ResourceID id) {
    times.forget(id);
    restorer.forget(id);
    admissions.forget(id);
    planMaps.forget(id);
    reports.forget(id);
    tuningReports.forget(id);
    alerted.forget(id);
  }

  /** Whether a cluster exists, by the informer. */
  public boolean exists(ResourceID id) {
    return clusters != null && clusters.get(id).isPresent();
  }

  /** A cluster by its name, by the informer. */
  public Optional<HBaseCluster> cluster(ResourceID id) {
    return clusters == null ? Optional.empty() : clusters.get(id);
  }

  /** All clusters, by the informer; none before this replica leads. */
  public Stream<HBaseCluster> clusters() {
    return clusters == null ? Stream.empty() : clusters.list();
  }

  /**
   * Triggers a reconciliation of a cluster with an alert and the reading of its region servers'
   * metrics, which triggers another one. Returns at once.
   */
  public void reconcileSoon(ResourceID id, AlertCause alert) {
    alerted.wake(id, alert);
    readSoon.accept(id);
  }

  @Override
  public UpdateControl<HBaseCluster> reconcile(
      HBaseCluster cluster, Context<HBaseCluster> context) {
    try {
      return SharedStatus.write(pass(cluster, context), cluster, context);
    } finally {
      // The cluster was deleted during the reconciliation: its data must be removed here.
      var id = ResourceID.fromResource(cluster);
      if (!exists(id)) {
        forget(id);
      }
    }
  }

  private UpdateControl<HBaseCluster> pass(HBaseCluster cluster, Context<HBaseCluster> context) {
    reports.written(cluster);
    var start = remembered.start(cluster, context.getClient());
    var seen = start.seen();
    var conditions = new Conditions(seen, clock);
    var shared = sharedIdentity(seen);
    var plans = new Plans();
    List<PlanProblem> fewer;
    Optional<Applied> chosen;
    try {
      var missing = configMaps.missing(seen);
      fewer =
          // Of one that is refused anyway, its claims are not requested in each pass.
          start.isNew() && shared.isEmpty() && missing.isEmpty()
              ? new KeptNodes(seen, start.nodes(), context.getClient()).problems()
              : List.of();
      chosen =
          admission.admit(
              plans,
              start.cluster(),
              Stream.concat(shared.stream(), fewer.stream()).toList(),
              missing,
              ObservedTables.of(context),
              ObservedImages.of(context, clock.instant()),
              conditions);
    } catch (RuntimeException e) {
      // Whatever it is, nothing is applied and no rollout continues: HBase must not wait for that.
      // A conflict or a short outage of the API server undoes no drain.
      if (shared.isEmpty() && Failures.isReported(context)) {
        try {
          refusedPass.restoreUntilAdmitted(start, context);
        } catch (RuntimeException second) {
          e.addSuppressed(second);
        }
      }
      throw e;
    }
    if (chosen.isEmpty()) {
      return refusedPass.run(start, !shared.isEmpty(), !fewer.isEmpty(), conditions, context);
    }
    start.report();
    restorer.forget(ResourceID.fromResource(seen));
    var pass = appliedPass.run(plans, chosen.get(), start.left(), conditions, context);
    var control = StatusUpdates.of(seen, pass.status(), pass.rollout().lock());
    if (pass.failure().isPresent() && control.isNoUpdate()) {
      throw pass.failure().get();
    }
    return NextPass.after(pass, seen, times)
        .or(() -> shared.isEmpty() ? Optional.empty() : Optional.of(RefusedPass.OTHERS_PERIOD))
        .map(control::rescheduleAfter)
        .orElse(control);
  }

  /** The identities that this cluster declares and an earlier cluster has. */
  private List<PlanProblem> sharedIdentity(HBaseCluster cluster) {
    var shared = Identity.of(cluster).stream().flatMap(it -> byIdentity.of(it).stream());
    return Identity.owner(cluster, shared).stream()
        .map(it -> Identity.problem(cluster, it))
        .toList();
  }

  @Override
  public ErrorStatusUpdateControl<HBaseCluster> updateErrorStatus(
      HBaseCluster cluster, Context<HBaseCluster> context, Exception error) {
    // A conflict or a short outage of the API server ends with one of the next attempts.
    if (!Failures.isReported(context)) {
      return ErrorStatusUpdateControl.defaultErrorProcessing();
    }
    var before = Optional.ofNullable(cluster.getStatus()).orElseGet(HBaseClusterStatus::empty);
    return StatusUpdates.ofFailure(
        cluster,
        restorer.isOpen(ResourceID.fromResource(cluster))
            ? RefusedPass.ofFailed(before, context)
            : before,
        error,
        clock);
  }
}
