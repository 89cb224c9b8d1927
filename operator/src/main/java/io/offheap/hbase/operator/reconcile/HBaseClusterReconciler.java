package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.reconcile.ConditionType.Progressing;
import static io.offheap.hbase.operator.reconcile.ConditionType.Ready;

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
import io.offheap.hbase.operator.api.HBaseClusterStatusBuilder;
import io.offheap.hbase.operator.declare.Identity;
import io.offheap.hbase.operator.declare.PodRights;
import io.offheap.hbase.operator.deploy.ConfigMaps;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.NameIndex;
import io.offheap.hbase.operator.deploy.NetworkPolicies;
import io.offheap.hbase.operator.deploy.OperatorPods;
import io.offheap.hbase.operator.deploy.PodDisruptionBudgets;
import io.offheap.hbase.operator.deploy.PodSource;
import io.offheap.hbase.operator.deploy.Services;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.tune.AlertCause;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reconciles a cluster with its resource, in one pass:
 *
 * <ol>
 *   <li>Recall. Where status has nothing, what outlived an earlier resource of the same spec takes
 *       its place ({@link RememberedMaps}).
 *   <li>Plan, for what is declared and what the running cluster's tables have ({@link
 *       ObservedTables}). A resource that gives no plan, or refers to a config map that is not
 *       there, is refused: its problems go into the condition {@code Planned}.
 *   <li>Select. The resource with its plan, or where it is refused the last good ones from status,
 *       so that what runs is still looked after and nothing of the refused one reaches it; where
 *       there is neither, nothing is made.
 *   <li>Keep, where that is something else, what is to outlive the resource.
 *   <li>Apply. The model of the pass is handed to the dependent resources, which write only what
 *       differs.
 *   <li>Roll out. What {@link io.offheap.hbase.operator.rollout.Roller} decides is either written
 *       or done, and never both in one pass.
 *   <li>Tune. What {@link io.offheap.hbase.operator.tune.Tuner} decides is written, and planned
 *       with in the next pass.
 *   <li>Report. Status is written only when it has changed; what failed is reported when there is
 *       nothing to write any more.
 * </ol>
 *
 * <p>Where the API server refuses what is applied, or a step fails, the others are done all the
 * same ({@link IsolatedSteps}). The pass is tried again and again, and the condition {@code
 * Progressing} reports what failed.
 *
 * <p>A pass remembers nothing; killed between any two steps, the next one observes what is there
 * and continues.
 */
