package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
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
 * Requests a report from every region server of a cluster over its own HTTP endpoint, with the
 * limits of {@link Jmx}. A server that does not respond has no report. If many servers do not
 * respond, the round takes one deadline for each batch of them.
 */
public final class RegionServerReportSource
    extends PollingSource<RegionServerReport, HBaseCluster> {
  private static final Duration PERIOD = Duration.ofSeconds(20);

  /** While a server is restarted, or starts by itself. */
  private static final Duration CHANGING_PERIOD = Duration.ofSeconds(5);

  private static final String REGIONS = "regionCount";
  private static final String NAME = "tag.serverName";
  private static final String STORE_FILES = "storeFileSize";
  private static final String HEAP_BYTES = "ByteBuffAllocatorHeapAllocationBytes";
  private static final String POOL_BYTES = "ByteBuffAllocatorPoolAllocationBytes";
  private static final String HITS = "blockCacheHitCount";
  private static final String MISSES = "blockCacheMissCount";
  private static final String DATA_HITS = "blockCacheDataHitCount";
  private static final String DATA_MISSES = "blockCacheDataMissCount";
  static final Set<String> ATTRIBUTES =
      Set.of(
          REGIONS, NAME, STORE_FILES, HEAP_BYTES, POOL_BYTES, HITS, MISSES, DATA_HITS, DATA_MISSES);
  static final Jmx.Query QUERY = Jmx.Query.ofPart(Jmx.SERVER, ATTRIBUTES);

  private final Jmx jmx = new Jmx();
  private final Map<ResourceID, Map<String, Integer>> regions = new ConcurrentHashMap<>();
  private final Map<ResourceID, Map<String, String>> servers = new ConcurrentHashMap<>();

  private final ServerHistory history;

  /** A server's response: what passes read of it, and what people look at. */
  record Response(RegionServerReport report, ServerCounters counters) {
    /** With the hit ratio up to the response before this one. */
    Response with(ServerHistory history, ResourceID id) {
      var ratio = history.hitRatio(id, report.pod(), report.serverName());
      return new Response(report.withHitRatio(ratio), counters);
    }
  }

  /**
   * Creates the source of a controller.
   *
   * @param history keeps what people look at
   */
  RegionServerReportSource(EventSourceContext<HBaseCluster> context, ServerHistory history) {
    super(
        "region-server-reports",
        RegionServerReport.class,
        RegionServerReport::pod,
        context,
        PERIOD);
    this.history = history;
  }

  /** Regions of each region server of a cluster by its server name, as of its last report. */
  Map<String, Integer> regions(ResourceID id) {
    return regions.getOrDefault(id, Map.of());
  }

  /** Server names of a cluster's region servers by pod, as of their last report. */
  Map<String, String> servers(ResourceID id) {
    return servers.getOrDefault(id, Map.of());
  }

  @Override
  CompletableFuture<Set<RegionServerReport>> poll(HBaseCluster cluster) {
    var id = ResourceID.fromResource(cluster);
    List<CompletableFuture<Optional<Response>>> polls =
        RegionServerHosts.requested(cluster).stream()
            .map(host -> poll(id, host, RegionServerHosts.reuse(cluster)))
            .toList();
    return CompletableFuture.allOf(polls.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              var responses = polls.stream().flatMap(poll -> poll.join().stream()).toList();
              var reports = responses.stream().map(Response::report).collect(Collectors.toSet());
              var byServer =
                  reports.stream()
                      .collect(
                          Collectors.toUnmodifiableMap(
                              RegionServerReport::serverName,
                              RegionServerReport::regions,
                              Math::max));
              var byPod =
                  reports.stream()
                      .collect(
                          Collectors.toUnmodifiableMap(
                              RegionServerReport::pod, RegionServerReport::serverName));
              // Not for a deleted cluster.
              execute(
                  id,
                  it -> {
                    regions.put(id, byServer);
                    servers.put(id, byPod);
                    var now = Instant.now();
                    responses.forEach(
                        response ->
                            history.reported(
                                id,
                                response.report().pod(),
                                response.report().serverName(),
                                now,
                                response.counters()));
                  });
              if (reports.isEmpty() && !polls.isEmpty()) {
                silent(id);
              }
              return reports;
            });
  }

  private CompletableFuture<Optional<Response>> poll(
      ResourceID id, String host, LimitedHttp.Reuse reuse) {
    var pod = RegionServerHosts.podOf(host);
    return jmx.bean(host, QUERY, reuse, onFailure(id, host))
        .thenApply(bean -> response(pod, bean).map(it -> it.with(history, id)));
  }

  /** What a bean of a region server says; empty where it is none. */
  static Optional<Response> response(String pod, JsonNode bean) {
    if (!bean.has(REGIONS)) {
      return Optional.empty();
    }
    int regions = bean.path(REGIONS).asInt();
    var report =
        new RegionServerReport(
            pod,
            bean.path(NAME).asText(),
            regions,
            powerOfTwo(bean.path(STORE_FILES).asLong()),
            OptionalDouble.empty());
    var counters =
        new ServerCounters(
            bean.path(HEAP_BYTES).asLong(),
            bean.path(POOL_BYTES).asLong(),
            bean.path(HITS).asLong(),
            bean.path(MISSES).asLong(),
            bean.path(DATA_HITS).asLong(),
            bean.path(DATA_MISSES).asLong(),
            regions);
    return Optional.of(new Response(report, counters));
  }

  @Override
  Duration period(HBaseCluster cluster) {
    return RegionServerHosts.areAtRest(cluster) ? PERIOD : CHANGING_PERIOD;
  }

  @Override
  void forget(ResourceID id) {
    regions.remove(id);
    servers.remove(id);
    history.forget(id);
  }

  /** The smallest power of two that is at least this number; 0 for 0. */
  static long powerOfTwo(long bytes) {
    if (bytes <= 0) {
      return 0;
    }
    long below = Long.highestOneBit(bytes);
    return below == bytes || below == 1L << 62 ? below : below << 1;
  }
}
