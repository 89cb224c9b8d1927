package io.offheap.hbase.operator.webhook;

import io.offheap.hbase.operator.tune.AlertCause;
import java.time.Instant;
import java.util.Optional;

/**
 * The parts of an alert that the operator uses: cluster and times. Values of metrics are not among
 * them.
 *
 * @param cluster empty if its labels name none
 * @param cause its name, fingerprint and start
 * @param endsAt empty if the alert has no end yet
 */
record Alert(
    boolean firing, Optional<ClusterName> cluster, AlertCause cause, Optional<Instant> endsAt) {}
