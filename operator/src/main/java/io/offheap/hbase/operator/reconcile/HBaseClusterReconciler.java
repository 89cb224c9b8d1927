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
import io.offheap.hbase.operator.api.TuningStatus;
import io.offheap.hbase.operator.declare.Identity;
import io.offheap.hbase.operator.deploy.ConfigMaps;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.NameIndex;
import io.offheap.hbase.operator.deploy.NetworkPolicies;
import io.offheap.hbase.operator.deploy.OperatorPods;
import io.offheap.hbase.operator.deploy.OwnPods;
import io.offheap.hbase.operator.deploy.PodDisruptionBudgets;
import io.offheap.hbase.operator.deploy.PodSource;
import io.offheap.hbase.operator.deploy.Services;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.hbase.HBaseAccess;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.tune.AlertCause;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Brings a cluster to what its resource says, in one pass:
 *
 * <ol>
 *   <li>Recall. Where status has nothing, what outlived an earlier resource of the same spec takes
 *       its place ({@link RememberedMaps}).
 *   <li>Plan, for what is declared and what the running cluster's tables have ({@link LiveData}). A
 *       resource that gives no plan, or refers to a config map that is not there, is refused: its
 *       problems go into the condition {@code Planned}.
 *   <li>Choose. The resource with its plan, or where it is refused the last good ones from status,
 *       so that what runs is still looked after and nothing of the refused one reaches it; where
 *       there is neither, nothing is made.
 *   <li>Keep, where that is something else, what is to outlive the resource.
 *   <li>Apply. The model of the pass is handed to the dependent resources, which write only what
 *       differs.
 *   <li>Roll out. What {@link io.offheap.hbase.operator.rollout.Roller} decides is either written
 *       or done, and never both in one pass.
 *   <li>Tune. What {@link io.offheap.hbase.operator.tune.Tuner} decides is written, and planned
 *       with in the next pass.
 *   <li>Report. Status is written only when it says something new; what failed is reported when
 *       there is nothing to write any more.
 * </ol>
 *
 * <p>Where the API server refuses what is applied, or a part fails, the others are done all the
 * same ({@link Parts}). The pass is tried again and again, and the condition {@code Progressing}
 * tells what failed.
 *
 * <p>A pass remembers nothing; killed between any two steps, the next one sees what is there and
 * goes on.
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
  /** What another cluster declares wakes no pass. */
  private static final Duration LOOK_AT_OTHERS_EVERY = Duration.ofSeconds(10);

  /** What was written is read again before it is acted on. */
  private static final Duration AT_ONCE = Duration.ofMillis(50);

  private static final Duration LOOK_AT_ROLLOUT_EVERY = Duration.ofSeconds(1);
  private static final Duration LOOK_AT_WAITING_EVERY = Duration.ofSeconds(5);

  /** Attempts of a second and a half. */
  private static final int UNTOLD_ATTEMPTS = 4;

  private final Choice choice;
  private final Optional<OperatorPods> operatorPods;
  private final Clock clock;
  private final Function<EventSourceContext<HBaseCluster>, HBaseAccess> hbase;
  private final RolloutReports reports;
  private final TuningReports tuningReports;
  private final RememberedMaps memory;
  private final AlertedSource alerted;

  private final Sightings sightings;

  /** Made once, before the first pass; read by the threads of the webhook too. */
  private volatile HBaseAccess access;

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
   * @param operatorPods the operator's own pods, where it is one
   * @param clock the time
   * @param hbase how the clusters that run are reached
   * @param reports who tells people of rollouts
   * @param tuningReports who tells people of tuning
   * @param memory what outlives a resource
   */
  public HBaseClusterReconciler(
      String defaultImage,
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
    choice = new Choice(defaultImage);
    sightings = new Sightings(clock, System::nanoTime, this::knows);
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
    access = hbase.apply(context);
    configMaps =
        new ReferencedConfigMaps(
            context.getClient(),
            context.getControllerConfiguration().getInformerConfig().getNamespaces(),
            this::clusters);
    return Stream.concat(
            Stream.of(new PodSource(context), alerted, configMaps, new GoneSource(this::deleted)),
            access.sources().stream())
        .toList();
  }

  private void deleted(HBaseCluster cluster) {
    byIdentity.remove(cluster);
    forget(ResourceID.fromResource(cluster));
  }

  private void forget(ResourceID id) {
    sightings.forget(id);
    reports.forget(id);
    tuningReports.forget(id);
    alerted.forget(id);
  }

  /** Whether there is such a cluster, as far as is known. */
  public boolean knows(ResourceID id) {
    return clusters != null && clusters.get(id).isPresent();
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
    access.readSoon().accept(id);
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
    var chosen = choice.of(start.cluster(), shared, missing, LiveData.of(context), conditions);
    if (chosen.isEmpty()) {
      var control = StatusUpdates.of(seen, nothingMade(seen, conditions), Optional.empty());
      return shared.isEmpty() ? control : control.rescheduleAfter(LOOK_AT_OTHERS_EVERY);
    }
    start.tell();
    var pass = apply(chosen.get(), start.left(), conditions, context);
    var control = StatusUpdates.of(seen, pass.status(), pass.rollout().lock());
    if (pass.failure().isPresent() && control.isNoUpdate()) {
      throw pass.failure().get();
    }
    return again(pass, seen)
        .or(() -> shared.isEmpty() ? Optional.empty() : Optional.of(LOOK_AT_OTHERS_EVERY))
        .map(control::rescheduleAfter)
        .orElse(control);
  }

  /** When the next pass is due, where nothing else need wake it. */
  private Optional<Duration> again(Applying pass, HBaseCluster cluster) {
    var rollout = pass.rollout();
    if (rollout.lock().isPresent() || rollout.isStale() || pass.hasMoreToKeep()) {
      return Optional.of(AT_ONCE);
    }
    if (rollout.remembered().isPresent()) {
      return Optional.of(LOOK_AT_ROLLOUT_EVERY);
    }
    if (rollout.isActive() || pass.isTakingOver() || pass.failure().isPresent()) {
      return Optional.of(LOOK_AT_WAITING_EVERY);
    }
    var id = ResourceID.fromResource(cluster);
    boolean isNew = sightings.isNew(cluster);
    var judging = TuningPass.period(cluster.getSpec().tuning());
    return Optional.ofNullable(pass.status().tuning())
        .map(it -> isNew ? Spread.between(judging.dividedBy(5), judging, id) : judging)
        // Until then status may have servers that do not report, and nothing else wakes a pass.
        .or(() -> isNew ? Optional.of(Sightings.firstLook(id)) : Optional.empty());
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
    conditions.add(Progressing, false, Reason.NotPlanned, "see condition Planned");
    return HBaseClusterStatus.empty()
        .withConditions(conditions.list())
        .withSelection(cluster.getMetadata().getGeneration(), Labels.defaultGroupSelector(cluster));
  }

  private Applying apply(
      Applied applied,
      Optional<RolloutCopy> left,
      Conditions conditions,
      Context<HBaseCluster> context) {
    var cluster = applied.cluster();
    var held = new HeldReplicas(OwnPods.of(context), RolloutPass.remembered(cluster));
    var model = Models.of(applied, held).reachedBy(operatorPods);
    model.putInto(context);
    var parts = new Parts();
    var kept =
        parts.get(() -> Optional.of(Remembered.of(applied, left)), Optional::<Remembered>empty);
    // Status counts: where this is refused, the pass goes on.
    kept.ifPresent(it -> parts.run(() -> memory.keep(cluster, it, context)));
    parts.run(context.managedWorkflowAndDependentResourceContext()::reconcileManagedWorkflow);
    parts.run(() -> held.shrinkRemovedGroups(model, context));
    var observed = Observation.of(model, applied, sightings.isNew(cluster), context);
    var id = ResourceID.fromResource(cluster);
    var heard = Heard.of(access, id, clock);
    var since = sightings.watched(id, heard.now());
    var watch = new CanaryWatch(observed, heard.samples(), since, heard.now());
    var snapshot =
        RolloutSnapshots.of(observed, applied, heard, watch.verdict(heard.view()), since);
    var result = new RolloutPass(context, access.control(), parts).run(observed, snapshot, left);
    reports.waiting(cluster, result);
    boolean isRolling = result.before().isPresent() || result.remembered().isPresent();
    var late =
        parts.get(
            () ->
                new OnlineConfiguration(access.control(), access.revisions(), clock)
                    .bring(observed, isRolling),
            List::<String>of);
    ObservedConditions.add(observed, applied, result, late, conditions);
    ObservedConditions.addRefused(access.problems().apply(id), conditions);
    var tuning =
        parts.get(
            () -> tune(applied, observed, result, heard.now(), conditions),
            () -> {
              conditions.keep(ConditionType.Tuned);
              return Optional.ofNullable(cluster.getStatus()).map(HBaseClusterStatus::tuning);
            });
    var status =
        new AppliedStatus(applied, observed, result, watch.toRemember(), tuning.orElse(null), clock)
            .of(cluster, conditions);
    boolean hasMoreToKeep =
        parts.get(
            () -> kept.filter(it -> !Remembered.of(applied, status).equals(it)).isPresent(),
            () -> false);
    return new Applying(
        parts
            .failure()
            .filter(it -> isTold(context) || Failures.isTold(cluster))
            .map(it -> Failures.status(cluster, status, it, clock))
            .orElse(status),
        result,
        hasMoreToKeep,
        !late.isEmpty(),
        parts.failure());
  }

  private Optional<TuningStatus> tune(
      Applied applied,
      Observation observed,
      RolloutPass.Result rollout,
      Instant now,
      Conditions conditions) {
    var cluster = applied.cluster();
    tuningReports.reportNewEntries(cluster);
    var readings = access.readings().apply(ResourceID.fromResource(cluster));
    var pass = new TuningPass(applied, observed, rollout, readings, now);
    var steps = new LinkedHashMap<>(pass.run(cluster));
    alerted
        .cause(ResourceID.fromResource(cluster))
        .ifPresent(alert -> steps.replaceAll((group, step) -> step.after(alert, now)));
    var first = sightings.first(cluster);
    if (first.isTuningUnchanged(cluster)
        && pass.isToCome(steps, first.tuning(), cluster.getSpec().tuning(), first.at())) {
      conditions.keep(ConditionType.Tuned);
      return Optional.of(first.tuning());
    }
    var status = Optional.ofNullable(TuningPass.status(steps));
    tuningReports.recordDecisions(steps.values());
    // Last: where something fails, the condition is kept as it was, and there is one.
    TuningConditions.add(cluster, steps, applied, conditions);
    return status;
  }

  /** What a pass comes to. */
  private record Applying(
      HBaseClusterStatus status,
      RolloutPass.Result rollout,
      boolean hasMoreToKeep,
      boolean isTakingOver,
      Optional<RuntimeException> failure) {}

  @Override
  public ErrorStatusUpdateControl<HBaseCluster> updateErrorStatus(
      HBaseCluster cluster, Context<HBaseCluster> context, Exception error) {
    // A conflict or an API server that is away for a moment is over with one of the next.
    if (!isTold(context)) {
      return ErrorStatusUpdateControl.defaultErrorProcessing();
    }
    return StatusUpdates.ofFailure(cluster, error, clock);
  }

  private static boolean isTold(Context<HBaseCluster> context) {
    return context.getRetryInfo().filter(it -> it.getAttemptCount() > UNTOLD_ATTEMPTS).isPresent();
  }
}
