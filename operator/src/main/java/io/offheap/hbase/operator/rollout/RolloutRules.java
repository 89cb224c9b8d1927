package io.offheap.hbase.operator.rollout;

import java.time.Duration;
import java.util.Optional;

/**
 * The declared rules of restarts.
 *
 * @param maxUnavailable region servers that may be restarted at once
 * @param drainTimeout how long a server may take to be drained before its restart is cancelled
 * @param startTimeout how long a restarted server may take to serve before its change is rolled
 *     back
 * @param canaryWindow how long the first server of a group is compared with its peers; empty for
 *     not at all
 * @param isPaused whether no restart may begin
 * @param isWindowOpen whether a maintenance window is open, or none is declared
 */
public record RolloutRules(
    int maxUnavailable,
    Duration drainTimeout,
    Duration startTimeout,
    Optional<Duration> canaryWindow,
    boolean isPaused,
    boolean isWindowOpen) {}
