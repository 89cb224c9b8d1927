package io.offheap.hbase.operator.hbase;

/**
 * A region server's report of itself.
 *
 * @param pod name of the pod
 * @param serverName host, port and start code
 * @param regions regions that it serves
 * @param storeFileBytes store files of its regions, rounded up to a power of two, so that a report
 *     does not change with every flush
 */
public record RegionServerReport(String pod, String serverName, int regions, long storeFileBytes) {}
