package io.offheap.hbase.operator.hbase;

import java.util.OptionalDouble;

/**
 * A region server's report of itself.
 *
 * @param pod name of the pod
 * @param serverName host, port and start code
 * @param regions regions that it serves
 * @param storeFileBytes store files of its regions, rounded up to a power of two, so that a report
 *     does not change with every flush
 * @param hitRatio share of the reads of data blocks that its cache finds, 0 to 1, as HBase counts
 *     them and as {@link SteadyHitRatio} reports them; empty where it is not known yet
 */
public record RegionServerReport(
    String pod, String serverName, int regions, long storeFileBytes, OptionalDouble hitRatio) {
  /** This report with a hit ratio. */
  RegionServerReport withHitRatio(OptionalDouble ratio) {
    return new RegionServerReport(pod, serverName, regions, storeFileBytes, ratio);
  }
}
