package io.offheap.hbase.operator.reconcile;

import static io.offheap.hbase.operator.reconcile.ConditionType.Planned;
import static io.offheap.hbase.operator.reconcile.ConditionType.Progressing;
import static io.offheap.hbase.operator.reconcile.ConditionType.Ready;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
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
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.declare.ClusterChecks;
import io.offheap.hbase.operator.declare.ClusterPlan;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.ConfigMaps;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.deploy.PodDisruptionBudgets;
import io.offheap.hbase.operator.deploy.Services;
import io.offheap.hbase.operator.deploy.StatefulSets;
import io.offheap.hbase.operator.hbase.HBaseConnections;
import io.offheap.hbase.operator.hbase.LiveTablesSource;
import io.offheap.hbase.operator.hbase.RegionServerReportSource;
import io.offheap.hbase.operator.plan.PlanProblem;
import io.offheap.hbase.operator.rollout.RestartDecision;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a cluster to what its resource says, in one pass:
 *
 * <ol>
 *   <li>Plan, for what is declared and what the running cluster's tables have ({@link LiveData}). A
 *       resource that gives no plan, or refers to a config map that is not there, is refused: its
 *       problems go into the condition {@code Planned}.
 *   <li>Choose. The resource with its plan, or where it is refused the last good ones from status,
 *       so that what runs is still looked after and nothing of the refused one reaches it; where
 *       there is neither, nothing is made.
 *   <li>Apply. The model of the pass is handed to the dependent resources, which write only what
 *       differs.
 *   <li>Restart. At most one region server, if {@link RestartDecision} lets one go.
 *   <li>Report. Status is written only when it says something new.
 * </ol>
 *
 * <p>Where the API server refuses what is applied, the pass is tried again and again, and the
 * condition {@code Progressing} tells what it said.
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
      @Dependent(name = "pod-disruption-budgets", type = PodDisruptionBudgets.class),
      @Dependent(
          name = "stateful-sets",
          type = StatefulSets.class,
          dependsOn = {"config-maps", "services"})
    })
public final class HBaseClusterReconciler implements Reconciler<HBaseCluster> {
  private static final Logger LOG = LoggerFactory.getLogger(HBaseClusterReconciler.class);

  /** A config map that others make is not watched. */
  private static final Duration LOOK_FOR_CONFIGURATION_EVERY = Duration.ofSeconds(10);

  private final String defaultImage;
  private final Clock clock;

  /**
   * Makes a reconciler.
   *
   * @param defaultImage image of clusters that declare none, with a tag
   * @param clock for the transition times of conditions
   */
  public HBaseClusterReconciler(String defaultImage, Clock clock) {
    this.defaultImage = defaultImage;
    this.clock = clock;
  }

  @Override
  public List<EventSource<?, HBaseCluster>> prepareEventSources(
      EventSourceContext<HBaseCluster> context) {
    var pods =
        new InformerEventSource<Pod, HBaseCluster>(
            InformerEventSourceConfiguration.from(Pod.class, HBaseCluster.class)
                .withName("pods")
                .withLabelSelector(Labels.MANAGED_SELECTOR)
                .withSecondaryToPrimaryMapper(HBaseClusterReconciler::owner)
                .build(),
            context);
    return List.of(
        pods,
        new RegionServerReportSource(context),
        new LiveTablesSource(context, new HBaseConnections()));
  }

  private static Set<ResourceID> owner(Pod pod) {
    var instance = pod.getMetadata().getLabels().get(Labels.INSTANCE);
    return instance == null
        ? Set.of()
        : Set.of(new ResourceID(instance, pod.getMetadata().getNamespace()));
  }

  @Override
  public UpdateControl<HBaseCluster> reconcile(
      HBaseCluster cluster, Context<HBaseCluster> context) {
    var conditions = new Conditions(cluster, clock);
    var missing = missingConfigMaps(cluster, context);
    var control =
        update(
            cluster,
            choose(cluster, missing, LiveData.of(context), conditions)
                .map(applied -> apply(applied, conditions, context))
                .orElseGet(() -> nothingMade(cluster, conditions)));
    return missing.isEmpty() ? control : control.rescheduleAfter(LOOK_FOR_CONFIGURATION_EVERY);
  }

  /** What to apply: what the resource declares, or where that is refused what was applied last. */
  private static Optional<Applied> choose(
      HBaseCluster cluster, List<PlanProblem> missing, LiveData live, Conditions conditions) {
    var refused = ClusterChecks.problems(cluster);
    if (!refused.isEmpty() || !missing.isEmpty()) {
      var reason = refused.isEmpty() ? Reason.ConfigurationMissing : Reason.SpecRefused;
      var problems = Stream.concat(refused.stream(), missing.stream()).toList();
      conditions.add(Planned, false, reason, text(problems));
      return last(cluster, conditions);
    }
    var plans = live.plans(cluster);
    if (plans.result() instanceof ClusterPlan.Planned planned) {
      var applied = new Applied(cluster, planned.groups(), plans.live());
      conditions.add(Planned, true, Reason.Planned, applied.text());
      TableConditions.add(applied, plans.refusal(), conditions);
      return Optional.of(applied);
    }
    var problems = ((ClusterPlan.Refused) plans.result()).problems();
    conditions.add(Planned, false, Reason.PlanRefused, text(problems));
    return last(cluster, conditions);
  }

