package io.offheap.hbase.operator.web;

import java.time.Instant;
import java.util.Optional;

/**
 * What is read of an alert: whose it is and when it was, and no figure to act on.
 *
 * @param cluster empty if its labels name none
 * @param fingerprint what Alertmanager tells alerts apart by
 * @param endsAt empty while no end is in sight
 */
record Alert(
    boolean firing,
    Optional<ClusterName> cluster,
    String fingerprint,
    Instant startsAt,
    Optional<Instant> endsAt) {}
