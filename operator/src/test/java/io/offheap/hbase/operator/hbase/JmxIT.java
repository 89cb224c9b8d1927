package io.offheap.hbase.operator.hbase;

import static io.offheap.hbase.operator.Waits.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.offheap.hbase.operator.FreePort;
import io.offheap.hbase.operator.tune.Metric;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Beans of a region server of HBase itself. HBase removes and registers all of them again some
 * seconds after a region is opened ({@code JmxCacheBuster}), so a bean may be missing for a moment.
 */
@Tag("verify")
class JmxIT {
  @TempDir private Path folder;

  private final int httpPort = FreePort.next();
  private final Jmx jmx = new Jmx(httpPort);

  @Test
  void regionServerSendsOnlyRequestedAttributes() throws Exception {
    try (var servers = start()) {
      await()
          .atMost(LONG)
          .until(() -> bean(RegionServerReportSource.QUERY).path("regionCount").asInt(-1) >= 0);

      assertThat(servers.areAlive()).isTrue();
      assertThat(whole(RegionServerReportSource.QUERY).fieldNames())
          .toIterable()
          .containsExactlyInAnyOrderElementsOf(RegionServerReportSource.ATTRIBUTES);
      assertThat(whole(RegionServerReportSource.QUERY).path("tag.serverName").asText())
          .startsWith(RealServers.pod(0) + ",");
      assertThat(text(RegionServerReportSource.QUERY)).hasSizeLessThan(1_000);
      assertThat(text(Jmx.Query.ofWhole(Jmx.SERVER, Set.of()))).hasSizeGreaterThan(10_000);

      // A name that is the beginning of others, and one with a point.
      var exceptions = Set.of("exceptions", "exceptions.RegionMovedException");
      var ofIpc = Jmx.Query.ofPart(Jmx.CALLS, exceptions);
      assertThat(whole(ofIpc).fieldNames())
          .toIterable()
          .containsExactlyInAnyOrderElementsOf(exceptions);
      assertThat(text(ofIpc)).doesNotContain("exceptions.NotServing");
      var ofTuning = whole(ReadingSource.OF_CALLS);
      assertThat(Metric.Bean.CALLS.metrics())
          .isNotEmpty()
          .allMatch(metric -> ofTuning.path(metric.attribute()).isNumber());
      assertThat(bean(Jmx.Query.ofPart(Jmx.SERVER, Set.of("none"))).isEmpty()).isTrue();
      assertThat(bean(Jmx.Query.ofPart(Jmx.OBSERVER, Set.of("none"))).isMissingNode())
          .as("a bean that the server does not have")
          .isTrue();
      assertThat(KeptConnections.OF_PROCESS.take("127.0.0.1:" + httpPort))
          .as("a connection that HBase does not close after a response")
          .isPresent();
    }
  }

  /** The bean with all of the query's attributes. */
  private JsonNode whole(Jmx.Query query) {
    return await()
        .atMost(LONG)
        .until(() -> bean(query), it -> it.size() == query.attributes().size());
  }

  private JsonNode bean(Jmx.Query query) {
    return jmx.bean("127.0.0.1", query, LimitedHttp.Reuse.PERMITTED, failure -> {}).join();
  }

  /** A response with a bean. */
  private String text(Jmx.Query query) {
    return await().atMost(LONG).until(() -> response(query), it -> it.contains("\"name\""));
  }

  private String response(Jmx.Query query) throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:" + httpPort + query.path());
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
        .body();
  }

  /** Its HTTP server needs a directory of pages, none of which is read. */
  private RealServers start() throws IOException {
    var conf = Files.createDirectories(folder.resolve(RealServers.name(0)));
    Files.createDirectories(conf.resolve("hbase-webapps").resolve("regionserver"));
    Files.createDirectories(conf.resolve("hbase-webapps").resolve("static"));
    return RealServers.start(
        folder, 1, 1, Map.of("hbase.regionserver.info.port", Integer.toString(httpPort)));
  }
}