  private static Optional<Applied> last(HBaseCluster cluster, Conditions conditions) {
    var applied = Applied.last(cluster);
    applied.ifPresent(it -> TableConditions.add(it, List.of(), conditions));
    return applied;
  }

  private static List<PlanProblem> missingConfigMaps(
      HBaseCluster cluster, Context<HBaseCluster> context) {
    var external = cluster.getSpec().storage().external();
    if (external == null) {
      return List.of();
    }
    var namespace = cluster.getMetadata().getNamespace();
    return external.configMapRefs().stream()
        .filter(
            name ->
                context.getClient().configMaps().inNamespace(namespace).withName(name).get()
                    == null)
        .map(
            name ->
                new PlanProblem(
                    "spec.storage.external.configMapRefs",
                    "there is no config map '"
                        + name
                        + "' in namespace "
                        + namespace
                        + "; make one with the core-site.xml and hdfs-site.xml of that HDFS"))
        .toList();
  }

  private static String text(List<PlanProblem> problems) {
    return problems.stream().map(PlanProblem::toString).collect(Collectors.joining("\n"));
  }

  private static HBaseClusterStatus nothingMade(HBaseCluster cluster, Conditions conditions) {
    conditions.add(Ready, false, Reason.NotPlanned, "nothing was made; see condition Planned");
    conditions.add(Progressing, false, Reason.NotPlanned, "see condition Planned");
    return new HBaseClusterStatus(
        cluster.getMetadata().getGeneration(),
        conditions.list(),
        0,
        Labels.defaultGroupSelector(cluster),
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private HBaseClusterStatus apply(
      Applied applied, Conditions conditions, Context<HBaseCluster> context) {
    var cluster = applied.cluster();
    var model = ClusterModel.of(cluster, applied.groups(), defaultImage);
    model.putInto(context);
    context.managedWorkflowAndDependentResourceContext().reconcileManagedWorkflow();
    var observed = Observation.of(model, context);
    var decision =
        RestartDecision.of(
            observed.regionServerPods(), observed.replicas(), observed.areTemplatesObserved());
    if (decision instanceof RestartDecision.Restart restart) {
      observed.pod(restart.pod()).ifPresent(pod -> delete(pod, context));
    }
    ObservedConditions.add(observed, decision, conditions);
    return new HBaseClusterStatus(
        cluster.getMetadata().getGeneration(),
        conditions.list(),
        observed.defaultGroupPods(),
        Labels.defaultGroupSelector(cluster),
        observed.readyRegionServers(),
        observed.regionServers(),
        PlanStatuses.of(applied.defaultGroup().plan()),
        PlanStatuses.groups(applied.groups(), observed),
        applied.live().orElse(null),
        cluster.getSpec());
  }

  /** Deletes the pod that was seen and no other: one of its name may have come since. */
  private static void delete(Pod pod, Context<HBaseCluster> context) {
    LOG.info("Restarting region server {}", pod.getMetadata().getName());
    try {
      context
          .getClient()
          .resource(pod)
          .lockResourceVersion(pod.getMetadata().getResourceVersion())
          .delete();
    } catch (KubernetesClientException e) {
      if (e.getCode() != 409) {
        throw e;
      }
      LOG.info("{} has changed meanwhile; the next pass decides", pod.getMetadata().getName());
    }
  }

  @Override
  public ErrorStatusUpdateControl<HBaseCluster> updateErrorStatus(
      HBaseCluster cluster, Context<HBaseCluster> context, Exception error) {
    // A conflict or an API server that is away for a moment is over with the next attempt.
    if (context.getRetryInfo().filter(retry -> retry.getAttemptCount() > 0).isEmpty()) {
      return ErrorStatusUpdateControl.defaultErrorProcessing();
    }
    var status = Failures.status(cluster, error, clock);
    return status.equals(cluster.getStatus())
        ? ErrorStatusUpdateControl.defaultErrorProcessing()
        : ErrorStatusUpdateControl.patchStatus(patch(cluster, status));
  }

  private static UpdateControl<HBaseCluster> update(
      HBaseCluster cluster, HBaseClusterStatus status) {
    return status.equals(cluster.getStatus())
        ? UpdateControl.noUpdate()
        : UpdateControl.patchStatus(patch(cluster, status));
  }

  private static HBaseCluster patch(HBaseCluster cluster, HBaseClusterStatus status) {
    var patch = new HBaseCluster();
    patch.setMetadata(
        new ObjectMetaBuilder()
            .withName(cluster.getMetadata().getName())
            .withNamespace(cluster.getMetadata().getNamespace())
            .build());
    patch.setStatus(status);
    return patch;
  }
}
