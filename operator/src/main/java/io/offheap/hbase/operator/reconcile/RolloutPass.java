package io.offheap.hbase.operator.reconcile;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.RolloutStatus;
import io.offheap.hbase.operator.deploy.Labels;
import io.offheap.hbase.operator.hbase.ClusterControl;
import io.offheap.hbase.operator.log.LogLine;
import io.offheap.hbase.operator.observe.Observation;
import io.offheap.hbase.operator.rollout.Decision;
import io.offheap.hbase.operator.rollout.Decision.Action;
import io.offheap.hbase.operator.rollout.HBaseCommand;
import io.offheap.hbase.operator.rollout.RestartDecision;
import io.offheap.hbase.operator.rollout.Roller;
import io.offheap.hbase.operator.rollout.RolloutResult;
import io.offheap.hbase.operator.rollout.RolloutSnapshot;
import io.offheap.hbase.operator.status.RolloutStatuses;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rollout's part of a reconciliation: runs {@link Roller} and executes its decision. A decision
 * from an outdated version of the resource is not executed: this or another operator has written in
 * between.
 */
final class RolloutPass {
  private static final Logger LOG = LoggerFactory.getLogger(RolloutPass.class);

  private final Context<HBaseCluster> context;
  private final ClusterControl hbase;
  private final IsolatedSteps isolated;

  /**
   * For one reconciliation.
   *
   * @param isolated for deletions of pods, whose failure must not prevent other steps
   */
  RolloutPass(Context<HBaseCluster> context, ClusterControl hbase, IsolatedSteps isolated) {
    this.context = context;
    this.hbase = hbase;
    this.isolated = isolated;
  }

  /**
   * Decides and executes.
   *
   * @param infrastructure what ZooKeeper and HDFS need
   * @param left what HBase is to have back of a rollout that status does not have
   */
  RolloutResult run(
      Observation observed,
      RolloutSnapshot snapshot,
      RestartDecision infrastructure,
      Optional<RolloutCopy> left) {
    // First: the decision of HBase may wait for this pod, or fail.
    restart(infrastructure, false, observed);
    var cluster = observed.model().cluster();
    var before = RolloutStatuses.read(cluster.getStatus());
    var begun = before.or(() -> left.map(it -> it.leftBehind(snapshot.now())));
    var decision = Roller.decide(snapshot, begun);
    boolean isChange = !decision.remembered().equals(before) || decision.rolledBack().isPresent();
    if (!isChange && decision.actions().isEmpty()) {
      restart(infrastructure, true, observed);
      return new RolloutResult(before, decision, Optional.empty(), false);
    }
    var now = context.getClient().resource(cluster).get();
    if (now == null
        || !isSame(now, cluster)
        || (decision.rolledBack().isPresent() && !isSame(observed))) {
      return new RolloutResult(begun, decision, Optional.empty(), true);
    }
    if (isChange) {
      return new RolloutResult(
          before, decision, Optional.of(now.getMetadata().getResourceVersion()), false);
    }
    act(decision, observed);
    return new RolloutResult(before, decision, Optional.empty(), false);
  }

  private static boolean isSame(HBaseCluster now, HBaseCluster seen) {
    return Objects.equals(now.getMetadata().getUid(), seen.getMetadata().getUid())
        && Objects.equals(now.getMetadata().getGeneration(), seen.getMetadata().getGeneration())
        && Objects.equals(rollout(now), rollout(seen));
  }

  /**
   * Whether the pods are as they were observed. During an outage of the API server, the observation
   * becomes outdated; an outdated pod that did not serve must not roll a change back.
   */
  private boolean isSame(Observation observed) {
    var now =
        context
            .getClient()
            .pods()
            .inNamespace(observed.model().cluster().getMetadata().getNamespace())
            .withLabelSelector(Labels.MANAGED_SELECTOR)
            .list()
            .getItems()
            .stream()
            .collect(
                Collectors.toMap(
                    it -> it.getMetadata().getUid(), it -> it.getMetadata().getResourceVersion()));
    return observed.serverPods().stream()
        .flatMap(it -> observed.pod(it.name()).stream())
        .map(Pod::getMetadata)
        .allMatch(it -> it.getResourceVersion().equals(now.get(it.getUid())));
  }

  private static Optional<RolloutStatus> rollout(HBaseCluster cluster) {
    return RememberedMaps.rollout(cluster.getStatus());
  }

  private void act(Decision decision, Observation observed) {
    var commands = new ArrayList<HBaseCommand>();
    for (Action action : decision.actions()) {
      if (action instanceof Action.SendCommand send) {
        commands.add(send.command());
      } else if (action instanceof Action.DeletePod delete) {
        observed
            .pod(delete.pod())
            .filter(pod -> pod.getMetadata().getUid().equals(delete.uid()))
            .ifPresent(pod -> isolated.run(() -> delete(pod)));
      }
    }
    if (!commands.isEmpty()) {
      hbase.send(ResourceID.fromResource(observed.model().cluster()), commands);
    }
  }

  /** Restarts a pod of ZooKeeper or HDFS that serves, or one that does not. */
  private void restart(RestartDecision decision, boolean isServing, Observation observed) {
    if (decision instanceof RestartDecision.Restart restart && restart.isServing() == isServing) {
      observed.pod(restart.pod()).ifPresent(pod -> isolated.run(() -> delete(pod)));
    }
  }

  /** Deletes only the observed pod: a new one may have the same name. */
  private void delete(Pod pod) {
    LOG.info("{}", line("DeletingPod", pod));
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
      LOG.info("{}", line("PodHasChanged", pod));
    }
  }

  private LogLine line(String event, Pod pod) {
    var cluster = context.getPrimaryResource().getMetadata();
    return LogLine.of(event)
        .cluster(cluster.getNamespace(), cluster.getName())
        .with("pod", pod.getMetadata().getName())
        .with("uid", pod.getMetadata().getUid());
  }
}
