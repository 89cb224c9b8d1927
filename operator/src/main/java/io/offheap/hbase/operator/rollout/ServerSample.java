package io.offheap.hbase.operator.rollout;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * The metrics of a region server's process at a time. Sums begin with the process.
 *
 * @param pod its pod
 * @param server {@code host,port,startcode}: another one has other sums
 * @param at when it was read
 * @param heapBytes bytes that the allocator took from the heap
 * @param poolBytes bytes that the allocator took from its pool
 * @param gcMillis time in which collections stopped the process
 * @param longestPauseMillis the longest recent pause, if known
 * @param p99Millis 99th percentile of the recent requests' processing times, if known
 * @param requests requests
 * @param errors requests that returned an exception to the caller
 * @param restarts how often its container was restarted; begins with the pod
 */
@RecordBuilder
public record ServerSample(
    String pod,
    String server,
    Instant at,
    long heapBytes,
    long poolBytes,
    long gcMillis,
    OptionalDouble longestPauseMillis,
    OptionalDouble p99Millis,
    long requests,
    long errors,
    int restarts) {

  /** A copy with another number of container restarts. */
  public ServerSample withRestarts(int times) {
    return ServerSampleBuilder.builder(this).restarts(times).build();
  }

  /** The same process at its start. */
  ServerSample atStart() {
    return ServerSampleBuilder.builder()
        .pod(pod)
        .server(server)
        .at(Instant.ofEpochMilli(HBaseView.startCode(server)))
        .heapBytes(0)
        .poolBytes(0)
        .gcMillis(0)
        .longestPauseMillis(OptionalDouble.empty())
        .p99Millis(OptionalDouble.empty())
        .requests(0)
        .errors(0)
        .restarts(restarts)
        .build();
  }
}
