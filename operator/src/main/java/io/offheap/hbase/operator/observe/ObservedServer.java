package io.offheap.hbase.operator.observe;

import java.util.Optional;

/**
 * A region server's pod, with what its server has reported.
 *
 * @param pod name of the pod
 * @param serverName HBase's name of the server; empty where the pod is not ready or its server has
 *     not reported
 * @param regions regions that it serves; empty as the name is
 * @param planHash hash of the plan that the pod was made from
 * @param isStopping whether the pod is being deleted
 * @param isReady whether the pod serves
 * @param isOutdated whether the pod is to be replaced
 */
public record ObservedServer(
    String pod,
    Optional<String> serverName,
    Optional<Integer> regions,
    Optional<String> planHash,
    boolean isStopping,
    boolean isReady,
    boolean isOutdated) {}
