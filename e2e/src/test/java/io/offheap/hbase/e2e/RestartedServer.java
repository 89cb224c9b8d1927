package io.offheap.hbase.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.e2e.RolloutCluster.Pod;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The restart of a region server, as the status has it.
 *
 * @param cause {@code Restart}, {@code ScaleDown} or {@code PodDeleted}
 * @param outcome {@code Restarted}, {@code ScaledDown}, {@code DrainTimedOut} or {@code NotWanted}
 * @param regions regions that it had
 * @param startSeconds from the old pod's end until the operator knew that the new one serves
 * @param ownStartSeconds from the new pod's creation until it was ready, by Kubernetes' clock; no
 *     more than {@code startSeconds}, as it may have been ready more than once
 */
record RestartedServer(
    String pod,
    String cause,
    String outcome,
    int regions,
    double drainSeconds,
    double stopSeconds,
    double startSeconds,
    double returnSeconds,
    double ownStartSeconds) {

  /**
   * From its place in the status.
   *
   * @param now the pod of that name as it is now; empty where it was scaled away
   */
  static RestartedServer of(JsonNode server, Optional<Pod> now) {
    double start = seconds(server, "startMillis");
    var own = now.flatMap(Pod::startTime).map(Duration::toSeconds);
    return new RestartedServer(
        server.required("pod").asText(),
        server.required("cause").asText(),
        server.required("outcome").asText(),
        server.required("regions").asInt(),
        seconds(server, "drainMillis"),
        seconds(server, "stopMillis"),
        start,
        seconds(server, "returnMillis"),
        own.map(it -> Math.min(it, start)).orElse(start));
  }

  private static double seconds(JsonNode server, String field) {
    return server.required(field).asLong() / 1000.0;
  }

  /** From the beginning of its restart to the end. */
  double totalSeconds() {
    return drainSeconds + stopSeconds + startSeconds + returnSeconds;
  }

  /** What cannot be had for less: its regions moved, its own start, and they moved back. */
  double neededSeconds() {
    return drainSeconds + ownStartSeconds + returnSeconds;
  }

  /**
   * As long it may take: half of its own start more, but 5 s at least, since the old process takes
   * 3 to 4 s to stop, however quick the new one starts.
   */
  double allowedSeconds() {
    return neededSeconds() + Math.max(5, 0.5 * ownStartSeconds);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "  %-24s %-10s %-11s %2d regions  drain %5.1f s  stop %5.1f s  start %5.1f s (own %4.1f s)"
            + "  return %5.1f s  total %5.1f s, %.2f of what it needs, %.2f of what it may",
        pod,
        cause,
        outcome,
        regions,
        drainSeconds,
        stopSeconds,
        startSeconds,
        ownStartSeconds,
        returnSeconds,
        totalSeconds(),
        totalSeconds() / neededSeconds(),
        totalSeconds() / allowedSeconds());
  }
}
