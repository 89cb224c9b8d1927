package io.offheap.hbase.operator.tune;

import java.util.OptionalDouble;

/** How long calls take in a server, by HBase's own histogram. */
final class CallTimes {
  /** Mixed collections come in bursts, which most readings of a window do not have. */
  private static final double SHARE = 0.9;

  private CallTimes() {}

  /**
   * The 99th percentile of the calls, in milliseconds, which nine of ten readings do not exceed. A
   * reading of 0 does not count: there was no call, or almost all took under a millisecond. Of a
   * window of over an hour, the readings are the least and the greatest of its parts.
   */
  static OptionalDouble p99Millis(ServerWindow server) {
    var readings =
        server.values(Metric.CALL_P99_MILLIS).filter(millis -> millis > 0).sorted().toArray();
    return readings.length == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(readings[(int) Math.ceil(readings.length * SHARE) - 1]);
  }
}
