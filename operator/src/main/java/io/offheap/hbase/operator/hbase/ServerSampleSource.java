package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.api.HBaseClusterStatus;
import io.offheap.hbase.operator.rollout.ServerSample;
import io.offheap.hbase.operator.rollout.ServerSampleBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * While a canary is compared with its peers, requests samples from all region servers of its
 * cluster. The reconciliation that needs them calls {@link #samples}; none is triggered.
 */
final class ServerSampleSource extends PollingSource<ServerSample, HBaseCluster> {
  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** While no canary is compared, nothing is requested. */
  private static final Duration REST_PERIOD = Duration.ofMinutes(1);

  private static final String JVM = "Hadoop:service=HBase,name=JvmMetrics";

  /** The kinds of collections that stop the process, as the observer names them. */
  private static final List<String> COLLECTIONS =
      List.of("Normal", "ConcurrentStart", "PrepareMixed", "Mixed", "Full");

  private static final String NAME = "tag.serverName";
  private static final String HEAP_BYTES = "ByteBuffAllocatorHeapAllocationBytes";
  private static final String POOL_BYTES = "ByteBuffAllocatorPoolAllocationBytes";
  private static final String REQUESTS = "totalRequestCount";
  private static final String EXCEPTIONS = "exceptions";
  private static final String NOT_SERVING = "exceptions.NotServingRegionException";
  private static final String MOVED = "exceptions.RegionMovedException";
  private static final String PROCESS_CALL = "ProcessCallTime_99th_percentile";
  private static final String GC_MILLIS = "GcTimeMillis";
  private static final Jmx.Query OF_SERVER =
      Jmx.Query.ofPart(Jmx.SERVER, Set.of(NAME, HEAP_BYTES, POOL_BYTES, REQUESTS));
  private static final Jmx.Query OF_IPC =
      Jmx.Query.ofPart(Jmx.CALLS, Set.of(EXCEPTIONS, NOT_SERVING, MOVED, PROCESS_CALL));
  private static final Jmx.Query OF_JVM = Jmx.Query.ofPart(JVM, Set.of(GC_MILLIS));
  private static final Jmx.Query OF_OBSERVER =
      Jmx.Query.ofPart(
          Jmx.OBSERVER,
          COLLECTIONS.stream().map(ServerSampleSource::longest).collect(Collectors.toSet()));

  private final Jmx jmx = new Jmx();
  private final Map<ResourceID, List<ServerSample>> last = new ConcurrentHashMap<>();

  ServerSampleSource(EventSourceContext<HBaseCluster> context) {
    super("server-samples", ServerSample.class, ServerSample::pod, context, PERIOD);
  }

  /** The last samples of a cluster's servers; none while no canary is compared. */
  List<ServerSample> samples(ResourceID id) {
    return last.getOrDefault(id, List.of());
  }

  @Override
  CompletableFuture<Set<ServerSample>> poll(HBaseCluster cluster) {
    var id = ResourceID.fromResource(cluster);
    if (!isWatched(cluster)) {
      last.remove(id);
      return CompletableFuture.completedFuture(Set.of());
    }
    List<CompletableFuture<Optional<ServerSample>>> responses =
        RegionServerHosts.requested(cluster).stream().map(host -> sample(id, host)).toList();
    return CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              var samples = responses.stream().flatMap(it -> it.join().stream()).toList();
              if (samples.isEmpty() && !responses.isEmpty()) {
                silent(id);
              }
              last.put(id, samples);
              return Set.of();
            });
  }

  @Override
  Duration period(HBaseCluster cluster) {
    return isWatched(cluster) ? PERIOD : REST_PERIOD;
  }

  private static boolean isWatched(HBaseCluster cluster) {
    return Optional.ofNullable(cluster.getStatus())
        .map(HBaseClusterStatus::rollout)
        .map(it -> it.canary())
        .isPresent();
  }

  private CompletableFuture<Optional<ServerSample>> sample(ResourceID id, String host) {
    var pod = RegionServerHosts.podOf(host);
    var onFailure = onFailure(id, host);
    var ipc = jmx.bean(host, OF_IPC, LimitedHttp.Reuse.NONE, onFailure);
    var jvm = jmx.bean(host, OF_JVM, LimitedHttp.Reuse.NONE, onFailure);
    var observer = jmx.bean(host, OF_OBSERVER, LimitedHttp.Reuse.NONE, onFailure);
    return jmx.bean(host, OF_SERVER, LimitedHttp.Reuse.NONE, onFailure)
        .thenCombine(ipc, Beans::new)
        .thenCombine(jvm, Beans::withJvm)
        .thenCombine(observer, Beans::withObserver)
        .thenApply(beans -> beans.sample(pod));
  }

  private static String longest(String kind) {
    return "Gc" + kind + "PauseMaxMicros";
  }

  private record Beans(JsonNode server, JsonNode ipc, JsonNode jvm, JsonNode observer) {
    Beans(JsonNode server, JsonNode ipc) {
      this(server, ipc, null, null);
    }

    Beans withJvm(JsonNode bean) {
      return new Beans(server, ipc, bean, observer);
    }

    Beans withObserver(JsonNode bean) {
      return new Beans(server, ipc, jvm, bean);
    }

    Optional<ServerSample> sample(String pod) {
      if (!server.has(NAME) || !ipc.has(EXCEPTIONS) || !jvm.has(GC_MILLIS)) {
        return Optional.empty();
      }
      // Each move causes one request to the wrong server for each client; clients retry, and users
      // do not notice.
      long errors =
          ipc.path(EXCEPTIONS).asLong() - ipc.path(NOT_SERVING).asLong() - ipc.path(MOVED).asLong();
      return Optional.of(
          ServerSampleBuilder.builder()
              .pod(pod)
              .server(server.path(NAME).asText())
              .at(Instant.now())
              .heapBytes(server.path(HEAP_BYTES).asLong())
              .poolBytes(server.path(POOL_BYTES).asLong())
              .gcMillis(jvm.path(GC_MILLIS).asLong())
              .longestPauseMillis(longestPause())
              .p99Millis(number(ipc, PROCESS_CALL))
              .requests(server.path(REQUESTS).asLong())
              .errors(Math.max(0, errors))
              .restarts(0)
              .build());
    }

    private OptionalDouble longestPause() {
      return COLLECTIONS.stream()
          .map(kind -> number(observer, longest(kind)))
          .flatMapToDouble(OptionalDouble::stream)
          .map(micros -> micros / 1000)
          .max();
    }

    private static OptionalDouble number(JsonNode bean, String name) {
      return bean.has(name)
          ? OptionalDouble.of(bean.path(name).asDouble())
          : OptionalDouble.empty();
    }
  }

  @Override
  void forget(ResourceID id) {
    last.remove(id);
  }
}
