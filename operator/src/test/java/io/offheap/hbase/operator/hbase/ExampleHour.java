package io.offheap.hbase.operator.hbase;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.tune.Metric;
import io.offheap.hbase.operator.tune.Reading;
import java.time.Instant;
import java.util.Map;

/** The history of a region server with a value in each of its lines. */
public final class ExampleHour {
  private static final String POD = "demo-regionserver-0";
  private static final String SERVER = POD + ".x,16020,1";

  private ExampleHour() {}

  /**
   * The history of a cluster with one such server.
   *
   * @param last when it was read last
   */
  public static ServerHistory of(ResourceID cluster, Instant last) {
    var history = new ServerHistory();
    var first = last.minusSeconds(30);
    history.reported(cluster, POD, SERVER, first, new ServerCounters(1000, 1000, 50, 50, 0, 0, 7));
    history.reported(cluster, POD, SERVER, last, new ServerCounters(1010, 1090, 140, 60, 0, 0, 8));
    history.observed(cluster, reading(first, 1_000_000));
    history.observed(cluster, reading(last, 1_500_000));
    return history;
  }

  /** A poll adds a value to the history of a cluster, as while it serves. */
  public static void poll(ServerHistory history, ResourceID cluster, Instant at) {
    history.reported(cluster, POD, SERVER, at, new ServerCounters(1020, 1180, 230, 70, 0, 0, 8));
    history.observed(cluster, reading(at, 2_000_000));
  }

  private static Reading reading(Instant at, double micros) {
    return new Reading(
        POD,
        SERVER,
        at,
        Map.of(
            Metric.GC_MIXED_PAUSE_MICROS,
            micros,
            Metric.ALLOCATOR_TOTAL_BUFFERS,
            8.0,
            Metric.ALLOCATOR_BUFFERS_IN_USE,
            2.0));
  }
}
