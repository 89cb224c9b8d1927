package io.offheap.hbase.operator.tune;

import java.time.Instant;
import java.util.Map;

/**
 * What one region server's process said of itself at a time.
 *
 * @param pod its pod
 * @param server {@code host,port,startcode}: another start code is another process, whose counters
 *     begin anew
 * @param at when it said so
 * @param figures what it said; a figure that is not there (-1, or none at all) is left out
 */
public record Reading(String pod, String server, Instant at, Map<Figure, Double> figures) {
  public Reading {
    figures = Figures.copyOf(figures);
  }

  /** When the process began: the start code, in milliseconds since 1970. */
  Instant processStart() {
    return Instant.ofEpochMilli(Long.parseLong(server.substring(server.lastIndexOf(',') + 1)));
  }
}
