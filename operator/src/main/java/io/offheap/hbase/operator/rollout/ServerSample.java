package io.offheap.hbase.operator.rollout;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.OptionalDouble;

/**
 * What a region server's process reports at a time. Sums begin with the process.
 *
 * @param pod its pod
 * @param server {@code host,port,startcode}: another one has other sums
 * @param at when it was read
 * @param heapBytes bytes that the allocator had to take from the heap
 * @param poolBytes bytes that the allocator took from its pool
 * @param gcMillis time in which collections stopped the process
 * @param longestPauseMillis the longest such pause of late, where it is known
 * @param p99Millis within this, 99 % of the requests of late were processed, where it is known
 * @param requests requests
 * @param errors requests that ended in an exception that the caller got
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

  /** The same where its container was restarted so often. */
  public ServerSample withRestarts(int times) {
    return ServerSampleBuilder.builder(this).restarts(times).build();
  }

  /** The same process as it began. */
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