@ControllerConfiguration(name = "hbasecluster")
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
  /** The spec of another cluster wakes no pass. */
  private static final Duration OTHERS_PERIOD = Duration.ofSeconds(10);

  private final SpecAdmission admission;
  private final Optional<OperatorPods> operatorPods;
  private final Clock clock;
  private final Function<EventSourceContext<HBaseCluster>, HBaseAccess> hbase;
  private final RolloutReports reports;
  private final TuningReports tuningReports;
  private final RememberedMaps memory;
  private final AlertedSource alerted;

  private final ObservationTimes times;
  private final PodAdmissions admissions;

  /** Made once, before the first pass. */
  private AppliedPass appliedPass;

  /** Reads a cluster's metrics again; called by the threads of the webhook. */
  private volatile Consumer<ResourceID> readSoon = id -> {};

  /** Made once, before the first pass. */
  private ReferencedConfigMaps configMaps;

  /** The resources by what no two may share; made once, before the first pass. */
  private NameIndex<String, HBaseCluster> byIdentity;

  /** Read by other threads than those of passes. */
  private volatile IndexerResourceCache<HBaseCluster> clusters;

  /**
   * Makes a reconciler.
   *
   * @param defaultImage image of clusters that declare none, with a tag
   * @param rights what the operator's settings permit to pod templates
   * @param operatorPods the operator's own pods, where it is one
   * @param clock the time
   * @param hbase how the clusters that run are reached
   * @param reports events and metrics of rollouts
   * @param tuningReports events and metrics of tuning
   * @param memory what outlives a resource
   */
  public HBaseClusterReconciler(
      String defaultImage,
      PodRights rights,
      Optional<OperatorPods> operatorPods,
      Clock clock,
      Function<EventSourceContext<HBaseCluster>, HBaseAccess> hbase,
      RolloutReports reports,
      TuningReports tuningReports,
      RememberedMaps memory) {
    this.reports = reports;
    this.tuningReports = tuningReports;
    this.memory = memory;
    alerted = new AlertedSource(clock);
    admission = new SpecAdmission(defaultImage, rights);
    times = new ObservationTimes(clock, System::nanoTime, this::knows);
    admissions = new PodAdmissions(System::nanoTime, this::knows);
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
    // Called with each resource as it comes into the cache; the index itself stays empty.
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
            memory,
            times,
            alerted,
            admissions,
            clock);
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
    admissions.forget(id);
    reports.forget(id);
    tuningReports.forget(id);
    alerted.forget(id);
  }

  /** Whether there is such a cluster, as far as is known. */
  public boolean knows(ResourceID id) {
    return clusters != null && clusters.get(id).isPresent();
  }

  /** A cluster of this name, as far as is known. */
  public Optional<HBaseCluster> cluster(ResourceID id) {
    return clusters == null ? Optional.empty() : clusters.get(id);
  }

  /** All clusters, as far as is known; none before this replica leads. */
  public Stream<HBaseCluster> clusters() {
    return clusters == null ? Stream.empty() : clusters.list();
  }

  /**
   * A cluster has an alert: a pass begins soon, and another one when the metrics of its region
   * servers were read, which begins soon too. Returns at once.
   */
  public void lookSoon(ResourceID id, AlertCause alert) {
    alerted.wake(id, alert);
    readSoon.accept(id);
  }

  @Override
  public UpdateControl<HBaseCluster> reconcile(
      HBaseCluster cluster, Context<HBaseCluster> context) {
    try {
      return pass(cluster, context);
    } finally {
      // It was deleted meanwhile: what the pass has kept of it nobody else would forget.
      var id = ResourceID.fromResource(cluster);
      if (!knows(id)) {
        forget(id);
      }
    }
  }

  private UpdateControl<HBaseCluster> pass(HBaseCluster cluster, Context<HBaseCluster> context) {
    reports.written(cluster);
    var start = memory.start(cluster, context.getClient());
    var seen = start.seen();
    var conditions = new Conditions(seen, clock);
    var missing = configMaps.missing(seen);
    var shared = sharedIdentity(seen);
    var chosen =
        admission.admit(start.cluster(), shared, missing, ObservedTables.of(context), conditions);
    if (chosen.isEmpty()) {
      var control = StatusUpdates.of(seen, nothingMade(seen, conditions), Optional.empty());
      return shared.isEmpty() ? control : control.rescheduleAfter(OTHERS_PERIOD);
    }
    start.report();
    var pass = appliedPass.run(chosen.get(), start.left(), conditions, context);
    var control = StatusUpdates.of(seen, pass.status(), pass.rollout().lock());
    if (pass.failure().isPresent() && control.isNoUpdate()) {
      throw pass.failure().get();
    }
    return NextPass.after(pass, seen, times)
        .or(() -> shared.isEmpty() ? Optional.empty() : Optional.of(OTHERS_PERIOD))
        .map(control::rescheduleAfter)
        .orElse(control);
  }

  /** What this cluster declares and another cluster keeps. */
  private List<PlanProblem> sharedIdentity(HBaseCluster cluster) {
    var shared = Identity.of(cluster).stream().flatMap(it -> byIdentity.of(it).stream());
    return Identity.owner(cluster, shared).stream()
        .map(it -> Identity.problem(cluster, it))
        .toList();
  }

  private static HBaseClusterStatus nothingMade(HBaseCluster cluster, Conditions conditions) {
    conditions.add(Ready, false, Reason.NotPlanned, "nothing was made; see condition Planned");
    conditions.add(
        Progressing,
        false,
        conditions.refusal().orElse(Reason.NotPlanned),
        "the resource is refused; see condition Planned");
    return new HBaseClusterStatusBuilder()
        .observedGeneration(cluster.getMetadata().getGeneration())
        .conditions(conditions.list())
        .replicas(0)
        .selector(Labels.defaultGroupSelector(cluster))
        .build();
  }

  @Override
  public ErrorStatusUpdateControl<HBaseCluster> updateErrorStatus(
      HBaseCluster cluster, Context<HBaseCluster> context, Exception error) {
    // A conflict or an API server that is away for a moment is over with one of the next.
    if (!Failures.isReported(context)) {
      return ErrorStatusUpdateControl.defaultErrorProcessing();
    }
    return StatusUpdates.ofFailure(cluster, error, clock);
  }
}
