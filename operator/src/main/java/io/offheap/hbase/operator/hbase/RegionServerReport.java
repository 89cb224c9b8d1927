package io.offheap.hbase.operator.hbase;

/**
 * What a region server says of itself.
 *
 * @param pod its pod
 * @param serverName host, port and start code
 * @param regions regions that it serves
 */
public record RegionServerReport(String pod, String serverName, int regions) {}
