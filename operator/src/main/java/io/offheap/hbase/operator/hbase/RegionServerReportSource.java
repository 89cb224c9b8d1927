package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.databind.JsonNode;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.offheap.hbase.operator.api.HBaseCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final Set<String> ATTRIBUTES = Set.of(REGIONS, NAME, STORE_FILES);

  private final Jmx jmx = new Jmx();
  private final Map<ResourceID, Map<String, Integer>> regions = new ConcurrentHashMap<>();
  private final Map<ResourceID, Map<String, String>> servers = new ConcurrentHashMap<>();

  /** Creates the source of a controller. */
  public RegionServerReportSource(EventSourceContext<HBaseCluster> context) {
    super(
        "region-server-reports",
        RegionServerReport.class,
        RegionServerReport::pod,
        context,
        PERIOD);
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
    List<CompletableFuture<Optional<RegionServerReport>>> responses =
        RegionServerHosts.of(cluster).map(host -> poll(id, host)).toList();
    return CompletableFuture.allOf(responses.toArray(CompletableFuture[]::new))
        .thenApply(
            all -> {
              var reports =
                  responses.stream()
                      .flatMap(response -> response.join().stream())
                      .collect(Collectors.toSet());
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
                  });
              if (reports.isEmpty()) {
                silent(id);
              }
              return reports;
            });
  }

  private CompletableFuture<Optional<RegionServerReport>> poll(ResourceID id, String host) {
    var pod = host.substring(0, host.indexOf('.'));
    return jmx.bean(host, Jmx.SERVER, ATTRIBUTES, onFailure(id, host))
        .thenApply(bean -> report(pod, bean));
  }

  private static Optional<RegionServerReport> report(String pod, JsonNode bean) {
    return bean.has(REGIONS)
        ? Optional.of(
            new RegionServerReport(
                pod,
                bean.path(NAME).asText(),
                bean.path(REGIONS).asInt(),
                powerOfTwo(bean.path(STORE_FILES).asLong())))
        : Optional.empty();
  }

  @Override
  Duration period(HBaseCluster cluster) {
    return RegionServerHosts.areAtRest(cluster) ? PERIOD : CHANGING_PERIOD;
  }

  @Override
  void forget(ResourceID id) {
    regions.remove(id);
    servers.remove(id);
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
