package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSourceStartPriority;
import io.javaoperatorsdk.operator.processing.event.source.polling.PerResourcePollingConfigurationBuilder;
import io.javaoperatorsdk.operator.processing.event.source.polling.PerResourcePollingEventSource;
import io.offheap.hbase.operator.api.HBaseCluster;
import io.offheap.hbase.operator.deploy.ClusterModel;
import io.offheap.hbase.operator.deploy.Role;
import io.offheap.hbase.operator.render.Ports;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Asks every region server of a cluster over its own HTTP endpoint, again and again. All are asked
 * at once and under one deadline, on the poller's threads and never on a reconciler's; one that
 * does not answer has no report. A pass is woken when a report changes.
 */
public final class RegionServerReportSource
    extends PerResourcePollingEventSource<RegionServerReport, HBaseCluster, String> {
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration DEADLINE = Duration.ofSeconds(3);

  /** So many clusters may be slow to answer before one that is not gets its answer later. */
  private static final int POLLERS = 4;

  /** Made once for a controller. */
  public RegionServerReportSource(EventSourceContext<HBaseCluster> context) {
    super(
        RegionServerReport.class,
        context,
        new PerResourcePollingConfigurationBuilder<RegionServerReport, HBaseCluster, String>(
                new Fetcher()::fetch, PERIOD)
            .withName("region-server-reports")
            .withResourceIDMapper(RegionServerReport::pod)
            .withExecutorService(new ScheduledThreadPoolExecutor(POLLERS))
            .build());
  }

  /** Reads what the poller last heard; the inherited method would ask on the caller's thread. */
  @Override
  public Set<RegionServerReport> getSecondaryResources(HBaseCluster cluster) {
    return getSecondaryResources(ResourceID.fromResource(cluster));
  }

  /** Before the informers: a poll that falls due before its source runs ends all polls. */
  @Override
  public EventSourceStartPriority priority() {
    return EventSourceStartPriority.RESOURCE_STATE_LOADER;
  }

  private static final class Fetcher {
    private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http = HttpClient.newBuilder().connectTimeout(DEADLINE).build();

    Set<RegionServerReport> fetch(HBaseCluster cluster) {
      int replicas = cluster.getSpec().regionServers().replicas();
      List<CompletableFuture<Optional<RegionServerReport>>> answers =
          IntStream.range(0, replicas).mapToObj(ordinal -> ask(cluster, ordinal)).toList();
      return answers.stream().flatMap(answer -> answer.join().stream()).collect(Collectors.toSet());
    }

    private CompletableFuture<Optional<RegionServerReport>> ask(HBaseCluster cluster, int ordinal) {
      var host = ClusterModel.hostName(cluster, Role.REGIONSERVER, ordinal);
      var pod = host.substring(0, host.indexOf('.'));
      var uri = URI.create("http://" + host + ":" + Ports.REGIONSERVER_HTTP + "/jmx?qry=" + BEAN);
      var request = HttpRequest.newBuilder(uri).timeout(DEADLINE).build();
      return http.sendAsync(request, BodyHandlers.ofString())
          .thenApply(response -> parse(pod, response.body()))
          .exceptionally(unreachable -> Optional.empty());
    }

    private Optional<RegionServerReport> parse(String pod, String body) {
      try {
        var bean = json.readTree(body).path("beans").path(0);
        return bean.has("regionCount")
            ? Optional.of(
                new RegionServerReport(
                    pod, bean.path("tag.serverName").asText(), bean.path("regionCount").asInt()))
            : Optional.empty();
      } catch (JsonProcessingException e) {
        return Optional.empty();
      }
    }
  }
}
