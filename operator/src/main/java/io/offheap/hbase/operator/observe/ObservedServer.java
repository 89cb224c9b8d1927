package io.offheap.hbase.operator.observe;

import io.fabric8.kubernetes.api.model.Pod;
import io.offheap.hbase.operator.deploy.Labels;
import java.util.Optional;

/**
 * A region server's pod with its server's report.
 *
 * @param pod name of the pod
 * @param serverName HBase's name of the server; empty if the pod is not ready or its server has not
 *     reported
 * @param regions regions that it serves; empty if the name is
 * @param planHash hash of the pod's plan
 * @param isStopping whether the pod is being deleted
 * @param isReady whether the pod serves
 * @param isOutdated whether the pod must be replaced
 */
public record ObservedServer(
    String pod,
    Optional<String> serverName,
    Optional<Integer> regions,
    Optional<String> planHash,
    boolean isStopping,
    boolean isReady,
    boolean isOutdated) {
  /** A pod of a cluster of which nothing is applied: no pod of it must be replaced. */
  public static ObservedServer ofUnapplied(Pod pod) {
    return new ObservedServer(
        pod.getMetadata().getName(),
        Optional.empty(),
        Optional.empty(),
        OutdatedPods.annotation(pod, Labels.PLAN_HASH),
        pod.getMetadata().getDeletionTimestamp() != null,
        PodStates.isReady(pod),
        false);
  }
}
