package io.offheap.hbase.operator.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.offheap.hbase.operator.TestClock;
import io.offheap.hbase.operator.tune.AlertCause;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A webhook that listens, before clusters {@code prod/orders} and {@code prod/events}. */
final class RunningWebhook implements AutoCloseable {
  static final String TOKEN = "a-token-for-the-tests";
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  static final int PER_MINUTE = 20;

  /** An exchange is over by then on a machine that does other things as well. */
  static final Duration AMPLE = Duration.ofSeconds(30);

  final List<ClusterName> trigger = new CopyOnWriteArrayList<>();
  final List<AlertCause> causes = new CopyOnWriteArrayList<>();
  final CollectorRegistry registry = new CollectorRegistry();
  final TestClock clock = TestClock.at(NOW);
  final Path tokenFile;
  volatile boolean acting = true;
  volatile boolean failing;

  private static final Set<String> CLUSTERS = Set.of("prod/orders", "prod/events");

  private final AlertServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  RunningWebhook(Path folder, Optional<Path> tls, Duration exchange) throws IOException {
    tokenFile = Files.writeString(folder.resolve("token"), TOKEN + "\n");
    server =
        new AlertServer(
            new AlertSettings(0, tokenFile, tls, PER_MINUTE, exchange),
            registry,
            clock,
            () -> acting,
            clusters(),
            this::trigger);
  }

  static WatchedClusters clusters() {
    return new WatchedClusters() {
      @Override
      public boolean isWatched(String namespace) {
        return namespace.equals("prod");
      }

      @Override
      public boolean exists(ClusterName cluster) {
        return CLUSTERS.contains(cluster.toString());
      }
    };
  }

  private void trigger(ClusterName cluster, AlertCause cause) {
    if (failing) {
      throw new IllegalStateException("no reconciliation can be triggered");
    }
    trigger.add(cluster);
    causes.add(cause);
  }

  int port() {
    return server.port();
  }

  HttpRequest.Builder request() {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + AlertHandler.PATH))
        .timeout(Duration.ofSeconds(30))
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + TOKEN);
  }

  HttpResponse<String> post(String body) {
    return send(request().POST(BodyPublishers.ofString(body)));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A connection over which only this has been sent so far. */
  Socket begin(String text) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(30_000);
    socket.getOutputStream().write(text.getBytes(US_ASCII));
    socket.getOutputStream().flush();
    return socket;
  }

  /** A request to its body, with these headers and the token. */
  static String head(String headers) {
    return "POST "
        + AlertHandler.PATH
        + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
        + TOKEN
        + "\r\n"
        + headers
        + "\r\n\r\n";
  }

  double verdicts(Verdict verdict) {
    return registry.getSampleValue(
        "hbase_offheap_alerts_total", new String[] {"verdict"}, new String[] {verdict.label()});
  }

  double requests(AlertOutcome outcome) {
    return registry.getSampleValue(
        "hbase_offheap_alert_requests_total",
        new String[] {"outcome"},
        new String[] {outcome.label()});
  }

  /** A body as Alertmanager 0.25 writes it, but for the alerts. */
  static String body(String... alerts) {
    return """
    {"receiver":"hbase","status":"firing","alerts":[%s],"groupLabels":{},"commonLabels":{},
     "commonAnnotations":{},"externalURL":"http://am:9093","version":"4",
     "groupKey":"{}:{alertname=\\"HBaseReservoirMisses\\"}","truncatedAlerts":0}\
    """
        .formatted(String.join(",", alerts));
  }

  /** A firing alert on prod/orders since a minute, with some fields replaced. */
  static String alert(Map<String, String> other) {
    return """
    {"status":"%s","labels":{"alertname":"HBaseReservoirMisses","namespace":"%s",
     "cluster":"%s","pod":"orders-regionserver-0"},"annotations":{"summary":"figures: 1, 2"},
     "startsAt":"%s","endsAt":"%s","generatorURL":"http://p:9090","fingerprint":"%s"}\
    """
        .formatted(
            other.getOrDefault("status", "firing"),
            other.getOrDefault("namespace", "prod"),
            other.getOrDefault("cluster", "orders"),
            other.getOrDefault("startsAt", NOW.minusSeconds(60).toString()),
            other.getOrDefault("endsAt", "0001-01-01T00:00:00Z"),
            other.getOrDefault("fingerprint", "9f86d081884c7d65"));
  }

  static String alert() {
    return alert(Map.of());
  }

  @Override
  public void close() {
    server.close();
  }
}
