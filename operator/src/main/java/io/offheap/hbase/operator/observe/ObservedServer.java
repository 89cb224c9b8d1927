package io.offheap.hbase.operator.observe;

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
    boolean isOutdated) {}
