package io.offheap.hbase.operator.webhook;

import io.offheap.hbase.operator.tune.AlertCause;
import java.time.Instant;
import java.util.Optional;

/**
 * What is read of an alert: whose it is and when it was, and no figure to act on.
 *
 * @param cluster empty if its labels name none
 * @param cause its name, fingerprint and start
 * @param endsAt empty while no end is in sight
 */
record Alert(
    boolean firing, Optional<ClusterName> cluster, AlertCause cause, Optional<Instant> endsAt) {}
