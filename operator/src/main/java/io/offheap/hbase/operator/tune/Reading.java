package io.offheap.hbase.operator.tune;

import java.time.Instant;
import java.util.Map;

/**
 * The metrics of one region server process at one time.
 *
 * @param pod its pod
 * @param server {@code host,port,startcode}: another start code is another process, whose counters
 *     start at 0
 * @param at the time of the response
 * @param values of the metrics that the server reported; a metric without a value (-1) is left out
 */
public record Reading(String pod, String server, Instant at, Map<Metric, Double> values) {
  public Reading {
    values = MetricValues.copyOf(values);
  }

  /** The start of the process: its start code, in milliseconds since 1970. */
  Instant processStart() {
    return Instant.ofEpochMilli(Long.parseLong(server.substring(server.lastIndexOf(',') + 1)));
  }
}
