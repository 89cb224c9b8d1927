package io.offheap.hbase.operator.hbase;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.offheap.hbase.operator.api.HBaseCluster;
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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Asks every region server of a cluster over its own HTTP endpoint. All are asked at once and under
 * one deadline; one that does not answer has no report.
 */
public final class RegionServerReportSource
    extends PollingSource<RegionServerReport, HBaseCluster> {
  private static final String BEAN = "Hadoop:service=HBase,name=RegionServer,sub=Server";
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration DEADLINE = Duration.ofSeconds(3);

  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(DEADLINE).build();

  /** Made once for a controller. */
  public RegionServerReportSource(EventSourceContext<HBaseCluster> context) {
    super(
        "region-server-reports",
        RegionServerReport.class,
        RegionServerReport::pod,
        context,
        PERIOD);
  }

  @Override
  CompletableFuture<Set<RegionServerReport>> ask(HBaseCluster cluster) {
    List<CompletableFuture<Optional<RegionServerReport>>> answers =
        RegionServerHosts.of(cluster).map(this::ask).toList();
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(
            all ->
                answers.stream()
                    .flatMap(answer -> answer.join().stream())
                    .collect(Collectors.toSet()));
  }

  private CompletableFuture<Optional<RegionServerReport>> ask(String host) {
    var pod = host.substring(0, host.indexOf('.'));
    var uri = URI.create("http://" + host + ":" + Ports.REGIONSERVER_HTTP + "/jmx?qry=" + BEAN);
    var request = HttpRequest.newBuilder(uri).timeout(DEADLINE).build();
    return http.sendAsync(request, BodyHandlers.ofString())
        .thenApply(response -> parse(pod, response.body()))
        // The request's own deadline ends with the response's head.
        .completeOnTimeout(Optional.empty(), DEADLINE.toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(unreachable -> Optional.empty());
  }

  private Optional<RegionServerReport> parse(String pod, String body) {
    try {
      var bean = json.readTree(body).path("beans").path(0);
      return bean.has("regionCount")
          ? Optional.of(
              new RegionServerReport(
                  pod,
                  bean.path("tag.serverName").asText(),
                  bean.path("regionCount").asInt(),
                  powerOfTwo(bean.path("storeFileSize").asLong())))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  /** The smallest power of two that is not under this; 0 for nothing. */
  static long powerOfTwo(long bytes) {
    if (bytes <= 0) {
      return 0;
    }
    long below = Long.highestOneBit(bytes);
    return below == bytes || below == 1L << 62 ? below : below << 1;
  }
}
