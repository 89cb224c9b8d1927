package io.offheap.hbase.operator.tune;

import io.offheap.hbase.operator.plan.Bytes;
import java.util.Optional;

/** Signs that buffers are not returned to the pool; then no number of buffers is enough. */
final class BufferLeak {
  static final String SUSPICION =
      "buffers leak, and the pool is large enough: buffers are taken and not returned";

  /** Share of the pool that stays in use. */
  private static final double ALMOST_ALL = 0.9;

  /** Share of the highest traffic to which traffic fell. */
  private static final double ALMOST_NONE = 0.1;

  private BufferLeak() {}

  /** The evidence of a leak in a server whose requests find the pool empty; empty where none. */
  static Optional<String> evidence(AllocatorTraffic traffic) {
    var server = traffic.server();
    if (traffic.poolPerSecond() == 0) {
      return Optional.of(
          RuleResults.line(
              "%s: not one of %.0f buffers was returned in %d s; %s",
              server.pod(), traffic.total(), server.length().toSeconds(), SUSPICION));
    }
    var inUse = traffic.leastInUse();
    double busiest = traffic.busiestPerSecond();
    double quietest = traffic.quietestPerSecond();
    if (inUse.isEmpty()
        || inUse.getAsDouble() < ALMOST_ALL * traffic.total()
        || quietest > ALMOST_NONE * busiest) {
      return Optional.empty();
    }
    return Optional.of(
        RuleResults.line(
            "%s: at least %.0f of %.0f buffers stayed in use while traffic fell from %.1f to %.1f"
                + " MiB/s; %s",
            server.pod(),
            inUse.getAsDouble(),
            traffic.total(),
            busiest / Bytes.MIB,
            quietest / Bytes.MIB,
            SUSPICION));
  }
}
