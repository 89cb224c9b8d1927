package io.offheap.hbase.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;

/**
 * The rollback of a change with which a canary cannot start.
 *
 * @param canary its pod
 * @param uid of the pod before the change
 */
record AwaitedRollback(RolloutCluster cluster, String canary, String uid) {

  /** Waits for it; returns the time from the first pod with the change to the rollback. */
  Duration await() {
    // The rollback makes another pod.
    var created = new AtomicReference<Instant>();
    var rolledBack =
        Awaitility.await("rolled back")
            .atMost(Duration.ofMinutes(5))
            .pollInterval(Duration.ofMillis(500))
            .ignoreException(IllegalStateException.class)
            .until(
                () -> {
                  var pod = cluster.pods("regionserver").get(canary);
                  if (pod != null && !pod.uid().equals(uid)) {
                    created.compareAndSet(null, pod.created());
                  }
                  return cluster.resource().path("status").path("rolledBack").path(0);
                },
                it -> !it.isMissingNode());
    System.out.println(rolledBack.toPrettyString());
    return Duration.between(created.get(), Instant.parse(rolledBack.path("at").asText()));
  }
}
